import AudioSession

/// Plugs, routes and what an unplug holds (R and P rows).
/// Changes: `lines`, `readers`, `routes`, `transport`, `changes`, `playhead`, `sessions`, `cues`, `recording`,
/// `playbackLog`, `commanded`.
extension Jukebox {
  /// A private route whose plug is moving is in doubt, from the first edge on until its line is steady again: nothing
  /// sounds meanwhile, here or elsewhere (R3). Only another private port may take over in between.
  mutating func settleDoubt(at instant: Instant) {
    if transport.routeLoss != nil { return }
    let doubted = routes.isPrivate && isMoving(routes.route.port) ? routes.route.port : nil
    if let doubt = transport.doubt {
      if doubt.from == doubted || isMoving(doubt.from) && !routes.isPrivate { return }
    }
    transport.doubt = doubted.map {
      let frame = playhead.frame(at: instant, rate: configuration.rate)
      return Doubt(hold: Hold(since: instant, frame: frame), from: $0)
    }
  }

  /// A plug that is not that of the route is on its way out. Its port may still sound, until the device of the route is
  /// open (B1).
  mutating func vacate(_ line: String, _ turn: inout Turn) {
    guard let port = routes.port(sensedBy: line)?.port, port != routes.route.port,
      let command = commanded.vacate(port)
    else { return }
    turn.append(.audio(command))
  }

  func isMoving(_ port: Port?) -> Bool {
    guard case .line(let name) = routes.setup(of: port)?.sense else { return false }
    return lines.isInDoubt(name)
  }

  mutating func connected(_ port: Port, _ cause: LineCause, _ turn: inout Turn) {
    if routes.connected.contains(port) { return }
    visited(byPlugOf: port, edge: cause.edge, &turn)
    turn.log(.portConnected, .info, ["port": port.rawValue, "line": cause.line])
    follow(recording.stop(.routeChange), &turn)
    let change = routes.connect(port)
    apply(change, by: cause, &turn)
    if resumesOnPlug(of: port) {
      resumeAfterPlug(of: port, &turn)
    } else if change != nil && routes.route.port == port && configuration.settings.onConnect == .play {
      playAfterPlug(of: port, &turn)
    }
    if isPluggedAgain(port) { dismissPrompt(answer: .plug, &turn) }
  }

  /// Any private plug inside the window resumes, but never onto a port that is not private (P3).
  func resumesOnPlug(of port: Port) -> Bool {
    var plugged = routes
    _ = plugged.connect(port)
    return transport.routeLoss?.isResumable == true && configuration.settings.onConnect != .nothing
      && routes.setup(of: port)?.isPrivate == true && plugged.isPrivate
  }

  /// Whether the plug makes the prompt untrue; it may bring the music back or not (Q4).
  private func isPluggedAgain(_ port: Port) -> Bool {
    transport.routeLoss?.from == port || routes.setup(of: port)?.isPrivate == true && routes.isPrivate
  }

  private mutating func resumeAfterPlug(of port: Port, _ turn: inout Turn) {
    endLoss(byPlugOf: port, &turn)
    logPlayback(after: .freed(.routeConnected), &turn)
  }

  private mutating func playAfterPlug(of port: Port, _ turn: inout Turn) {
    guard findMusic(&turn), transport.intent != .playing || transport.doubt != nil || transport.routeLoss != nil
    else { return }
    endLoss(byPlugOf: port, &turn)
    playbackLog.note(.asked(.routeConnected, isStart: transport.intent == .stopped))
    transport.intent = .playing
    claimSession(&turn)
    logPlayback(&turn)
  }

  mutating func disconnected(_ port: Port, _ cause: LineCause, _ turn: inout Turn) {
    // The device of a wireless port may have failed before its line was released.
    guard routes.connected.contains(port) else { return }
    turn.log(.portDisconnected, .info, ["port": port.rawValue, "line": cause.line])
    let change = routes.disconnect(port)
    left(port, edge: cause.edge)
    var loss = transport.intent == .playing ? confirmedLoss(of: port) : nil
    let former = loss.flatMap { endTrial(of: port, at: $0.hold.frame) }
    loss = former ?? loss
    let wasDoubted = transport.doubt?.from == port
    let wasHome =
      change?.previous.port == port || wasDoubted || transport.routeLoss?.from == port
      || transport.unsuited?.from == port
    if wasHome && routes.setup(of: port)?.isPrivate == true {
      overtakeContacts()
      changes.kept?.choice = nil
    }
    if let loss { (transport.doubt, transport.routeLoss) = (nil, loss) }
    // It may have been heard there, or meant for it, before the category or the operator took the route elsewhere.
    if change != nil || wasDoubted || cues.speech.port == port {
      follow(cues.silence(.routeLost), &turn)
    }
    follow(recording.stop(.routeChange), &turn)
    apply(change, by: cause, &turn)
    if let former {
      logPlayback(after: .paused(.unplugged(former)), &turn)
    } else if let loss {
      announce(loss, &turn)
    }
  }

  /// The loss of the private port that music was wanted on (P1), or that a change of category left before it could
  /// be lost; nil for any other port.
  private func confirmedLoss(of port: Port) -> RouteLoss? {
    if transport.routeLoss != nil { return nil }
    if let doubt = transport.doubt { return doubt.from == port ? RouteLoss(hold: doubt.hold, from: port) : nil }
    guard let unsuited = transport.unsuited, unsuited.from == port, routes.setup(of: port)?.isPrivate == true else {
      return nil
    }
    return RouteLoss(hold: unsuited.hold, from: port)
  }

  /// The plug really is out while music was wanted (P1, Q1).
  private mutating func announce(_ loss: RouteLoss, _ turn: inout Turn) {
    logPlayback(after: .paused(.unplugged(loss)), &turn)
    transport.routeLoss?.prompt = .shown
    let play = routes.route.port == nil ? "plug it in to go on" : "Play goes on here"
    turn.log(.promptShown, .notice, ["text": "\(loss.from.rawValue) unplugged: \(play), Stop ends"])
  }

  /// Ends a loss and its prompt; a doubt stays until the line has settled.
  mutating func resolveLoss(answer: PromptAnswer?, _ turn: inout Turn) {
    endTrial(answer: answer, &turn)
    dismissPrompt(answer: answer, &turn)
    transport.routeLoss = nil
  }

  /// Another place is no start of what is silent, but the operator has decided: no plug resumes after it (P5). While the
  /// plug may be on its way out, only the place moves, and a loss is a loss all the same (R3).
  mutating func pauseLoss(answer: PromptAnswer, _ turn: inout Turn) {
    guard transport.routeLoss != nil else { return }
    transport.intent = .paused
    resolveLoss(answer: answer, &turn)
  }

  private mutating func dismissPrompt(answer: PromptAnswer?, _ turn: inout Turn) {
    guard transport.isPromptShown else { return }
    transport.routeLoss?.prompt = nil
    if let answer { turn.log(.promptAnswered, .info, ["answer": answer.rawValue]) }
  }

  mutating func closeResumeWindow() {
    transport.routeLoss?.isResumable = false
    transport.trial?.loss.isResumable = false
  }

  /// Nobody has answered (Q4). Who waits for the end of a page cannot (V4).
  mutating func expirePrompt(_ turn: inout Turn) {
    transport.trial?.loss.prompt = .overdue
    guard transport.isPromptShown else { return }
    if isOccupied {
      transport.routeLoss?.prompt = .overdue
      return
    }
    turn.log(.promptExpired)
    endVisit(because: .promptExpired, &turn)
  }

  /// Logs a change of route and holds or frees what depends on there being one (R9).
  mutating func apply(_ change: RouteChange?, by cause: LineCause? = nil, _ turn: inout Turn) {
    guard let change else { return }
    turn.log(
      .routeChanged, .info,
      [
        "reason": change.reason.rawValue, "from": change.previous.description, "to": change.current.description,
        "line": cause?.line, "edge": cause?.edge.logStamp, "frame": frame(at: turn.now),
      ])
    settleDoubt(at: turn.now)
    // Heard elsewhere, the music needs the port no more.
    if let trial = transport.trial, change.current.port != trial.port { endTrial(answer: .plug, &turn) }
    if change.current != change.previous { lines.stopVolumeRepeats() }
    if change.current == .none {
      if transport.unsuited == nil {
        let frame = playhead.frame(at: turn.now, rate: configuration.rate)
        transport.unsuited = Unsuited(hold: Hold(since: turn.now, frame: frame), from: change.previous.port)
      }
      // An unplug has a line of its own, which names the port.
      if transport.playback == .held { logPlayback(after: .paused(.noRoute), &turn) }
    } else if transport.unsuited != nil {
      transport.unsuited = nil
      // Another category may bring other interruptions with it.
      if transport.intent == .playing && change.reason != .categoryChange {
        logPlayback(after: .freed(.routeConnected), &turn)
      }
    }
  }

  /// The operator forces a connected port (R8); nil ends that.
  mutating func force(_ port: Port?, _ turn: inout Turn) {
    apply(routes.force(port), &turn)
    // Asked for while the category has no route: this is where the music is meant to be.
    if let port, transport.unsuited != nil { transport.unsuited?.from = port }
  }

  /// The music's category is another: formally a route change, never one of what is wanted (R10).
  mutating func change(to category: SessionCategory, _ turn: inout Turn) {
    let wasUnsuited = transport.unsuited != nil
    apply(routes.change(to: category), &turn)
    follow(sessions.change(to: category), &turn)
    serveRefusedContacts(&turn)
    if wasUnsuited && transport.unsuited == nil && transport.intent == .playing {
      logPlayback(after: .freed(.routeConnected), &turn)
    }
  }

  /// The system slept (R11).
  mutating func woke(asserted: Set<LineID>, slept: Duration, _ turn: inout Turn) {
    playhead.skip(slept)
    apply(RouteChange(reason: .wakeFromSleep, previous: routes.route, current: routes.route), &turn)
    lines.wakeButtons(asserted: asserted, at: turn.now)
    readers.wake(slept: slept)
    for line in lines.indices.map(LineID.init) {
      follow(lines.wake(line, asserted: asserted.contains(line), at: turn.now), &turn)
    }
  }
}
