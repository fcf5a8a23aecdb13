import AudioSession

/// Plugs, routes and what an unplug holds (R and P rows).
/// Changes: `lines`, `readers`, `routes`, `transport`, `changes`, `playhead`, `playbackLog`, `commanded`, `outbox`.
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
  mutating func vacate(_ line: String) {
    guard let port = routes.port(sensedBy: line)?.port, port != routes.route.port,
      let command = commanded.vacate(port)
    else { return }
    outbox.append(.audio(command))
  }

  func isMoving(_ port: Port?) -> Bool {
    guard case .line(let name) = routes.setup(of: port)?.sense else { return false }
    return lines.isInDoubt(name)
  }

  mutating func connected(_ port: Port, _ cause: LineCause, at now: Instant) {
    if routes.connected.contains(port) { return }
    visited(byPlugOf: port, edge: cause.edge, at: now)
    log(.portConnected, .info, ["port": port.rawValue, "line": cause.line])
    stopRecording(.routeChange)
    let change = routes.connect(port)
    apply(change, cause, at: now)
    if resumesOnPlug(of: port) {
      resumeAfterPlug(of: port, at: now)
    } else if change != nil && routes.route.port == port && configuration.settings.onConnect == .play {
      playAfterPlug(of: port, at: now)
    }
    if isPluggedAgain(port) { dismissPrompt(answer: .plug) }
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

  private mutating func resumeAfterPlug(of port: Port, at now: Instant) {
    endLoss(byPlugOf: port)
    logPlayback(.freed(.routeConnected), at: now)
  }

  private mutating func playAfterPlug(of port: Port, at now: Instant) {
    guard !queue.isEmpty, transport.intent != .playing || transport.doubt != nil || transport.routeLoss != nil
    else { return }
    endLoss(byPlugOf: port)
    playbackLog.note(.asked(.routeConnected, isStart: transport.intent == .stopped))
    transport.intent = .playing
    claimSession(at: now)
    logPlayback(at: now)
  }

  mutating func disconnected(_ port: Port, _ cause: LineCause, at now: Instant) {
    // The device of a wireless port may have failed before its line was released.
    guard routes.connected.contains(port) else { return }
    log(.portDisconnected, .info, ["port": port.rawValue, "line": cause.line])
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
    if change != nil || wasDoubted || speech.port == port { silenceCues(.routeLost) }
    stopRecording(.routeChange)
    apply(change, cause, at: now)
    if let former {
      logPlayback(.paused(.unplugged(former)), at: now)
    } else if let loss {
      announce(loss, at: now)
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
  private mutating func announce(_ loss: RouteLoss, at now: Instant) {
    logPlayback(.paused(.unplugged(loss)), at: now)
    transport.routeLoss?.prompt = .shown
    let play = routes.route.port == nil ? "plug it in to go on" : "Play goes on here"
    log(.promptShown, .notice, ["text": "\(loss.from.rawValue) unplugged: \(play), Stop ends"])
  }

  /// Ends a loss and its prompt; a doubt stays until the line has settled.
  mutating func resolveLoss(answer: PromptAnswer?) {
    endTrial(answer: answer)
    dismissPrompt(answer: answer)
    transport.routeLoss = nil
  }

  /// Another place is no start of what is silent, but the operator has decided: no plug resumes after it (P5). While the
  /// plug may be on its way out, only the place moves, and a loss is a loss all the same (R3).
  mutating func pauseLoss(answer: PromptAnswer) {
    guard transport.routeLoss != nil else { return }
    transport.intent = .paused
    resolveLoss(answer: answer)
  }

  private mutating func dismissPrompt(answer: PromptAnswer?) {
    guard transport.isPromptShown else { return }
    transport.routeLoss?.prompt = nil
    if let answer { log(.promptAnswered, .info, ["answer": answer.rawValue]) }
  }

  mutating func closeResumeWindow() {
    transport.routeLoss?.isResumable = false
    transport.trial?.loss.isResumable = false
  }

  /// Nobody has answered (Q4). Who waits for the end of a page cannot (V4).
  mutating func expirePrompt(at now: Instant) {
    transport.trial?.loss.prompt = .overdue
    guard transport.isPromptShown else { return }
    if isOccupied {
      transport.routeLoss?.prompt = .overdue
      return
    }
    log(.promptExpired)
    endVisit(because: .promptExpired, at: now)
  }

  /// Logs a change of route and holds or frees what depends on there being one (R9).
  mutating func apply(_ change: RouteChange?, _ cause: LineCause? = nil, at now: Instant) {
    guard let change else { return }
    log(
      .routeChanged, .info,
      [
        "reason": change.reason.rawValue, "from": change.previous.description, "to": change.current.description,
        "line": cause?.line, "edge": cause?.edge.logStamp, "frame": frame(at: now),
      ])
    settleDoubt(at: now)
    // Heard elsewhere, the music needs the port no more.
    if let trial = transport.trial, change.current.port != trial.port { endTrial(answer: .plug) }
    if change.current != change.previous { lines.stopVolumeRepeats() }
    if change.current == .none {
      if transport.unsuited == nil {
        let frame = playhead.frame(at: now, rate: configuration.rate)
        transport.unsuited = Unsuited(hold: Hold(since: now, frame: frame), from: change.previous.port)
      }
      // An unplug has a line of its own, which names the port.
      if transport.playback == .held { logPlayback(.paused(.noRoute), at: now) }
    } else if transport.unsuited != nil {
      transport.unsuited = nil
      // Another category may bring other interruptions with it.
      if transport.intent == .playing && change.reason != .categoryChange {
        logPlayback(.freed(.routeConnected), at: now)
      }
    }
  }

  /// The operator forces a connected port (R8); nil ends that.
  mutating func force(_ port: Port?, at now: Instant) {
    apply(routes.force(port), at: now)
    // Asked for while the category has no route: this is where the music is meant to be.
    if let port, transport.unsuited != nil { transport.unsuited?.from = port }
  }

  /// The music's category is another: formally a route change, never one of what is wanted (R10).
  mutating func change(to category: SessionCategory, at now: Instant) {
    let wasUnsuited = transport.unsuited != nil
    apply(routes.change(to: category), at: now)
    settleCategory(at: now)
    if wasUnsuited && transport.unsuited == nil && transport.intent == .playing {
      logPlayback(.freed(.routeConnected), at: now)
    }
  }

  /// The system slept (R11).
  mutating func woke(asserted: Set<LineID>, slept: Duration, at now: Instant) {
    playhead.skip(slept)
    apply(RouteChange(reason: .wakeFromSleep, previous: routes.route, current: routes.route), at: now)
    lines.wakeButtons(asserted: asserted, at: now)
    readers.wake(slept: slept)
    for line in lines.indices.map(LineID.init) {
      follow(lines.wake(line, asserted: asserted.contains(line), at: now), at: now)
    }
  }
}
