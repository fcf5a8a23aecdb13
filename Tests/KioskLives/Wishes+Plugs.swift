import AudioSession
import Jukebox

/// What plugs do to what is wanted.
extension Wishes {
  /// R3: a private route whose plug moves is doubted until it is steady again; only another private port takes over.
  mutating func weigh(_ routes: Routes, _ contacts: Contacts, at now: Instant) {
    let route = routes.best(contacts)
    func isMoving(_ port: Port?) -> Bool { routes.line(of: port).map { contacts[$0].isInDoubt } ?? false }
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

  /// P1, R7: `port` is out; `routes` still has it.
  mutating func disconnected(_ port: Port, _ routes: Routes, at now: Instant) {
    settleSkip()
    if wanted == .playing && loss == nil {
      if let doubt, doubt.from == port {
        loss = Loss(from: port, since: doubt.since)
      } else if doubt == nil, let unsuited, unsuited.from == port, routes.isPrivate(port) {
        loss = Loss(from: port, since: unsuited.since)
      }
    }
    if loss != nil { doubt = nil }
    isRecording = false
  }

  /// P3, P4, P6: `port` is in, and `route` is the route since.
  mutating func connected(_ port: Port, _ routes: Routes, routeWas former: Port?, is route: Port?, at now: Instant) {
    settleSkip()
    isRecording = false
    if let loss, isOpen(loss, at: now), settings.onConnect != .nothing, routes.isPrivate(port), routes.isPrivate(route)
    {
      self.loss = nil
    } else if route == port && former != port && settings.onConnect == .play {
      loss = nil
      wanted = .playing
    }
    if loss?.from == port || routes.isPrivate(port) && routes.isPrivate(route) { loss?.isAsked = false }
  }

  private func isOpen(_ loss: Loss, at now: Instant) -> Bool {
    settings.resumeWindow == .zero || now < loss.since + settings.resumeWindow
  }

  /// Q4: a prompt that nobody answers goes away.
  func isPromptOverdue(at now: Instant) -> Bool {
    guard let loss, loss.isAsked, settings.promptTimeout > .zero else { return false }
    return now > loss.since + settings.promptTimeout
  }
}
