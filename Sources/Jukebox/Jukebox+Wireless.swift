import AudioSession

/// Ports that are reached by radio (B2). Their device often fails before the line that senses them moves, and sometimes
/// without that line: two headsets share a line, and a change of codec ends the PCM for a moment.
/// Changes: `transport`, `portRetries`, `commanded`, `outbox`.
extension Jukebox {
  /// The device of the wireless port that is the route failed, or could not be opened: the headset is off or out of
  /// range. That is a plug that is out, with all that follows from it, and no output that is lost (I14). While the line
  /// still says that it is there, the port counts as plugged in again after a pause that grows.
  mutating func wirelessLost(_ setup: OutputPort, line: String, _ reason: String, at now: Instant) {
    let port = setup.port
    log(.outputLost, .warn, ["reason": reason, "route": port.rawValue, "frame": frame(at: now)])
    if setup.isPrivate && transport.routeLoss == nil {
      let hold = Hold(since: now, frame: playhead.frame(at: now, rate: configuration.rate))
      transport.routeLoss = RouteLoss(hold: hold, from: port, stage: .suspected)
    }
    let tries = portRetries[port, default: 0]
    portRetries[port] = tries + 1
    outbox.append(.setTimer(.portRetry(port), now + BackOff.wait(after: tries)))
    // What everybody hears plays on elsewhere (P7), for which the engine, silent by itself, has to be told.
    if !setup.isPrivate { commanded.ended() }
    disconnected(port, LineCause(line: line, edge: now), at: now)
    // While nothing is wanted, there is nothing to hold until the line is steady.
    if let loss = transport.routeLoss, loss.isSuspected, loss.from == port { transport.routeLoss = nil }
  }

  mutating func tryAgain(_ port: Port, at now: Instant) {
    guard case .line(let name) = routes.setup(of: port)?.sense,
      let line = configuration.lines.first(where: { $0.name == name })
    else { return }
    // Whether a plug that moves is there, shows when it is steady (R3).
    if isMoving(port) { return outbox.append(.setTimer(.portRetry(port), now + line.debounce)) }
    if isAsserted(name) { connected(port, LineCause(line: name, edge: now), at: now) }
  }

  func isAsserted(_ line: String) -> Bool {
    lines.indices.contains { configuration.lines[$0].name == line && lines[$0].debouncer.level }
  }

  /// The line of the port has moved, and what failed before says nothing any more.
  mutating func forgetRetries(of port: Port) {
    if portRetries.removeValue(forKey: port) != nil { outbox.append(.cancelTimer(.portRetry(port))) }
  }
}
