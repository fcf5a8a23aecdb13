import AudioSession

/// What a person does to the music (P8, P9, Q2, Q3).
extension Jukebox {
  /// Frames of a track after which Previous means its start rather than the track before: three seconds.
  private var restartThreshold: Int { 3 * configuration.rate }

  mutating func play(at now: Instant) {
    guard !queue.isEmpty else { return log(.queueEnded, .warn, ["reason": "no tracks"]) }
    switch transport.intent {
    case .stopped: want(asStart: true, at: now)
    case .paused: want(asStart: false, at: now)
    case .playing:
      if let loss = transport.routeLoss, !loss.isSuspected {
        resolveLoss(answer: "resume")
        want(asStart: false, at: now)
      } else if transport.isAudible || transport.isHeldBySuspicionOnly {
        pause(at: now)
      } else {
        // Pressing Play is asking for sound, and sound there is none (I6).
        want(asStart: false, at: now)
      }
    }
    if transport.intent == .playing && transport.outputLoss != nil { outbox.append(.audio(.reopen)) }
    saveSoon(at: now)
  }

  /// A person wants music: the session is asked for it at once. Whoever waits has a new limit to wait for.
  private mutating func want(asStart isStart: Bool, at now: Instant) {
    transport.intent = .playing
    // Told once: by the interruption that this ends, or behind it.
    untold = Untold(isStart: isStart, cause: "user")
    defer { logUntold(at: now) }
    if commanded.isLimited {
      commanded.isLimited = false
      outbox.append(.cancelTimer(.interruptionLimit))
    }
    claimSession(at: now)
  }

  /// A person wants it to pause, or to stay so whatever is let go of (I5).
  mutating func pause(at now: Instant) {
    guard transport.intent == .playing else { return }
    resolveLoss(answer: "pause")
    transport.intent = .paused
    logPaused(cause: "user", at: now)
  }

  /// Stop ends what runs: the recording if there is one, else the music and what a cue says.
  mutating func stop(at now: Instant) {
    if recording.since != nil { return stopRecording(reason: "user", at: now) }
    stopCues(at: now)
    resolveLoss(answer: "stop")
    guard transport.intent != .stopped else { return }
    stopPlayback(cause: "user", at: now)
  }

  /// Stops at the start of the current track.
  private mutating func stopPlayback(cause: String, at now: Instant) {
    log(.playbackStopped, .info, ["cause": cause, "frame": frame(at: now)])
    told = .stopped
    transport.intent = .stopped
    rewindToStart()
    saveSoon(at: now)
  }

  /// The current track from its start, whatever was decoded of it.
  private mutating func rewindToStart() {
    playhead.stand(at: 0)
    transport.routeLoss?.hold.frame = 0
    transport.unsuited?.hold.frame = 0
    stream.unload()
  }

  mutating func next(at now: Instant, thenPlay: Bool = false) {
    guard !queue.isEmpty else { return }
    guard let place = queue.next() else {
      resolveLoss(answer: "next")
      queue.place = 0
      log(.queueEnded)
      if transport.intent == .stopped { saveSoon(at: now) } else { stopPlayback(cause: "queue-ended", at: now) }
      return
    }
    skip(to: place, answer: "next", thenPlay: thenPlay, at: now)
  }

  mutating func previous(at now: Instant, thenPlay: Bool = false) {
    guard !queue.isEmpty else { return }
    let heard = playhead.frame(at: now, rate: configuration.rate)
    let place = heard > restartThreshold ? queue.place : queue.previous()
    skip(to: place, answer: "previous", thenPlay: thenPlay, at: now)
  }

  /// A skip does not start what is silent, but it is a person's word: no plug resumes after it (P5).
  private mutating func skip(to place: Int, answer: String, thenPlay: Bool, at now: Instant) {
    // While the plug may be on its way out, a skip only moves the track: a loss is a loss all the same (R3).
    if transport.routeLoss?.isSuspected == false {
      transport.intent = .paused
      resolveLoss(answer: answer)
    }
    if transport.intent == .paused && !thenPlay && playhead.frame == 0 && queue.place == place { return }
    queue.place = place
    rewindToStart()
    if thenPlay && transport.intent != .playing {
      want(asStart: true, at: now)
    }
    saveSoon(at: now)
  }

  /// As the next visitor should find it: stopped, at the start of the queue, at start volume (Q4, K8).
  mutating func returnToStart(cause: String, at now: Instant) {
    resolveLoss(answer: nil)
    let old = routes.route.port.map { volumes.volume(of: $0) }
    volumes.reset()
    if let port = routes.route.port, let old, volumes.volume(of: port) != old {
      logVolume(of: port, from: old, cause: cause)
    }
    queue.place = 0
    if transport.intent != .stopped { stopPlayback(cause: cause, at: now) }
    rewindToStart()
    saveSoon(at: now)
  }

  // MARK: - Volume

  /// False when the volume is at the end of its range.
  mutating func changeVolume(by step: Int, at now: Instant) -> Bool {
    guard let port = routes.route.port else { return false }
    return setVolume(volumes.volume(of: port) + step, at: now) != nil
  }

  /// Sets the current port's volume; the new volume, nil when nothing changed.
  mutating func setVolume(_ volume: Int, at now: Instant) -> Int? {
    guard let port = routes.route.port else { return nil }
    let (old, new) = volumes.set(volume, for: port)
    guard old != new else { return nil }
    logVolume(of: port, from: old, cause: nil)
    saveSoon(at: now)
    return new
  }

  private mutating func logVolume(of port: Port, from old: Int, cause: String?) {
    log(
      .volumeChanged, .info,
      ["port": port.rawValue, "volume": String(volumes.volume(of: port)), "from": String(old), "cause": cause])
  }

  // MARK: - Lines of the log

  /// Logs a start; while something holds the sound back, as soon as nothing does any more.
  private mutating func logStarted(cause: String) {
    untold = transport.isAudible ? nil : Untold(isStart: true, cause: cause)
    guard transport.isAudible, let track = queue.track else { return }
    told = .playing
    log(
      .playbackStarted, .info,
      [
        "cause": cause, "track": String(track + 1), "route": routes.route.description,
        "frame": String(playhead.frame),
      ])
  }

  mutating func logPaused(cause: String, at now: Instant) {
    if told == .playing { told = .paused }
    log(.playbackPaused, .info, ["cause": cause, "frame": frame(at: now)])
    saveSoon(at: now)
  }

  /// Something that held wanted sound back is gone: it resumes, or starts if the log has not told of a start yet; while
  /// something else holds it, the log says so as soon as nothing does.
  mutating func logGoesOn(cause: String, at now: Instant) {
    if untold?.isStart == true { logUntold(at: now) } else { logResumed(cause: cause, at: now) }
  }

  /// Logs that music goes on. What was stopped as far as the log knows does not go on, but starts.
  private mutating func logResumed(cause: String, at now: Instant) {
    switch told {
    case .stopped: return logStarted(cause: cause)
    case .playing: return
    case .paused: break
    }
    untold = transport.isAudible ? nil : Untold(isStart: false, cause: cause)
    guard transport.isAudible, let track = queue.track else { return }
    told = .playing
    log(
      .playbackResumed, .info,
      [
        "cause": cause, "track": String(track + 1), "route": routes.route.description, "frame": frame(at: now),
      ])
    saveSoon(at: now)
  }

  /// Sound begins without anyone having told: a hold was let go that is no event of its own, as contact bounce.
  mutating func logUntold(at now: Instant) {
    guard let word = untold else { return }
    if word.isStart { logStarted(cause: word.cause) } else { logResumed(cause: word.cause, at: now) }
  }
}
