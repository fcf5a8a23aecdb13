import AudioSession

/// What the operator does to the music (P8, P9, Q2, Q3): intent and place in the queue, and the volume. The operator is
/// whoever presses the buttons or types on the console.
/// Changes: `transport`, `queue`, `changes`, `stream`, `playhead`, `volumes`, `playbackLog`, `outbox`.
extension Jukebox {
  /// Frames of a track after which Previous means its start rather than the track before: three seconds.
  private var restartThreshold: Int { 3 * configuration.rate }

  mutating func play(at now: Instant) {
    guard !queue.isEmpty else { return log(.queueEnded, .warn, ["reason": EmptyQueueReason.noTracks.rawValue]) }
    switch transport.intent {
    case .stopped: want(asStart: true, at: now)
    case .paused: want(asStart: false, at: now)
    case .playing:
      if transport.routeLoss != nil {
        resolveLoss(answer: .resume)
        want(asStart: false, at: now)
      } else if transport.isAudible || transport.isHeldByDoubtOnly {
        pause(at: now)
      } else {
        // Pressing Play is asking for sound, and sound there is none (I6).
        want(asStart: false, at: now)
      }
    }
  }

  /// The operator wants music: the session is asked for it at once, and what is lost is tried again. Whoever waits gets a
  /// new limit to wait for.
  mutating func want(asStart isStart: Bool, at now: Instant) {
    transport.intent = .playing
    // Logged once: by the interruption that this ends, or behind it.
    playbackLog.note(.asked(.user, isStart: isStart))
    defer { logPlayback(at: now) }
    retryStorage()
    transport.limit = nil
    claimSession(at: now)
    if transport.outputLoss != nil { outbox.append(.audio(.reopen)) }
  }

  /// The operator wants it to pause, or to stay paused whatever hold comes to an end (I5).
  mutating func pause(at now: Instant) {
    guard transport.intent == .playing else { return }
    changes.kept?.choice = nil
    resolveLoss(answer: .pause)
    transport.intent = .paused
    logPlayback(.paused(.user), at: now)
  }

  /// Stop ends the recording if one runs, else the music and the cue.
  mutating func stop(at now: Instant) {
    if recording.since != nil { return stopRecording(.user) }
    stopCues()
    changes.kept?.choice = nil
    resolveLoss(answer: .stop)
    guard transport.intent != .stopped else { return }
    stopPlayback(because: .user, at: now)
  }

  /// Stops at the start of the current track.
  private mutating func stopPlayback(because cause: StopCause, at now: Instant) {
    countLeaving(cause.leaving)
    transport.intent = .stopped
    logPlayback(.stopped(cause), at: now)
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

  mutating func next(at now: Instant, thenPlay: Bool = false) {
    changes.kept?.choice = nil
    guard !queue.isEmpty else { return }
    guard let place = queue.next() else {
      resolveLoss(answer: .next)
      countLeaving(.skipped)
      queue.go(to: 0)
      log(.queueEnded)
      if transport.intent != .stopped { stopPlayback(because: .queueEnded, at: now) }
      return
    }
    skip(to: place, answer: .next, thenPlay: thenPlay, at: now)
  }

  mutating func previous(at now: Instant, thenPlay: Bool = false) {
    changes.kept?.choice = nil
    guard !queue.isEmpty else { return }
    let heard = playhead.frame(at: now, rate: configuration.rate)
    let place = heard > restartThreshold ? queue.place : queue.previous()
    skip(to: place, answer: .previous, thenPlay: thenPlay, at: now)
  }

  private mutating func skip(to place: Int, answer: PromptAnswer, thenPlay: Bool, at now: Instant) {
    pauseLoss(answer: answer)
    if transport.intent == .paused && !thenPlay && playhead.frame == 0 && queue.place == place { return }
    countLeaving(.skipped)
    queue.go(to: place)
    rewindToStart()
    if thenPlay && transport.intent != .playing {
      want(asStart: true, at: now)
    }
  }

  /// As the next visitor should find it: stopped, at the start of the queue, at start volumes (V2, Q4, K8).
  mutating func returnToStart(because cause: ResetCause, at now: Instant) {
    resolveLoss(answer: nil)
    resetVolumes(of: routes.ports, because: cause)
    countLeaving(cause.leaving)
    returnToStartPlaylist(at: now)
    if transport.intent != .stopped { stopPlayback(because: .reset(cause), at: now) }
    rewindToStart()
  }

  // MARK: - Volume

  /// Puts volumes back to their start, whether or not their ports are there.
  mutating func resetVolumes(of ports: [OutputPort], because cause: ResetCause) {
    for port in ports.map(\.port) {
      let (old, new) = volumes.reset(port)
      if old != new { logVolume(of: port, from: old, cause: .reset(cause)) }
    }
  }

  /// Returns false when the volume is at the end of its range.
  mutating func changeVolume(by step: Int) -> Bool {
    guard let port = routes.route.port else { return false }
    return setVolume(volumes.volume(of: port) + step) != nil
  }

  /// Sets the current port's volume. Returns the new volume, or nil when nothing changed.
  mutating func setVolume(_ volume: Int) -> Int? {
    guard let port = routes.route.port else { return nil }
    let (old, new) = volumes.set(volume, for: port)
    guard old != new else { return nil }
    logVolume(of: port, from: old, cause: nil)
    return new
  }

  mutating func logVolume(of port: Port, from old: Int, cause: VolumeCause?) {
    log(
      .volumeChanged, .info,
      [
        "port": port.rawValue, "volume": String(volumes.volume(of: port)), "from": String(old),
        "cause": cause?.logged,
      ])
  }
}
