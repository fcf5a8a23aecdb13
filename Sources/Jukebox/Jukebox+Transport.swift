import AudioSession

/// What the operator does to the music (P8, P9, Q2, Q3): intent and place in the queue, and the volume. The operator is
/// whoever presses the buttons or types on the console.
/// Changes: `transport`, `queue`, `changes`, `stream`, `playhead`, `volumes`, `cues`, `recording`, `playbackLog`.
extension Jukebox {
  /// Frames of a track after which Previous means its start rather than the track before: three seconds.
  private var restartThreshold: Int { 3 * configuration.rate }

  mutating func play(_ turn: inout Turn) {
    guard findMusic(&turn) else { return turn.log(.queueEnded, .warn, ["reason": EmptyQueueReason.noTracks.rawValue]) }
    switch transport.intent {
    case .stopped: want(asStart: true, &turn)
    case .paused: want(asStart: false, &turn)
    case .playing:
      if transport.routeLoss != nil {
        resolveLoss(answer: .resume, &turn)
        want(asStart: false, &turn)
      } else if transport.isAudible || transport.isHeldByDoubtOnly {
        pause(&turn)
      } else {
        // Pressing Play is asking for sound, and sound there is none (I6).
        want(asStart: false, &turn)
      }
    }
  }

  /// The operator wants music: the session is asked for it at once, and what is lost is tried again. Whoever waits gets a
  /// new limit to wait for.
  mutating func want(asStart isStart: Bool, _ turn: inout Turn) {
    transport.intent = .playing
    // Logged once: by the interruption that this ends, or behind it.
    playbackLog.note(.asked(.user, isStart: isStart))
    defer { logPlayback(&turn) }
    retryStorage()
    transport.limit = nil
    claimSession(&turn)
    if transport.outputLoss != nil { turn.append(.audio(.reopen)) }
  }

  /// The operator wants it to pause, or to stay paused whatever hold comes to an end (I5).
  mutating func pause(_ turn: inout Turn) {
    guard transport.intent == .playing else { return }
    changes.kept?.choice = nil
    resolveLoss(answer: .pause, &turn)
    transport.intent = .paused
    logPlayback(after: .paused(.user), &turn)
  }

  /// Stop ends the recording if one runs, else the music and the cue.
  mutating func stop(_ turn: inout Turn) {
    if recording.since != nil { return follow(recording.stop(.user), &turn) }
    follow(cues.stop(), &turn)
    changes.kept?.choice = nil
    resolveLoss(answer: .stop, &turn)
    guard transport.intent != .stopped else { return }
    stopPlayback(because: .user, &turn)
  }

  /// Stops at the start of the current track.
  private mutating func stopPlayback(because cause: StopCause, _ turn: inout Turn) {
    countLeaving(cause.leaving, &turn)
    transport.intent = .stopped
    logPlayback(after: .stopped(cause), &turn)
    rewindToStart()
  }

  /// The current track from its start, whatever was decoded of it.
  mutating func rewindToStart() {
    stand(elsewhereAt: 0)
    stream.unload()
  }

  /// The operator has gone to another place: what holds the music back holds it there.
  mutating func stand(elsewhereAt frame: Int) {
    stand(at: frame)
    playhead.jump()
    changes.sought = nil
    changes.kept?.choice = nil
    retryStorage(elsewhere: true)
  }

  mutating func next(_ turn: inout Turn, thenPlay: Bool = false) {
    changes.kept?.choice = nil
    guard !queue.isEmpty else { return }
    guard let place = queue.next() else {
      resolveLoss(answer: .next, &turn)
      countLeaving(.skipped, &turn)
      queue.go(to: .first)
      turn.log(.queueEnded)
      if transport.intent != .stopped { stopPlayback(because: .queueEnded, &turn) }
      return
    }
    skip(to: place, answer: .next, thenPlay: thenPlay, &turn)
  }

  mutating func previous(_ turn: inout Turn, thenPlay: Bool = false) {
    changes.kept?.choice = nil
    guard !queue.isEmpty else { return }
    let heard = playhead.frame(at: turn.now, rate: configuration.rate)
    let place = heard > restartThreshold ? queue.place : queue.previous()
    skip(to: place, answer: .previous, thenPlay: thenPlay, &turn)
  }

  private mutating func skip(to place: Place, answer: PromptAnswer, thenPlay: Bool, _ turn: inout Turn) {
    pauseLoss(answer: answer, &turn)
    if transport.intent == .paused && !thenPlay && playhead.frame == 0 && queue.place == place { return }
    countLeaving(.skipped, &turn)
    queue.go(to: place)
    rewindToStart()
    if thenPlay && transport.intent != .playing {
      want(asStart: true, &turn)
    }
  }

  /// As the next visitor should find it: stopped, at the start of the queue, at start volumes (V2, Q4, K8).
  mutating func returnToStart(because cause: ResetCause, _ turn: inout Turn) {
    resolveLoss(answer: nil, &turn)
    resetVolumes(of: routes.ports, because: cause, &turn)
    countLeaving(cause.leaving, &turn)
    returnToStartPlaylist(&turn)
    if transport.intent != .stopped { stopPlayback(because: .reset(cause), &turn) }
    rewindToStart()
  }

  // MARK: - Volume

  /// Puts volumes back to their start, whether or not their ports are there.
  mutating func resetVolumes(of ports: [OutputPort], because cause: ResetCause, _ turn: inout Turn) {
    for port in ports.map(\.port) {
      let (old, new) = volumes.reset(port)
      if old != new { logVolume(of: port, from: old, cause: .reset(cause), &turn) }
    }
  }

  /// Returns false when the volume is at the end of its range.
  mutating func changeVolume(by step: Int, _ turn: inout Turn) -> Bool {
    guard let port = routes.route.port else { return false }
    return setVolume(volumes.volume(of: port) + step, &turn) != nil
  }

  /// Sets the current port's volume. Returns the new volume, or nil when nothing changed.
  mutating func setVolume(_ volume: Int, _ turn: inout Turn) -> Int? {
    guard let port = routes.route.port else { return nil }
    let (old, new) = volumes.set(volume, for: port)
    guard old != new else { return nil }
    logVolume(of: port, from: old, cause: nil, &turn)
    return new
  }

  func logVolume(of port: Port, from old: Int, cause: VolumeCause?, _ turn: inout Turn) {
    turn.log(
      .volumeChanged, .info,
      [
        "port": port.rawValue, "volume": String(volumes.volume(of: port)), "from": String(old),
        "cause": cause?.logged,
      ])
  }
}
