import AudioSession

/// Plugs, routes and what an unplug holds (R and P rows).
extension Jukebox {
  /// The first edge of a release: silence at once if it is the private port we play on (R3).
  mutating func suspectLoss(of port: OutputPort, at edge: Instant) {
    guard port.isPrivate, routes.route.port == port.port, transport.routeLoss == nil else { return }
    let frame = playhead.frame(at: edge, rate: configuration.rate)
    transport.routeLoss = RouteLoss(hold: Hold(since: edge, frame: frame), from: port.port, stage: .suspected)
    silencingEdge = edge
  }

  mutating func connected(_ port: Port, _ cause: LineCause, at now: Instant) {
    log(.portConnected, .info, ["port": port.rawValue, "line": cause.line])
    let change = routes.connect(port)
    apply(change, cause, at: now)
    guard change != nil, routes.route.port == port else {
      if resumesOnPlug(of: port) { resumeAfterPlug(at: now) }
      return
    }
    if resumesOnPlug(of: port) {
      resumeAfterPlug(at: now)
    } else if configuration.settings.onConnect == .play, transport.routeLoss?.stage != .suspected {
      playAfterPlug(at: now)
    }
  }

  /// Any private plug inside the window resumes, but never onto a port that is not private (P3).
  private func resumesOnPlug(of port: Port) -> Bool {
    transport.routeLoss?.stage == .resumable && configuration.settings.onConnect != .nothing
      && routes.setup(of: port)?.isPrivate == true && routes.isPrivate
  }

  private mutating func resumeAfterPlug(at now: Instant) {
    resolveLoss(answer: "plug")
    logResumed(cause: "route-connected", at: now)
  }

  private mutating func playAfterPlug(at now: Instant) {
    guard !queue.isEmpty, transport.intent != .playing || transport.routeLoss != nil else { return }
    resolveLoss(answer: "plug")
    let wasStopped = transport.intent == .stopped
    transport.intent = .playing
    if wasStopped { logStarted(cause: "route-connected") } else { logResumed(cause: "route-connected", at: now) }
  }

  mutating func disconnected(_ port: Port, _ cause: LineCause, at now: Instant) {
    log(.portDisconnected, .info, ["port": port.rawValue, "line": cause.line])
    let wasRoute = routes.route.port == port
    let change = routes.disconnect(port)
    let isLoss = transport.routeLoss?.stage == .suspected && transport.routeLoss?.from == port
    if isLoss && !(wasRoute && transport.intent == .playing) { transport.routeLoss = nil }
    apply(change, cause, at: now)
    if isLoss && transport.routeLoss != nil { confirmLoss(of: port, at: now) }
  }

  /// The plug really is out while music was wanted (P1, Q1).
  private mutating func confirmLoss(of port: Port, at now: Instant) {
    guard let hold = transport.routeLoss?.hold else { return }
    transport.routeLoss?.stage = .resumable
    log(
      .playbackPaused, .info,
      ["cause": "route-lost", "from": port.rawValue, "route": routes.route.description, "frame": String(hold.frame)])
    isPromptShown = true
    log(.promptShown, .notice, ["text": "\(port.rawValue) unplugged: Play goes on here, Stop ends"])
    let settings = configuration.settings
    if settings.resumeWindow > .zero { outbox.append(.setTimer(.resumeWindow, hold.since + settings.resumeWindow)) }
    if settings.promptTimeout > .zero { outbox.append(.setTimer(.promptTimeout, hold.since + settings.promptTimeout)) }
    saveSoon(at: now)
  }

  /// Ends a confirmed loss and its prompt; a suspected one stays until the line has settled.
  mutating func resolveLoss(answer: String?) {
    guard let loss = transport.routeLoss, loss.stage != .suspected else { return }
    transport.routeLoss = nil
    outbox.append(.cancelTimer(.resumeWindow))
    outbox.append(.cancelTimer(.promptTimeout))
    guard isPromptShown else { return }
    isPromptShown = false
    if let answer { log(.promptAnswered, .info, ["answer": answer]) }
  }

  mutating func closeResumeWindow() {
    if transport.routeLoss?.stage == .resumable { transport.routeLoss?.stage = .expired }
  }

  mutating func expirePrompt(at now: Instant) {
    guard isPromptShown else { return }
    log(.promptExpired)
    returnToStart(cause: "prompt-expired", at: now)
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
    saveSoon(at: now)
    let wasAudible = transport.isAudible
    if change.current == .none {
      if transport.unsuited == nil {
        let frame = playhead.frame(at: now, rate: configuration.rate)
        transport.unsuited = Hold(since: now, frame: frame)
      }
      if wasAudible { log(.playbackPaused, .info, ["cause": "route-lost", "frame": frame(at: now)]) }
    } else if transport.unsuited != nil {
      transport.unsuited = nil
      if transport.isAudible { logResumed(cause: "route-connected", at: now) }
    }
  }

  /// Console or configuration forces a route (R8); nil ends it. False when that port is not connected.
  mutating func force(_ port: Port?, at now: Instant) -> Bool {
    if let port, !routes.connected.contains(port) { return false }
    apply(routes.force(port), at: now)
    return true
  }
}
