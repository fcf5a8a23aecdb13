import AudioSession

/// What the engine reports (P10, P11), and the output that comes and goes.
/// Changes: `transport`, `queue`, `changes`, `stream`, `playhead`, `speech`, `listening`, `health`, `visit`, `commanded`,
/// `outbox`.
extension Jukebox {
  mutating func heard(_ report: AudioReport, at now: Instant) {
    switch report {
    case .playback(let report): heard(report, at: now)
    case .opened(let id, let track, let found):
      guard id == stream.id else { return }
      stream.opened(track, found)
      if storageAnswered(at: now) { answerDecoder() }
    case .measured(let id, let track, let frames):
      guard id == stream.id else { return }
      stream.measured(track, frames)
    case .failed(let id, let track, let reason, let isMissing):
      guard id == stream.id, storageAnswered(at: now) else { return }
      if isMissing && changes.kept != nil { return awaitListing() }
      logFailure(of: track, reason: reason, frame: nil)
      stream.failed()
      answerDecoder()
    case .brokeOff(let id, let position, let reason):
      guard id == stream.id else { return }
      listening.noteBreak(of: name(of: position.track))
      logFailure(of: position.track, reason: reason, frame: position.frame)
    case .storageFailed(let id, let position, let reason):
      guard id == stream.id else { return }
      listGuess()
      storageFailed(StorageFault(position: position, reason: reason), at: now)
    case .outputLost(let reason, let position): outputLost(reason, at: position, now)
    case .otherOutputLost(let port, let reason):
      log(.outputLost, .warn, ["reason": reason, "route": port.rawValue])
    case .otherOutputRestored(let port): log(.outputRestored, .info, ["route": port.rawValue])
    case .clipFailed(let clip, let reason): clipFailed(clip, reason: reason)
    }
  }

  private mutating func heard(_ report: PlaybackReport, at now: Instant) {
    switch report {
    case .started(let id, let position, let at):
      guard id == stream.id, position.track == queue.track, commanded.isSounding else { return }
      // A place beyond the end of a track whose length was not known has become its start (T6): nothing was heard backwards.
      if !stream.hasBegun { playhead.jump() }
      playhead.run(from: position.frame, since: at)
      logPlayback(at: now)
      noteTrial(at: now)
    case .silenced(let id, let position):
      commanded.confirmSilence(of: id)
      guard id == stream.id, let position, position.track == queue.track, !commanded.isSounding else { return }
      stand(at: position.frame)
    case .began(let id, let position, let at):
      guard id == stream.id else { return }
      began(position, at: at, now)
    case .ended(let id):
      guard id == stream.id else { return }
      ended(at: now)
    case .underrun(let position):
      health.noteUnderrun()
      count(.underruns)
      // Nothing is heard until it is reported as started again, which may be long if the decoder has no frames.
      if let position { standIfCurrent(at: position) }
      log(.outputUnderrun, .warn, ["frame": frame(at: now)])
    case .queueGrown(let queued): log(.outputDeepened, .warn, ["queued": queued.logSeconds])
    case .outputRestored: outputRestored(at: now)
    case .outputChanged(let rate, let buffer, let position):
      outputChanged(rate: rate, bufferFrames: buffer, at: position, now)
    case .clipStarted(let clip, let at): clipStarted(clip, at: at)
    case .clipEnded(let clip): clipEnded(clip)
    }
  }

  mutating func stand(at frame: Int) {
    playhead.stand(at: frame)
    transport.doubt?.hold.frame = frame
    transport.routeLoss?.hold.frame = frame
    transport.unsuited?.hold.frame = frame
  }

  /// For a report that names no stream: before a track of this one was heard, it is about the stream before.
  private mutating func standIfCurrent(at position: Position) {
    if stream.hasBegun, position.track == queue.track { stand(at: position.frame) }
  }

  mutating func answerDecoder() {
    guard let answer = stream.answer(from: queue) else { return }
    outbox.append(.audio(.follow(stream: stream.id, track: answer)))
  }

  private mutating func began(_ position: Position, at instant: Instant, _ now: Instant) {
    let isFirst = !stream.hasBegun
    guard let track = stream.advance() else { return }
    if !isFirst { countEnd(at: instant) }
    if !isFirst, let former = queue.track {
      if former != position.track { stream.forgetTags(of: former) }
      logTrackEnd(former)
    }
    queue.go(to: queue.place(of: track) ?? queue.place)
    changes.sought = nil
    // The report came late, when all is silent again: the engine's next one says where it stands.
    // Nor is anything heard of a track that goes on behind its last frame (I11).
    let isOver = position.frame > 0 && stream.tags[position.track]?.frames.map { $0 <= position.frame } ?? false
    let isHeard = commanded.isSounding && !isOver
    if isHeard { playhead.run(from: position.frame, since: instant) } else { stand(at: position.frame) }
    playhead.jump()
    logPlayback(at: now)
    countBeginning(of: position.track, at: position.frame)
    if !isFirst || !stream.isContinued { logTrack(at: position) }
    answerDecoder()
  }

  private mutating func logTrack(at position: Position) {
    let known = stream.tags[position.track]
    log(
      .trackStarted, .info,
      [
        "track": number(of: position.track), "file": name(of: position.track), "title": known?.title,
        "artist": known?.artist, "route": routes.route.description, "frame": String(position.frame),
      ])
  }

  private mutating func ended(at now: Instant) {
    commanded.ended()
    if let fault = stream.storageFault { return storageLost(fault, at: now) }
    if stream.hasBegun { countEnd(at: now) } else { countLeaving(.failed) }
    if goOnInNewLibrary() { return }
    if queue.staysAtChosen { return endedAtChosen(at: now) }
    if stream.hasBegun, let track = queue.track {
      logTrackEnd(track)
      log(.queueEnded)
    } else {
      log(.queueEnded, .warn, ["reason": EmptyQueueReason.noPlayableTrack.rawValue])
    }
    queue.go(to: 0)
    stopAfterEnd(because: .queueEnded, at: now)
  }

  /// The stream ended where the library of its time did; by now something may follow (X1).
  private mutating func goOnInNewLibrary() -> Bool {
    guard stream.isOutdated, let next = queue.following(queue.place), next != queue.place || stream.hasBegun else {
      return false
    }
    if stream.hasBegun, let track = queue.track { logTrackEnd(track) }
    queue.go(to: next)
    rewindToStart()
    return true
  }

  mutating func logTrackEnd(_ track: Int) {
    log(.trackEnded, .info, ["track": number(of: track), "file": name(of: track)])
  }

  /// Nothing is to follow the chosen track, or it cannot be played: it stops there (T3, T8).
  private mutating func endedAtChosen(at now: Instant) {
    if stream.hasBegun, let track = queue.track { logTrackEnd(track) }
    stopAfterEnd(because: .trackEnded, at: now)
  }

  mutating func stopAfterEnd(because cause: StopCause, at now: Instant) {
    playhead.stand(at: 0)
    stream.unload()
    // Pulled out in the very last moment: there is nothing left to ask about.
    resolveLoss(answer: nil)
    transport.intent = .stopped
    visit.noteEnd(until: endOfGap(from: now))
    logPlayback(.stopped(cause), at: now)
  }

  mutating func logFailure(of track: Int, reason: String, frame: Int?) {
    // Of what was taken away since, nobody has to be told that it cannot be opened.
    guard library[track] != nil else { return }
    count(.trackFailures)
    log(
      .trackFailed, .warn,
      [
        "track": number(of: track), "file": name(of: track), "reason": reason, "frame": frame.map(String.init),
      ])
  }

  // MARK: - Output

  private mutating func outputLost(_ reason: String, at position: Position?, _ now: Instant) {
    commanded.outputLost()
    if let position { standIfCurrent(at: position) }
    if let port = routes.setup(of: routes.route.port), port.isWireless, case .line(let line) = port.sense {
      return wirelessLost(port, line: line, reason, at: now)
    }
    if transport.outputLoss == nil {
      count(.outputLosses)
      log(.outputLost, .error, ["reason": reason, "route": routes.route.description, "frame": frame(at: now)])
      log(.interruptionBegan, .info, ["reason": Self.outputUnavailable, "frame": frame(at: now)])
      transport.outputLoss = OutputLoss(hold: Hold(since: now, frame: playhead.frame))
      logPlayback(.paused(.output), at: now)
      silenceCues(.outputLost)
    }
    let retries = transport.outputLoss?.retries ?? 0
    transport.outputLoss?.retryDue = now + BackOff.wait(after: retries)
    transport.outputLoss?.retries += 1
  }

  private static let outputUnavailable = HoldName.outputUnavailable.rawValue

  private mutating func outputRestored(at now: Instant) {
    guard transport.outputLoss != nil else { return }
    transport.outputLoss = nil
    log(.outputRestored, .info, ["route": routes.route.description])
    log(.interruptionEnded, .info, ["reason": Self.outputUnavailable, "resume": "true"])
    logPlayback(.freed(.outputRestored), at: now)
  }

  /// The same port in another shape: the stream is decoded anew for it, from the frame heard last (R12).
  private mutating func outputChanged(rate: Int, bufferFrames: Int, at position: Position?, _ now: Instant) {
    if let position { standIfCurrent(at: position) }
    let route = routes.route
    log(
      .routeChanged, .info,
      [
        "reason": RouteChange.Reason.routeConfigurationChange.rawValue, "from": route.description,
        "to": route.description, "rate": String(rate), "buffer": String(bufferFrames), "frame": frame(at: now),
      ])
    // What the decoder was told since is of no use either: it is silenced before the new stream is loaded.
    stream.renew()
    // The engine has forgotten the cue: one that was heard is over, one that was not begins again.
    switch speech.phase {
    case .due: break
    case .told: if speech.current != nil { speech.renew() }
    case .heard: silenceCues(.routeChanged)
    }
  }
}
