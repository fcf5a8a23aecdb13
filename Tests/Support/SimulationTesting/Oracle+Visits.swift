import AudioSession
import Jukebox

/// Visits (V rows): when one begins and ends.
extension Oracle {
  /// Somebody records, pages or sounds an alarm.
  var isOccupied: Bool {
    intentModel.isRecording || intentModel.interruptions.contains { $0 != "mute" && $0 != "no-input" }
  }

  /// A private plug moves and is not in yet; or it is, and the log has not named it.
  private var isPlugComing: Bool {
    routes.ports.contains { port in
      guard port.isPrivate, let line = routes.line(of: port.port) else { return false }
      return !lines[line].level && lines[line].firstEdge != nil
    }
  }

  func checkVisit(_ event: Event) {
    // A sensor sees whoever passes (O11).
    let isPress = event.name == .buttonPressed && contacts.manners[event["line"] ?? ""] == nil
    let isOfToken = event.name == .tokenRead && event["ignored"] != "boot" || event.name == .tokenLifted
    if isPress || isOfToken || event["cause"] == "headset"
      || event.name == .tokenUnknown && event["reason"] != "not ended by Enter" || isCommandOfMusic(event)
    {
      visit.use(at: now)
      headset.decidedAt = now
    }
    // Music that ends by itself was heard until then.
    if event.name == .playbackStopped && event["cause"] != "user" && event["cause"] != "contact" { visit.use(at: now) }
    if event.name == .trackStarted || event.name == .playbackResumed { visit.noteSound() }
    let isKept = isOccupied || intentModel.loss?.isPromptShown == true
    demand(
      visit.check(
        event, isPlug: isPlugComing, isKept: isKept, isOccupied: isOccupied, hasPrivate: hasPrivate, at: now))
    guard event.name == .visitEnded else { return }
    if event["reason"] == "closed" { shut() }
    // Music that goes on when it opens is kept for others (H1.5).
    if hours?.keptAt == nil {
      intentModel.stopAtEnd()
      contacts.end(at: now)
    }
    contacts.delays = [:]
    persistence.endVisit()
    channelCommands.endVisit()
  }

  private var hasPrivate: Bool { routes.ports.contains { $0.isPrivate && routes.connected(lines).contains($0.port) } }

  func isCommandOfMusic(_ event: Event) -> Bool {
    guard event.name == .consoleCommand, event["error"] == nil else { return false }
    let verb = event["command"].flatMap { $0.split(separator: " ").first.map(String.init) } ?? ""
    return ["play", "start", "pause", "stop", "next", "previous", "track", "playlist", "seek"].contains(verb)
  }

  func checkVisit(_ status: Status) {
    let isKept = isOccupied || intentModel.loss?.isPromptShown == true || status.recordingSince != nil
    let isAloud =
      intentModel.intent == .playing && intentModel.loss == nil && intentModel.doubt == nil
      && intentModel.unsuited == nil
    demand(visit.settle(status, isKept: isKept, isWantedAloud: isAloud, isMovingIn: isPlugComing, at: now))
  }

  /// `port` was plugged in, or out: its contact has settled, or its device fails or is tried again.
  func noteVisitPlug(_ port: Port, isIn: Bool, firstEdge: Instant) {
    let others = routes.ports.filter {
      $0.isPrivate && $0.port != port && routes.connected(lines).contains($0.port)
    }
    guard routes.isPrivate(port) else { return visit.use(at: now) }
    if isIn {
      let isWanted = intentModel.intent == .playing && intentModel.unsuited == nil
      demand(visit.connectPrivate(firstEdge: firstEdge, isWanted: isWanted))
    } else {
      visit.disconnect(isLast: others.isEmpty, firstEdge: firstEdge)
    }
  }
}
