import AudioSession

/// What becomes of the music when the kiosk closes and opens (H rows).
extension MusicPlayer {
  /// What sounds is the last track.
  mutating func endWithTrack(_ turn: inout MusicTurn) {
    guard wantsSound else { return }
    queue.endsHere = true
    // What the decoder was sent already would be heard after it.
    if stream.ahead.count > (stream.hasBegun ? 0 : 1) { renewHere(at: turn.now) }
  }

  /// It is not the last one after all.
  mutating func goOnBehindTrack(_ turn: inout MusicTurn) {
    guard queue.endsHere else { return }
    queue.endsHere = false
    if wantsSound { renewHere(at: turn.now) }
  }

  /// What the storage had only while it closed begins, unless somebody has decided otherwise since (J1).
  mutating func beginDelayedRequest(_ turn: inout MusicTurn) {
    if requests.takeDelayed() { wantRequest(&turn) }
  }

  /// A request waits, and has its turn.
  mutating func wantRequest(_ turn: inout MusicTurn) {
    // Nobody has said that music may sound here (T7).
    if transport.isPromptShown || transport.intent == .playing && transport.routeLoss == nil { return }
    resolveLoss(answer: nil, &turn)
    want(asStart: transport.intent == .stopped, &turn)
  }

  /// What the decoder has ahead of the listener is decoded again.
  mutating func renewHere(at now: Instant) {
    stand(at: frame(at: now))
    stream.renew()
  }

  /// It waits at this frame until the kiosk opens.
  mutating func keepUntilOpening(_ turn: inout MusicTurn) {
    transport.isClosed = true
    compare(after: .paused(.closed), &turn)
  }

  /// The clock has it begin, not a person: what plays or waits goes on as it is.
  mutating func play(because cause: StartCause, selected: String?, _ turn: inout MusicTurn) {
    cutAttraction(&turn)
    guard transport.intent != .playing, findMusic(selected: selected, &turn) else { return }
    log.note(.asked(cause, isStart: transport.intent == .stopped))
    transport.intent = .playing
    turn.append(.wanted(reopens: false))
  }

  /// The last track before closing was heard to its end; this one would have followed.
  mutating func endedAtClosing(_ next: Place, _ turn: inout MusicTurn) {
    noteTrackEnd(&turn)
    queue.endsHere = false
    queue.go(to: next)
    queue.beginRound(listed)
    playhead.stand(at: 0)
    stream.unload()
    transport.isClosed = true
  }
}
