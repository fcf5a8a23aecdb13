import AudioSession

/// The device of a wireless port has failed while its line said that it was there.
struct PortRetry: Hashable, Sendable {
  /// How often in a row.
  var tries: Int
  /// When it counts as plugged in again; nil: no try is due.
  var due: Instant?
  /// When music began to sound there at the last try; nil: none has, or it fell silent before the port had passed.
  var heardSince: Instant?
}

/// Ports that are reached by radio (B2). Their device often fails before the line that senses them moves, and sometimes
/// without that line: two headsets share a line, and a change of codec ends the PCM for a moment.
extension Jukebox {
  /// The device of the wireless port that is the route failed, or could not be opened: the headset is off or out of
  /// range. That is a plug that is out, with all that follows from it, and no output that is lost (I14). While the line
  /// still says that it is there, the port counts as plugged in again after a pause that grows.
  mutating func wirelessLost(_ setup: OutputPort, line: String, _ reason: String, _ turn: inout Turn) {
    let port = setup.port
    turn.log(.outputLost, .warn, ["reason": reason, "route": port.rawValue, "frame": frame(at: turn.now)])
    if setup.isPrivate { player.doubtFailed(port, at: turn.now) }
    let former = portRetries[port]
    let hasPassed = former?.heardSince.map { turn.now - $0 >= trialTime } ?? false
    let tries = hasPassed ? 0 : former?.tries ?? 0
    portRetries[port] = PortRetry(tries: tries + 1, due: turn.now + BackOff.wait(after: tries))
    // Music that everybody hears plays on elsewhere (P7), for which the engine, silent by itself, has to be told.
    if !setup.isPrivate { player.fellSilent() }
    disconnected(port, LineCause(line: line, edge: turn.now), &turn)
    // While nothing is wanted, there is nothing to hold until the line is steady.
    player.endDoubt(of: port)
  }

  mutating func tryAgain(_ port: Port, _ turn: inout Turn) {
    portRetries[port]?.due = nil
    guard case .line(let name) = routes.setup(of: port)?.sense, let debounce = lines.debounce(of: name) else { return }
    // Whether a plug that moves is there, shows when it is steady (R3).
    if lines.isMoving(routes.setup(of: port)) {
      portRetries[port]?.due = turn.now + debounce
      return
    }
    // A plug would end the recording (C3) and what invites (J6), and nobody has plugged anything in.
    if recording.phase != .idle || player.isAttracting {
      portRetries[port]?.due = turn.now + BackOff.wait(after: 0)
      return
    }
    if lines.isAsserted(name) { connected(port, LineCause(line: name, edge: turn.now), isTry: true, &turn) }
  }

  // MARK: - On trial

  /// How long a port has to sound: longer than a link that is silent, or a device that stands still, goes unnoticed.
  private var trialTime: Duration { configuration.settings.bluetoothStall + .seconds(2) }

  /// The port that a plug brings the music to, where that has to sound before what an unplug holds is over.
  func trial(byPlugOf port: Port) -> Port? {
    let setup = routes.setup(of: port)
    return routes.route.port == port && setup?.isWireless == true && setup?.isPrivate == true ? port : nil
  }

  /// Music sounds at the route.
  mutating func noteTrial(at now: Instant) {
    guard let port = routes.route.port else { return }
    player.noteTrial(at: port, until: now + trialTime)
    if portRetries[port]?.heardSince == nil { portRetries[port]?.heardSince = now }
  }

  /// After every input: what is silent, as during a page, passes no trial.
  mutating func settleTrial(at now: Instant) {
    if player.engine.isSounding { return }
    player.awaitTrial()
    guard let port = routes.route.port, let since = portRetries[port]?.heardSince else { return }
    if now - since < trialTime { portRetries[port]?.heardSince = nil }
  }

  /// The port has sounded for long enough. How often it failed before no longer matters.
  mutating func passTrial(_ turn: inout Turn) {
    if let port = player.transport.trial?.port { forgetRetries(of: port) }
    withPlayer(&turn) { $0.endTrial(answer: .plug, &$1) }
  }

  /// The next failure of the port is its first.
  mutating func forgetRetries(of port: Port) { portRetries[port] = nil }
}
