import AudioSession

/// Plugs, routes and what an unplug holds (R and P rows).
extension Jukebox {
  /// A private route whose plug is moving is in doubt, from the first edge on until its line is steady again: nothing
  /// sounds meanwhile, here or elsewhere (R3). Only another private port may take over in between.
  mutating func settleDoubt(at instant: Instant) {
    let doubted = routes.isPrivate && lines.isMoving(routes.setup(of: routes.route.port)) ? routes.route.port : nil
    let isFormerMoving = lines.isMoving(routes.setup(of: player.transport.doubt?.from)) && !routes.isPrivate
    player.doubt(doubted, isFormerMoving: isFormerMoving, at: instant)
  }

  /// A plug that is not that of the route is on its way out. Its port may still sound, until the device of the route is
  /// open (B1).
  mutating func vacate(_ line: String, _ turn: inout Turn) {
    guard let port = routes.port(sensedBy: line)?.port, port != routes.route.port,
      let command = commanded.vacate(port)
    else { return }
    turn.append(.audio(command))
  }

  /// - Parameter isTry: nobody has plugged anything in, and the firmware tries a wireless port again (B2.1).
  mutating func connected(_ port: Port, _ cause: LineCause, isTry: Bool = false, _ turn: inout Turn) {
    if routes.connected.contains(port) { return }
    let isPrivate = routes.setup(of: port)?.isPrivate == true
    if isPrivate { withPlayer(&turn) { $0.cutAttraction(&$1) } }
    if !isTry {
      visited(byPlugOf: port, edge: cause.edge, &turn)
    } else if isPrivate, visit.isUnderWay {
      visit.stay()
    }
    turn.log(.portConnected, .info, ["port": port.rawValue, "line": cause.line])
    follow(recording.stop(.routeChange), &turn)
    let change = routes.connect(port)
    apply(change, by: cause, &turn)
    if resumesOnPlug(of: port) {
      withPlayer(&turn) { [trial = trial(byPlugOf: port)] in $0.resumeAfterPlug(trial, &$1) }
    } else if !isTry, change != nil, routes.route.port == port, configuration.settings.onConnect == .play,
      !hours.refuses
    {
      withPlayer(&turn) { [trial = trial(byPlugOf: port), selection] in
        $0.playAfterPlug(trial, selected: selection, &$1)
      }
    }
    if !isTry, isPluggedAgain(port) { withPlayer(&turn) { $0.dismissPrompt(answer: .plug, &$1) } }
  }

  /// Any private plug inside the window resumes, but never onto a port that is not private (P3), nor at closing (H1.3).
  func resumesOnPlug(of port: Port) -> Bool {
    var plugged = routes
    _ = plugged.connect(port)
    return player.transport.routeLoss?.isResumable == true && configuration.settings.onConnect != .nothing
      && !hours.refuses && routes.setup(of: port)?.isPrivate == true && plugged.isPrivate
  }

  /// Whether the plug makes the prompt untrue; it may bring the music back or not (Q4).
  private func isPluggedAgain(_ port: Port) -> Bool {
    player.transport.routeLoss?.from == port || routes.setup(of: port)?.isPrivate == true && routes.isPrivate
  }

  mutating func disconnected(_ port: Port, _ cause: LineCause, _ turn: inout Turn) {
    // The device of a wireless port may have failed before its line was released.
    guard routes.connected.contains(port) else { return }
    turn.log(.portDisconnected, .info, ["port": port.rawValue, "line": cause.line])
    let change = routes.disconnect(port)
    left(port, edge: cause.edge)
    let isPrivate = routes.setup(of: port)?.isPrivate == true
    let transport = player.transport
    let wasDoubted = transport.doubt?.from == port
    let wasHome =
      change?.previous.port == port || wasDoubted || transport.routeLoss?.from == port
      || transport.unsuited?.from == port
    if wasHome && isPrivate {
      overtakeContacts(at: turn.now)
      player.forgetChoice()
    }
    let lost = player.lose(port, isPrivate: isPrivate)
    // It may have been heard there, or meant for it, before the category or the operator took the route elsewhere.
    if change != nil || wasDoubted || cues.speech.port == port {
      follow(cues.silence(.routeLost), &turn)
    }
    follow(recording.stop(.routeChange), &turn)
    apply(change, by: cause, &turn)
    if let lost { withPlayer(&turn) { $0.announce(lost.loss, isFormer: lost.isFormer, &$1) } }
  }

  /// Nobody has answered (Q4). Who waits for the end of a page cannot (V4).
  mutating func expirePrompt(_ turn: inout Turn) {
    guard player.expirePrompt(isOccupied: isOccupied) else { return }
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
    // Music that is heard elsewhere no longer needs the port.
    if let trial = player.transport.trial, change.current.port != trial.port {
      withPlayer(&turn) { $0.endTrial(answer: .plug, &$1) }
    }
    if change.current != change.previous {
      lines.stopVolumeRepeats()
      knobs.overtake(.routeChanged, at: turn.now)
    }
    if change.current == .none {
      withPlayer(&turn) { $0.leaveRoute(change.previous.port, &$1) }
    } else {
      // Another category may bring other interruptions with it.
      withPlayer(&turn) { $0.findRoute(isLogged: change.reason != .categoryChange, &$1) }
    }
  }

  /// The operator forces a connected port (R8); nil ends that.
  mutating func force(_ port: Port?, _ turn: inout Turn) {
    apply(routes.force(port), &turn)
    // Asked for while the category has no route: this is where the music is meant to be.
    if let port { player.expectRoute(port) }
  }

  /// The music's category is another: formally a route change, never one of what is wanted (R10).
  mutating func change(to category: SessionCategory, _ turn: inout Turn) {
    let wasUnsuited = player.transport.unsuited != nil
    apply(routes.change(to: category), &turn)
    follow(sessions.change(to: category), &turn)
    serveRefusedContacts(&turn)
    if wasUnsuited && player.transport.unsuited == nil { withPlayer(&turn) { $0.compareFreed(.routeConnected, &$1) } }
  }

  /// The system slept (R11).
  mutating func woke(asserted: Set<LineID>, slept: Duration, _ turn: inout Turn) {
    player.sleep(for: slept)
    quiet.wake(at: turn.now)
    apply(RouteChange(reason: .wakeFromSleep, previous: routes.route, current: routes.route), &turn)
    lines.wakeButtons(asserted: asserted, at: turn.now)
    readers.wake(slept: slept)
    laidCards.wake(slept: slept, at: turn.now)
    contacts.wake(slept: slept)
    follow(knobs.endTurns(), &turn)
    accounts.wake(slept: slept)
    coins.wake(asserted: asserted, slept: slept, at: turn.now)
    for line in lines.indices.map(LineID.init) where !coins.has(line) {
      follow(lines.wake(line, asserted: asserted.contains(line), at: turn.now), &turn)
    }
  }
}
