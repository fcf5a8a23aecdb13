import AudioSession

/// The device of a wireless port has failed while its line said that it was there.
struct PortRetry: Hashable, Sendable {
  /// How often in a row.
  var tries: Int
  /// When it counts as plugged in again; nil: no try is due.
  var due: Instant?
}

/// Ports that are reached by radio (B2). Their device often fails before the line that senses them moves, and sometimes
/// without that line: two headsets share a line, and a change of codec ends the PCM for a moment.
/// Changes: `portRetries`, `transport`, `commanded`.
extension Jukebox {
  /// The device of the wireless port that is the route failed, or could not be opened: the headset is off or out of
  /// range. That is a plug that is out, with all that follows from it, and no output that is lost (I14). While the line
  /// still says that it is there, the port counts as plugged in again after a pause that grows.
  mutating func wirelessLost(_ setup: OutputPort, line: String, _ reason: String, _ turn: inout Turn) {
    let port = setup.port
    turn.log(.outputLost, .warn, ["reason": reason, "route": port.rawValue, "frame": frame(at: turn.now)])
    if setup.isPrivate && transport.doubt == nil && transport.routeLoss == nil {
      let hold = Hold(since: turn.now, frame: playhead.frame(at: turn.now, rate: configuration.rate))
      transport.doubt = Doubt(hold: hold, from: port)
    }
    let tries = portRetries[port]?.tries ?? 0
    portRetries[port] = PortRetry(tries: tries + 1, due: turn.now + BackOff.wait(after: tries))
    // What everybody hears plays on elsewhere (P7), for which the engine, silent by itself, has to be told.
    if !setup.isPrivate { commanded.ended() }
    disconnected(port, LineCause(line: line, edge: turn.now), &turn)
    // While nothing is wanted, there is nothing to hold until the line is steady.
    if transport.doubt?.from == port { transport.doubt = nil }
  }

  mutating func tryAgain(_ port: Port, _ turn: inout Turn) {
    portRetries[port]?.due = nil
    guard case .line(let name) = routes.setup(of: port)?.sense, let debounce = lines.debounce(of: name) else { return }
    // Whether a plug that moves is there, shows when it is steady (R3).
    if isMoving(port) {
      portRetries[port]?.due = turn.now + debounce
      return
    }
    if lines.isAsserted(name) { connected(port, LineCause(line: name, edge: turn.now), &turn) }
  }

  // MARK: - On trial

  /// How long a port has to sound: longer than a link that is silent, or a device that stands still, goes unnoticed.
  private var trialTime: Duration { configuration.settings.bluetoothStall + .seconds(2) }

  /// A plug ends what an unplug holds. A wireless port that is plugged in may fail again before it has sounded; until
  /// then the hold is set aside, with its prompt and the times that run since it began.
  mutating func endLoss(byPlugOf port: Port, _ turn: inout Turn) {
    let setup = routes.setup(of: port)
    guard let loss = transport.routeLoss, loss.prompt != nil, routes.route.port == port, setup?.isWireless == true,
      setup?.isPrivate == true
    else { return resolveLoss(answer: .plug, &turn) }
    transport.trial = PortTrial(port: port, loss: loss)
    transport.routeLoss = nil
  }

  /// Music sounds at the route.
  mutating func noteTrial(_ turn: inout Turn) {
    let due = turn.now + trialTime
    if transport.trial?.port == routes.route.port { transport.trial?.due = due }
  }

  /// The port has sounded for long enough. How often it failed before says nothing any more.
  mutating func passTrial(_ turn: inout Turn) {
    if let port = transport.trial?.port { forgetRetries(of: port) }
    endTrial(answer: .plug, &turn)
  }

  /// Ends what was set aside for a trial: that is passed, or the music is decided otherwise.
  mutating func endTrial(answer: PromptAnswer?, _ turn: inout Turn) {
    guard let trial = transport.trial else { return }
    assert(transport.routeLoss == nil, "what was set aside for a trial holds beside it")
    transport.trial = nil
    transport.routeLoss = trial.loss
    resolveLoss(answer: answer ?? .plug, &turn)
  }

  /// The port has failed before that, at this frame: the same loss goes on. Returns nil if it was not on trial.
  mutating func endTrial(of port: Port, at frame: Int) -> RouteLoss? {
    guard let trial = transport.trial, trial.port == port else { return nil }
    transport.trial = nil
    var loss = trial.loss
    loss.hold.frame = frame
    return loss
  }

  /// The next failure of the port is its first.
  mutating func forgetRetries(of port: Port) { portRetries[port] = nil }
}
