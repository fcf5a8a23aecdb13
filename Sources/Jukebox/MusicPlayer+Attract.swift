/// A track that plays by itself in a silent room (J6). As with a request, it alone is the queue meanwhile, and no playlist
/// is another. Whoever does something to the music does it to what stands behind it.
extension MusicPlayer {
  var isAttracting: Bool { attraction != nil }

  mutating func attract(by settings: AttractSettings, isRandom: Bool, _ turn: inout MusicTurn) {
    guard transport.intent == .stopped, let playlist = library.playlist(called: settings.playlist),
      let track = picks.next(in: playlist, isRandom: isRandom, of: library)
    else { return }
    let attraction = PlaceBehind(queue: queue, sought: changes.sought)
    queue = Queue([track], repeats: .off, shuffle: nil)
    rewindToStart()
    self.attraction = attraction
    log.note(.asked(.attract, isStart: true))
    transport.intent = .playing
    turn.append(.wanted(reopens: false))
  }

  /// Somebody, or the clock, wants something else of the music.
  mutating func cutAttraction(_ turn: inout MusicTurn) {
    guard isAttracting else { return }
    if transport.intent != .stopped { stopPlayback(because: .attract, &turn) }
    endAttraction()
  }

  /// After every input: it was heard to its end, was stopped, is paused, which nobody would go on with, or a cue is spoken,
  /// which would have the low volume of this track.
  mutating func settleAttraction(isCueSpoken: Bool, _ turn: inout MusicTurn) {
    if isAttracting && (transport.intent != .playing || isCueSpoken) { cutAttraction(&turn) }
  }

  /// The queue is where it was.
  private mutating func endAttraction() {
    guard let attraction else { return }
    self.attraction = nil
    queue = attraction.queue
    rewindToStart()
    lookFor(attraction.sought)
  }
}
