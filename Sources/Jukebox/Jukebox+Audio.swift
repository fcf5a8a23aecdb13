import AudioSession

/// What the engine reports (P10, P11), and the output that comes and goes.
/// Changes: `visit`, `transport`, `queue`, `changes`, `stream`, `playhead`, `cues`, `listening`, `health`, `commanded`.
extension Jukebox {
  mutating func heard(_ report: AudioReport, _ turn: inout Turn) {
    switch report {
    case .playback(let report): heard(report, &turn)
    case .opened(let id, let track, let found):
      guard id == stream.id else { return }
      stream.opened(track, found)
      if storageAnswered(&turn) { answerDecoder(&turn) }
    case .measured(let id, let track, let frames):
      guard id == stream.id else { return }
      stream.measured(track, frames)
    case .failed(let id, let track, let reason, let isMissing):
      guard id == stream.id, storageAnswered(&turn) else { return }
      if isMissing && changes.kept != nil { return awaitListing(&turn) }
      logFailure(of: track, reason: reason, frame: nil, &turn)
      stream.failed()
      answerDecoder(&turn)
    case .brokeOff(let id, let position, let reason):
      guard id == stream.id else { return }
      listening.noteBreak(of: name(of: position.track))
      logFailure(of: position.track, reason: reason, frame: position.frame, &turn)
    case .storageFailed(let id, let position, let reason):
      guard id == stream.id else { return }
      listGuess(&turn)
      storageFailed(StorageFault(position: position, reason: reason), &turn)
    case .outputLost(let reason, let position): outputLost(reason, at: position, &turn)
    case .otherOutputLost(let port, let reason):
      turn.log(.outputLost, .warn, ["reason": reason, "route": port.rawValue])
    case .otherOutputRestored(let port): turn.log(.outputRestored, .info, ["route": port.rawValue])
    case .clipFailed(let clip, let reason): follow(cues.failed(clip, reason: reason), &turn)
    }
  }

  private mutating func heard(_ report: PlaybackReport, _ turn: inout Turn) {
    switch report {
    case .started(let id, let position, let at):
      guard id == stream.id, position.track == queue.track, commanded.isSounding else { return }
      // A place beyond the end of a track whose length was not known has become its start (T6): nothing was heard backwards.
      if !stream.hasBegun { playhead.jump() }
      playhead.run(from: position.frame, since: at)
      logPlayback(&turn)
      noteTrial(&turn)
    case .silenced(let id, let position):
      commanded.confirmSilence(of: id)
      guard id == stream.id, let position, position.track == queue.track, !commanded.isSounding else { return }
      stand(at: position.frame)
    case .began(let id, let position, let at):
      guard id == stream.id else { return }
      began(position, at: at, &turn)
    case .ended(let id):
      guard id == stream.id else { return }
      ended(&turn)
    case .underrun(let position):
      health.noteUnderrun()
      count(.underruns, &turn)
      // Nothing is heard until it is reported as started again, which may be long if the decoder has no frames.
      if let position { standIfCurrent(at: position) }
      turn.log(.outputUnderrun, .warn, ["frame": frame(at: turn.now)])
    case .queueGrown(let queued): turn.log(.outputDeepened, .warn, ["queued": queued.logSeconds])
    case .outputRestored: outputRestored(&turn)
    case .outputChanged(let rate, let buffer, let position):
      outputChanged(rate: rate, bufferFrames: buffer, at: position, &turn)
    case .clipStarted(let clip, let at): follow(cues.started(clip, at: at), &turn)
    case .clipEnded(let clip): follow(cues.ended(clip), &turn)
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

  mutating func answerDecoder(_ turn: inout Turn) {
    guard let answer = stream.answer(from: queue) else { return }
    turn.append(.audio(.follow(stream: stream.id, track: answer)))
  }

  private mutating func began(_ position: Position, at instant: Instant, _ turn: inout Turn) {
    let isFirst = !stream.hasBegun
    guard let track = stream.advance() else { return }
    if !isFirst { countEnd(at: instant, &turn) }
    if !isFirst, let former = queue.track {
      if former != position.track { stream.forgetTags(of: former) }
      logTrackEnd(former, &turn)
    }
    queue.go(to: queue.place(of: track) ?? queue.place)
    changes.sought = nil
    // The report came late, when all is silent again: the engine's next one says where it stands.
    // Nor is anything heard of a track that goes on behind its last frame (I11).
    let isOver = position.frame > 0 && stream.tags[position.track]?.frames.map { $0 <= position.frame } ?? false
    let isHeard = commanded.isSounding && !isOver
    if isHeard { playhead.run(from: position.frame, since: instant) } else { stand(at: position.frame) }
    playhead.jump()
    logPlayback(&turn)
    countBeginning(of: position.track, at: position.frame, &turn)
    if !isFirst || !stream.isContinued { logTrack(at: position, &turn) }
    answerDecoder(&turn)
  }

  private func logTrack(at position: Position, _ turn: inout Turn) {
    let known = stream.tags[position.track]
    turn.log(
      .trackStarted, .info,
      [
        "track": number(of: position.track), "file": name(of: position.track), "title": known?.title,
        "artist": known?.artist, "route": routes.route.description, "frame": String(position.frame),
      ])
  }

  private mutating func ended(_ turn: inout Turn) {
    commanded.ended()
    if let fault = stream.storageFault { return storageLost(fault, &turn) }
    if stream.hasBegun { countEnd(at: turn.now, &turn) } else { countLeaving(.failed, &turn) }
    if goOnInNewLibrary(&turn) { return }
    if queue.staysAtChosen { return endedAtChosen(&turn) }
    if stream.hasBegun, let track = queue.track {
      logTrackEnd(track, &turn)
      turn.log(.queueEnded)
    } else {
      turn.log(.queueEnded, .warn, ["reason": EmptyQueueReason.noPlayableTrack.rawValue])
    }
    queue.go(to: .first)
    stopAfterEnd(because: .queueEnded, &turn)
  }

  /// The stream ended where the library of its time did; by now something may follow (X1).
  private mutating func goOnInNewLibrary(_ turn: inout Turn) -> Bool {
    guard stream.isOutdated, let next = queue.following(queue.place), next != queue.place || stream.hasBegun else {
      return false
    }
    if stream.hasBegun, let track = queue.track { logTrackEnd(track, &turn) }
    queue.go(to: next)
    rewindToStart()
    return true
  }

  func logTrackEnd(_ track: Int, _ turn: inout Turn) {
    turn.log(.trackEnded, .info, ["track": number(of: track), "file": name(of: track)])
  }

  /// Nothing is to follow the chosen track, or it cannot be played: it stops there (T3, T8).
  private mutating func endedAtChosen(_ turn: inout Turn) {
    if stream.hasBegun, let track = queue.track { logTrackEnd(track, &turn) }
    stopAfterEnd(because: .trackEnded, &turn)
  }

  mutating func stopAfterEnd(because cause: StopCause, _ turn: inout Turn) {
    playhead.stand(at: 0)
    stream.unload()
    // Pulled out in the very last moment: there is nothing left to ask about.
    resolveLoss(answer: nil, &turn)
    transport.intent = .stopped
    visit.noteEnd(until: endOfGap(from: turn.now))
    logPlayback(after: .stopped(cause), &turn)
  }

  func logFailure(of track: Int, reason: String, frame: Int?, _ turn: inout Turn) {
    // Of what was taken away since, nobody has to be told that it cannot be opened.
    guard library[track] != nil else { return }
    count(.trackFailures, &turn)
    turn.log(
      .trackFailed, .warn,
      [
        "track": number(of: track), "file": name(of: track), "reason": reason, "frame": frame.map(String.init),
      ])
  }

  // MARK: - Output

  private mutating func outputLost(_ reason: String, at position: Position?, _ turn: inout Turn) {
    commanded.outputLost()
    if let position { standIfCurrent(at: position) }
    if let port = routes.setup(of: routes.route.port), port.isWireless, case .line(let line) = port.sense {
      return wirelessLost(port, line: line, reason, &turn)
    }
    if transport.outputLoss == nil {
      count(.outputLosses, &turn)
      turn.log(
        .outputLost, .error, ["reason": reason, "route": routes.route.description, "frame": frame(at: turn.now)])
      turn.log(.interruptionBegan, .info, ["reason": Self.outputUnavailable, "frame": frame(at: turn.now)])
      transport.outputLoss = OutputLoss(hold: Hold(since: turn.now, frame: playhead.frame))
      logPlayback(after: .paused(.output), &turn)
      follow(cues.silence(.outputLost), &turn)
    }
    let retries = transport.outputLoss?.retries ?? 0
    transport.outputLoss?.retryDue = turn.now + BackOff.wait(after: retries)
    transport.outputLoss?.retries += 1
  }

  private static let outputUnavailable = HoldName.outputUnavailable.rawValue

  private mutating func outputRestored(_ turn: inout Turn) {
    guard transport.outputLoss != nil else { return }
    transport.outputLoss = nil
    turn.log(.outputRestored, .info, ["route": routes.route.description])
    turn.log(.interruptionEnded, .info, ["reason": Self.outputUnavailable, "resume": "true"])
    logPlayback(after: .freed(.outputRestored), &turn)
  }

  /// The same port in another shape: the stream is decoded anew for it, from the frame heard last (R12).
  private mutating func outputChanged(rate: Int, bufferFrames: Int, at position: Position?, _ turn: inout Turn) {
    if let position { standIfCurrent(at: position) }
    let route = routes.route
    turn.log(
      .routeChanged, .info,
      [
        "reason": RouteChange.Reason.routeConfigurationChange.rawValue, "from": route.description,
        "to": route.description, "rate": String(rate), "buffer": String(bufferFrames), "frame": frame(at: turn.now),
      ])
    // What the decoder was told since is of no use either: it is silenced before the new stream is loaded.
    stream.renew()
    // The engine has forgotten the cue.
    follow(cues.restart(), &turn)
  }
}
