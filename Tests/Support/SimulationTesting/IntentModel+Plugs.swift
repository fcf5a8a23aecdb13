import AudioSession
import Jukebox

/// How plugs change the intent and its holds.
extension IntentModel {
  /// R3: a private route whose plug moves is doubted until it is steady again; only another private port takes over.
  mutating func update(_ routes: RouteModel, _ lines: LineModel, at now: Instant) {
    let route = routes.best(lines)
    if trial?.port != route { trial = nil }
    func isMoving(_ port: Port?) -> Bool { routes.line(of: port).map { lines[$0].isInDoubt } ?? false }
    if loss != nil {
      doubt = nil
    } else if let doubted = routes.isPrivate(route) && isMoving(route) ? route : nil {
      if doubt?.from != doubted { doubt = Doubt(from: doubted, since: now) }
    } else if !(isMoving(doubt?.from) && !routes.isPrivate(route)) {
      doubt = nil
    }
    if route != nil {
      unsuited = nil
    } else if unsuited == nil {
      unsuited = (now, nil)
    }
  }

  /// P1, R7: `port` is unplugged; `routes` still counts it as connected.
  mutating func disconnect(_ port: Port, _ routes: RouteModel, at now: Instant) {
    settleSkip()
    let isTrial = trial?.port == port
    // While it is closed nobody is there to be asked.
    if intent == .playing && loss == nil && !isClosed {
      if let trial, isTrial {
        loss = trial.loss
      } else if let doubt, doubt.from == port {
        loss = Loss(from: port, since: doubt.since)
      } else if doubt == nil, let unsuited, unsuited.from == port, routes.isPrivate(port) {
        loss = Loss(from: port, since: unsuited.since)
      }
    }
    if isTrial { trial = nil }
    if loss != nil { doubt = nil }
    isRecording = false
  }

  /// P3, P4, P6: `port` is plugged in, and the route is `route` from now on.
  /// - Parameter isRefused: a plug starts nothing, because it is closed (H1.3).
  mutating func connect(
    _ port: Port, _ routes: RouteModel, routeWas former: Port?, is route: Port?, isRefused: Bool, at now: Instant
  ) {
    settleSkip()
    isRecording = false
    if let loss, canResume(loss, at: now), settings.onConnect != .nothing, routes.isPrivate(port),
      routes.isPrivate(route)
    {
      endLoss(byPlugOf: port, routes, isRoute: route == port, at: now)
    } else if route == port && former != port && settings.onConnect == .play && !isRefused {
      endLoss(byPlugOf: port, routes, isRoute: true, at: now)
      intent = .playing
    }
    if loss?.from == port || routes.isPrivate(port) && routes.isPrivate(route) { loss?.isPromptShown = false }
  }

  /// B2: a wireless port may fail again before it has sounded, and then nothing has ended.
  private mutating func endLoss(byPlugOf port: Port, _ routes: RouteModel, isRoute: Bool, at now: Instant) {
    if let loss, loss.isPromptShown, isRoute, routes.isWireless(port), routes.isPrivate(port) {
      trial = Trial(port: port, since: now, loss: loss)
    }
    loss = nil
  }

  private func canResume(_ loss: Loss, at now: Instant) -> Bool {
    settings.resumeWindow == .zero || now < loss.since + settings.resumeWindow
  }

  /// Q4: a prompt that is not answered goes away.
  func isPromptOverdue(at now: Instant) -> Bool {
    guard let loss, loss.isPromptShown, settings.promptTimeout > .zero else { return false }
    return now > loss.since + settings.promptTimeout
  }
}
