import AudioSession

/// What the engine reports (P10, P11), and the output that comes and goes.
extension Jukebox {
  mutating func heard(_ report: AudioReport, _ turn: inout Turn) {
    switch report {
    case .playback(let report): heard(report, &turn)
    case .opened(let id, let track, let found): withPlayer(&turn) { $0.opened(id, track, found, &$1) }
    case .measured(let id, let track, let frames): player.measured(id, track, frames)
    case .failed(let id, let track, let reason, let isMissing):
      withPlayer(&turn) { $0.failed(id, track, reason, isMissing: isMissing, &$1) }
    case .brokeOff(let id, let position, let reason): withPlayer(&turn) { $0.brokeOff(id, position, reason, &$1) }
    case .storageFailed(let id, let position, let reason):
      withPlayer(&turn) { $0.storageFailed(id, StorageFault(position: position, reason: reason), &$1) }
    case .outputLost(let reason, let position): outputLost(reason, at: position, &turn)
    case .leftOutputLost(let port, let reason, let position):
      turn.log(.outputLost, .warn, ["reason": reason, "route": port.rawValue])
      player.outputLost(at: position)
      // What is wanted goes on at the route, for which the engine, silent by itself, has to be told.
      player.fellSilent()
    case .otherOutputLost(let port, let reason):
      turn.log(.outputLost, .warn, ["reason": reason, "route": port.rawValue])
    case .otherOutputRestored(let port): turn.log(.outputRestored, .info, ["route": port.rawValue])
    case .cueFailed(let id, let reason): follow(cues.failed(id, reason: reason), &turn)
    }
  }

  private mutating func heard(_ report: PlaybackReport, _ turn: inout Turn) {
    switch report {
    case .started(let id, let position, let at):
      var isHeard = false
      withPlayer(&turn) { isHeard = $0.started(id, position, at: at, &$1) }
      if isHeard { noteTrial(at: turn.now) }
    case .silenced(let id, let position): player.silenced(id, position)
    case .began(let id, let position, let at): withPlayer(&turn) { $0.began(id, position, at: at, &$1) }
    case .ended(let id): withPlayer(&turn) { $0.ended(id, &$1) }
    case .underrun(let position):
      health.noteUnderrun()
      count(.underruns, &turn)
      // Nothing is heard until it is reported as started again, which may be long if the decoder has no frames.
      if let position { player.standIfCurrent(at: position) }
      turn.log(.outputUnderrun, .warn, ["frame": frame(at: turn.now)])
    case .queueGrown(let queued): turn.log(.outputDeepened, .warn, ["queued": queued.logSeconds])
    case .outputRestored: outputRestored(&turn)
    case .outputChanged(let rate, let buffer, let position):
      outputChanged(rate: rate, bufferFrames: buffer, at: position, &turn)
    case .cueStarted(let id, let at): follow(cues.started(id, at: at), &turn)
    case .cueEnded(let id): follow(cues.ended(id), &turn)
    }
  }

  // MARK: - Output

  private mutating func outputLost(_ reason: String, at position: Position?, _ turn: inout Turn) {
    player.outputLost(at: position)
    if let port = routes.setup(of: routes.route.port), port.isWireless, case .line(let line) = port.sense {
      return wirelessLost(port, line: line, reason, &turn)
    }
    if player.loseOutput(at: turn.now) {
      count(.outputLosses, &turn)
      turn.log(
        .outputLost, .error, ["reason": reason, "route": routes.route.description, "frame": frame(at: turn.now)])
      turn.log(.interruptionBegan, .info, ["reason": Self.outputUnavailable, "frame": frame(at: turn.now)])
      withPlayer(&turn) { $0.compare(after: .paused(.output), &$1) }
      follow(cues.silence(.outputLost), &turn)
    }
    player.planOutputRetry(at: turn.now)
  }

  private static let outputUnavailable = HoldName.outputUnavailable.rawValue

  private mutating func outputRestored(_ turn: inout Turn) {
    guard player.restoreOutput(at: turn.now) else { return }
    turn.log(.outputRestored, .info, ["route": routes.route.description])
    turn.log(.interruptionEnded, .info, ["reason": Self.outputUnavailable, "resume": "true"])
    withPlayer(&turn) { $0.compare(after: .freed(.outputRestored), &$1) }
  }

  /// The same port in another shape: the stream is decoded again for it, from the frame heard last (R12).
  private mutating func outputChanged(rate: Int, bufferFrames: Int, at position: Position?, _ turn: inout Turn) {
    player.outputChanged(at: position)
    let route = routes.route
    turn.log(
      .routeChanged, .info,
      [
        "reason": RouteChange.Reason.routeConfigurationChange.rawValue, "from": route.description,
        "to": route.description, "rate": String(rate), "buffer": String(bufferFrames), "frame": frame(at: turn.now),
      ])
    // The engine has forgotten the cue.
    follow(cues.restart(), &turn)
  }
}
