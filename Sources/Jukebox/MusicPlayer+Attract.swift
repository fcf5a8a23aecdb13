import AudioSession

/// Where the queue stood, stopped, when a track began by itself.
struct Rest: Hashable, Sendable {
  /// nil: all the music.
  var playlist: String?
  var track: TrackID?
}

/// A track that plays by itself in a silent room (J6): for as long as nobody goes elsewhere, the queue ends behind it.
extension MusicPlayer {
  mutating func attract(by settings: AttractSettings, isRandom: Bool, _ turn: inout MusicTurn) {
    guard transport.intent == .stopped, let playlist = library.playlist(called: settings.playlist),
      let track = picks.next(in: playlist, isRandom: isRandom, of: library)
    else { return }
    let rest = Rest(playlist: playlists.current, track: queue.track)
    if playlists.isCurrent(playlist) {
      queue.go(toTrack: track)
      rewindToStart()
    } else {
      enter(playlist, fromStart: true, for: track, &turn)
    }
    queue.attract(true)
    self.rest = rest
    log.note(.asked(.attract, isStart: true))
    transport.intent = .playing
    turn.append(.wanted(reopens: false))
  }

  /// Somebody wants to hear something else, or nothing.
  mutating func cutAttraction(_ turn: inout MusicTurn) {
    if queue.isAttraction { stopPlayback(because: .plugged, &turn) }
  }

  /// It was heard to its end.
  mutating func endedAttraction(_ turn: inout MusicTurn) {
    stopAfterEnd(because: .trackEnded, &turn)
    endAttraction(&turn)
  }

  /// It is over, or is about to be cut: the queue stands where it did.
  mutating func endAttraction(_ turn: inout MusicTurn) {
    guard queue.isAttraction, let rest else { return }
    self.rest = nil
    if !playlists.isCurrent(rest.playlist) { return enter(rest.playlist, fromStart: true, for: rest.track, &turn) }
    queue.attract(false)
    if let track = rest.track { queue.go(toTrack: track) }
    rewindToStart()
  }
}
