/// What the operator chooses by itself: one track (T rows).
extension MusicPlayer {
  /// Plays the track of this name; one that the library does not have is logged, never played.
  mutating func choose(_ name: TrackName, _ turn: inout MusicTurn) {
    do throws(TrackName.NotFound) {
      choose(found: try find(name), name, &turn)
    } catch {
      if awaitChoice(.track(name), &turn) { return }
      turn.append(.choiceFailed(.track(name, error)))
    }
  }

  /// Plays it, or has it wait its turn.
  mutating func choose(found track: TrackID, _ name: TrackName, _ turn: inout MusicTurn) {
    if options.afterRequests != nil { return turn.append(.requested(track)) }
    choose(track: track, name, &turn)
  }

  /// - Parameter restarts: it begins from its start, whatever `again` says.
  mutating func choose(track: TrackID, _ name: TrackName, restarts: Bool = false, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    // The first track of another playlist is not the current one, though the queue begins at it.
    let isCurrent = track == queue.track
    enterPlaylist(of: track, &turn)
    guard let place = queue.place(of: track) else { return }
    if transport.isPromptShown { return chooseSilently(place, &turn) }
    if isCurrent && !restarts && chooseAgain(isTrack: true, &turn) { return }
    resolveLoss(answer: nil, &turn)
    countLeaving(.chosen, &turn)
    queue.choose(place)
    rewindToStart()
    changes.kept?.choice = KeptMusic.Choice(name: .track(name), track: track)
    want(asStart: transport.intent != .playing, &turn)
  }

  /// While the prompt waits, nobody has said that the music may sound here: a choice moves, as Next does (T7).
  private mutating func chooseSilently(_ place: Place, _ turn: inout MusicTurn) {
    transport.intent = .paused
    resolveLoss(answer: .track, &turn)
    countLeaving(.chosen, &turn)
    queue.choose(place)
    rewindToStart()
  }

  /// The track or the playlist is the current one already. Returns false if it begins again (T2).
  mutating func chooseAgain(isTrack: Bool, _ turn: inout MusicTurn) -> Bool {
    // Music that an unplug holds does not play, and only a person goes on with it.
    if transport.routeLoss != nil { return false }
    switch (options.again, transport.intent) {
    case (.restart, _), (.ignore, .stopped), (.ignore, .paused), (.pause, .stopped): return false
    case (.ignore, .playing): return true
    case (.pause, .playing):
      // With another setting, the decoder was told already what follows a track that nobody had chosen.
      if isTrack && options.afterTrack == .next { queue.choose(queue.place) }
      pause(&turn)
      return true
    case (.pause, .paused):
      // Only a track that was chosen goes on: somebody else's place in the queue is none of this visitor's.
      if isTrack && !queue.isChosen { return false }
      want(asStart: false, &turn)
      return true
    }
  }

  /// What was chosen is no longer to be looked for, nor begins by itself.
  mutating func forgetChoice() {
    changes.kept?.choice = nil
    requests.forgetDelay()
  }
}
