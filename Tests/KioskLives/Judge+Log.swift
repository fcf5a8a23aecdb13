import AudioSession
import Jukebox

/// What the log says is checked against the contacts, and moves the model of what is wanted.
extension Judge {
  func follow(_ event: Event) {
    switch event.name {
    case .buttonPressed: pressed(event)
    case .consoleCommand: typed(event)
    case .portConnected: connected(event)
    case .portDisconnected: disconnected(event)
    case .lineBounced: bounced(event)
    case .lineStuck: stuck(event)
    case .routeInitial: loggedRoute = port(event, "to")
    case .stateRestored: restored(event)
    case .routeChanged: changed(event)
    case .interruptionBegan:
      wishes.settleSkip()
      if event["reason"] == "output-unavailable" { lostOutput() } else { began(event) }
    case .interruptionEnded:
      if event["reason"] == "output-unavailable" {
        wishes.outputRestored()
      } else {
        wishes.interruptionEnded(event["reason"] ?? "", resumes: event["resume"] == "true")
      }
    case .playbackPaused:
      if event["reason"] == "limit" { limited() }
      playingSince = nil
    case .playbackStopped: stopped(event)
    case .queueEnded: wishes.end()
    case .promptExpired: wishes.end()
    case .sessionRefused: if event["client"] == SessionClient.recorder.name { wishes.isRecording = false }
    case .cueStarted: cueSince = now
    case .cueEnded, .cueFailed:
      cueSince = nil
      isCueCut = false
    case .recordingStopped: if event["reason"] != "power-cut" { wishes.isRecording = false }
    case .volumeChanged: volumeChanged(event)
    case .boot, .playbackStarted, .playbackResumed, .trackStarted, .trackEnded, .trackFailed, .promptShown,
      .promptAnswered, .sessionActivated, .sessionDeactivated, .duckBegan, .duckEnded, .recordingStarted,
      .outputLost, .outputRestored, .outputUnderrun, .stateSaved, .stateUnreadable, .logDropped, .shutdown:
      break
    }
  }

  /// Whether somebody was here, or something has sounded until now (K8). To wake is no visit, nor is what the storage, the
  /// console and the output do by themselves, or that a button is still down.
  func isVisit(_ event: Event) -> Bool {
    if wokeAt == now || [.stateSaved, .logDropped, .lineStuck, .outputRestored].contains(event.name) { return false }
    switch event["reason"] {
    case HoldName.outputUnavailable.rawValue: return event.name != .interruptionEnded
    case RouteChange.Reason.routeConfigurationChange.rawValue: return event.name != .routeChanged
    // Who waits for an output, unlike who waits for the end of an interruption, may be gone.
    case "limit": return event.name != .playbackPaused || !wishes.interruptions.isEmpty
    default: return true
    }
  }

  /// What the console has made of the route and the category may outlast a power cut.
  private func restored(_ event: Event) {
    if let word = event["override"] { routes.forced = Port(rawValue: word) }
    let category = event["category"].flatMap(SessionCategory.init)
    if let category { routes.category = category }
    goesOnAtBoot = event["intent"] == Intent.playing.rawValue
    demand(
      !goesOnAtBoot || kiosk.settings.settings.playOnBoot && memory.mayPlayAtBoot, "W2", "it goes on by itself")
    let isKnown = memory.restore(route: routes.forced, category: category)
    demand(isKnown, "W1", "nobody wanted that route or category lately")
    weigh()
  }

  func name(_ port: Port?) -> String { port?.rawValue ?? "none" }

  private func port(_ event: Event, _ key: String) -> Port? { event[key].flatMap(Port.init) }

  // MARK: - People

  private func pressed(_ event: Event) {
    guard let line = event["line"], let button = event["button"].flatMap(Button.init) else {
      return demand(false, "K5", "button.pressed without a button and its line")
    }
    let contact = contacts[line]
    let isIgnored = event["ignored"] != nil
    let isOvertaken = fingers.isOvertaken(line, button, gesture: event["gesture"])
    demand(isOvertaken || !isIgnored, "Q2", "a press of \(button.rawValue) is ignored, which no unplug overtook")
    demand(isIgnored || !isOvertaken, "P1", "a press of \(button.rawValue) is obeyed, which began before the unplug")
    if event["gesture"] == "held" {
      demand(contact.level, "K3", "\(line) is held, though it is up")
      let since = latest(downSince[line], wokeAt) ?? now
      demand(now >= since + .milliseconds(999), "K3", "\(line) is held, and went down at \(since.logStamp)")
    } else {
      demand(contact.isDue(at: now) && contact.seen && !contact.level, "K1", "\(line) was not pressed")
      contacts[line].settle()
      downSince[line] = now
      fingers.press(button, gesture: event["gesture"], on: line, at: now)
    }
    if !isIgnored { wishes.press(button, gesture: event["gesture"]) }
  }

  private func typed(_ event: Event) {
    guard event["error"] == nil, let command = event["command"] else { return }
    commandedAt = now
    let words = command.split(separator: " ")
    wishes.type(words)
    switch words.first {
    case "route":
      let forced = words.count > 1 ? Port(rawValue: String(words[1])) : nil
      routes.forced = forced
      memory.typed(route: forced)
      if forced != nil && wishes.unsuited != nil && route == nil { wishes.unsuited?.from = forced }
      weigh()
    case "category":
      if words.count > 1, let category = SessionCategory(rawValue: String(words[1])) {
        routes.category = category
        memory.typed(category: category)
      }
      weigh()
    case "interrupt":
      guard words.count > 2 else { return }
      if words[1] == "begin" {
        duckedSince = now
        typedInterrupters.insert(String(words[2]))
        dismissed.remove(words[2].uppercased())
      } else {
        typedInterrupters.remove(String(words[2]))
        let line = words[2].uppercased()
        if contacts[line].level { dismissed.insert(line) }
      }
    default: break
    }
  }

  private func stopped(_ event: Event) {
    let cause = event["cause"]
    if cause == "idle" {
      demand(!wishes.isAudible, "K8", "an idle reset while music plays")
      wishes.end()
    }
    demand(wishes.wanted == .stopped, "P9", "it stops, cause \(cause ?? "none"), though nobody wants that")
  }

  private func limited() {
    demand(
      wishes.wanted == .playing && wishes.isInterrupted, "I9",
      "the limit of an interruption that there is not")
    wishes.pauseForGood()
  }

  private func lostOutput() {
    wishes.isOutputLost = true
    // Gone and back while nothing played, it is found out late, and tried again from now on.
    if !isFailing { restoredAt = now }
  }

  private func began(_ event: Event) {
    guard let reason = event["reason"] else { return }
    demand(!wishes.interruptions.contains(reason), "I1", "\(reason) begins twice")
    wishes.interruptions.insert(reason)
  }

  // MARK: - Lines

  private func connected(_ event: Event) {
    guard let port = port(event, "port"), let line = event["line"] else {
      return demand(false, "K5", "port.connected without a port and its line")
    }
    let contact = contacts[line]
    demand(routes.line(of: port) == line, "R2", "\(line) is not the line of \(port.rawValue)")
    demand(contact.isDue(at: now) && contact.seen && !contact.level, "R2", "\(line) has not been asserted long enough")
    let former = route
    contacts[line].settle()
    wishes.connected(port, routes, routeWas: former, is: route, at: now)
    weigh()
  }

  private func disconnected(_ event: Event) {
    guard let port = port(event, "port"), let line = event["line"] else {
      return demand(false, "K5", "port.disconnected without a port and its line")
    }
    let contact = contacts[line]
    demand(contact.isDue(at: now) && !contact.seen && contact.level, "R4", "\(line) has not been released long enough")
    if cueSince != nil && route == port { isCueCut = true }
    let left = [wishes.doubt?.from, wishes.loss?.from, wishes.unsuited?.from]
    let isHome = route == port || left.contains(port)
    if isHome && routes.isPrivate(port) { overtakeFingers() }
    wishes.disconnected(port, routes, at: now)
    contacts[line].settle()
    weigh()
  }

  private func bounced(_ event: Event) {
    let line = event["line"] ?? ""
    let contact = contacts[line]
    demand(contact.isDue(at: now) && contact.seen == contact.level, "R5", "\(line) has not bounced")
    contacts[line].settle()
  }

  private func stuck(_ event: Event) {
    let line = event["line"] ?? ""
    demand(contacts[line].level, "K4", "\(line) is stuck, though it is up")
    demand(stuck.insert(line).inserted, "K4", "\(line) is told again to be stuck")
    // One that chatters without a rest is told by its edges.
    if event["edges"] == nil, let since = downSince[line] {
      let limit = (latest(since, wokeAt) ?? since) + kiosk.settings.settings.stuckAfter
      demand(now >= limit - .milliseconds(1), "K4", "\(line) is told to be stuck too soon")
    }
  }

  /// The private port is lost: whatever a finger is doing now was meant for that.
  private func overtakeFingers() {
    let buttons = kiosk.board.lines.filter { if case .button = $0.role { true } else { false } }.map(\.name)
    fingers.overtake(buttons.filter { contacts[$0].level || contacts[$0].firstEdge != nil }, at: now)
  }

  /// K2, R11: the volume moves with a press, a command, or a button that has been down for long enough awake.
  private func volumeChanged(_ event: Event) {
    guard event["cause"] == nil, commandedAt != now else { return }
    let isMoved = kiosk.board.lines.contains { line in
      guard line.role == .button(.volumeUp) || line.role == .button(.volumeDown) else { return false }
      guard let since = downSince[line.name] else { return false }
      // Who holds it has not heard yet how loud another port is.
      let isHeld = since >= switchedAt && now >= (latest(since, wokeAt) ?? since) + .milliseconds(399)
      return since == now || isHeld
    }
    demand(isMoved, "K2", "the volume moves, and no finger moves it")
  }

  /// R2, R4, R6, R8–R12: from where the log last left the route, to where it is.
  private func changed(_ event: Event) {
    demand(event["from"] == name(loggedRoute), "K5", "a route change from elsewhere than \(name(loggedRoute))")
    let to = port(event, "to")
    demand(to == route, "R6", "a route change to \(name(to)), where \(name(route)) is the route")
    let reason = event["reason"].flatMap(RouteChange.Reason.init)
    switch reason {
    case .wakeFromSleep: demand(wokeAt == now && to == loggedRoute, "R11", "nobody woke it")
    case .routeConfigurationChange:
      demand(to == loggedRoute, "R12", "the same port in another shape, and the route changes")
    case .noSuitableRoute: demand(to == nil, "R9", "there is a route")
    case .newDeviceAvailable, .oldDeviceUnavailable, .override:
      demand(to != loggedRoute && to != nil, "R6", "a route change without a change")
    case .categoryChange: break
    case .unknown, nil: demand(false, "R2", "no known reason for a route change")
    }
    if to != loggedRoute { switchedAt = now }
    if to == nil && loggedRoute != nil { wishes.unsuited = (wishes.unsuited?.since ?? now, loggedRoute) }
    loggedRoute = to
  }
}
