import AudioSession
import JSON

/// Lines of the control socket: what is pushed, and replies.
extension FleetAgent {
  /// What the firmware is asked.
  enum Request: Hashable, Sendable {
    case watch
    case command(String)
    /// The figures that are not pushed as they change by themselves.
    case status
    case statistics

    var line: String {
      switch self {
      case .watch: "watch"
      case .command(let line): line
      case .status: "status --json"
      case .statistics: "stats --json"
      }
    }
  }

  /// The most lines of a reply that are kept.
  private static let mostReplyLines = 32

  mutating func request(_ request: Request) {
    requests.append(request)
    askNext()
  }

  private mutating func askNext() {
    guard asked == nil, isControlUp, !requests.isEmpty else { return }
    let next = requests.removeFirst()
    asked = next
    effects.append(.send(next.line))
  }

  mutating func take(_ line: String) {
    if line.hasPrefix("{\"seq\":") { return takePushed(line) }
    let error = line.hasPrefix("error: ") ? String(line.dropFirst("error: ".count)) : nil
    guard line == "ok" || error != nil else {
      if replyLines.count < Self.mostReplyLines { replyLines.append(line) }
      return
    }
    guard let request = asked else { return }
    let lines = replyLines
    (asked, replyLines) = (nil, [])
    finish(request, lines, error: error)
    askNext()
  }

  private mutating func finish(_ request: Request, _ lines: [String], error: String?) {
    switch request {
    case .watch:
      if let error, !isWatchRefused { effects.append(.log("the firmware lets nobody watch: \(error)")) }
      isWatchRefused = error != nil
      if isWatchRefused { watchDue = moment.now + Self.watchInterval }
    case .command(let line): reply(to: line, lines, error: error)
    case .status:
      if let status = lines.first.flatMap({ try? JSONValue(parsing: $0.utf8) }) { note(health: status["health"]) }
    case .statistics:
      hasStatistics = error == nil
      if error == nil { note(statistics: lines) }
    }
  }

  /// A line for each period, the current one at the end: each is sent when it has changed, so that whoever adds them up
  /// has every period as it was at its end. Only the latest line of the current one counts.
  private mutating func note(statistics lines: [String]) {
    guard isBrokerUp else { return }
    var told: [String: String] = [:]
    for (index, line) in lines.enumerated() {
      guard let period = try? JSONValue(parsing: line.utf8), let id = period["id"]?.string else { continue }
      let isCurrent = index == lines.count - 1
      if isCurrent { note(today: period) }
      if isCurrent, !isLinkUp { continue }
      if periods[id] != line {
        effects.append(.publish(FleetMessage(topics["stats"], line, isRetained: true)))
      }
      told[id] = line
    }
    periods = told
  }

  /// The state has how many came today, because whoever shows that cannot tell the current period from the one before
  /// it.
  private mutating func note(today period: JSONValue) {
    let new: JSONValue = [
      "period": period["period"] ?? .null, "visits": period["board"]?["visits"] ?? .null,
      "listens": period["sum"]?["starts"] ?? .null,
    ]
    guard new != today else { return }
    today = new
    planState()
  }

  private mutating func planState() { stateDue = Self.due(lastState, Self.stateInterval, moment.now) }

  mutating func reply(to line: String, _ lines: [String] = [], error: String? = nil) {
    guard isBrokerUp else { return }
    var members: [JSONValue.Member] = [.init("command", .string(line)), .init("ok", .bool(error == nil))]
    if let error { members.append(.init("error", .string(error))) }
    if !lines.isEmpty { members.append(.init("lines", .strings(lines))) }
    effects.append(.publish(FleetMessage(topics["reply"], JSONValue.object(members).text)))
  }

  private mutating func takePushed(_ line: String) {
    let object: JSONValue
    do {
      object = try JSONValue(parsing: line.utf8)
    } catch {
      effects.append(.log("the firmware sent what is no JSON: \(error)"))
      return
    }
    switch object["type"]?.string {
    case "board": board = object
    case "state": note(state: object)
    case "event": note(event: object)
    case "dropped": tellEvent("fleet.dropped", ["n": .string(String(object["lines"]?.integer ?? 0))])
    // What a later firmware may send.
    default: break
    }
  }

  private mutating func note(state new: JSONValue) {
    let isFirst = !isStateCurrent
    let playlists = isFirst ? nil : state?["playlists"]
    (state, isStateCurrent) = (new, true)
    note(health: new["health"])
    if isFirst || playlists != new["playlists"] || retained[topics.discovery] == nil { announce() }
    tellInfo()
    planState()
    tellStatus()
    // Only the lamp shows that nothing newer was found: it ceases to flicker.
    let isHidden = new["recording"]?.bool == true || new["pairing"]?.bool == true
    if content?.state == .reading, new["lamp"]?.string != "flicker", !isHidden { note(content: .idle) }
    // A problem is published at once, as is its end.
    if problems != toldProblems { healthDue = moment.now }
  }

  private mutating func note(health new: JSONValue?) {
    guard let members = new?.members else { return }
    func lasting(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
      members.filter { !["uptime", "played", "temperature"].contains($0.name) }
    }
    let hasChanged = lasting(members) != lasting(health)
    health = members
    if hasChanged { healthDue = Self.due(lastHealth, Self.healthInterval, moment.now) }
  }

  // MARK: - Events

  private mutating func note(event: JSONValue) {
    // What this program asks for itself is not news, either, and not a reason to ask again (K7.5).
    guard let name = event["event"]?.string, event["level"]?.string != "debug" else { return }
    tellEvent(name, event["fields"] ?? [:], level: event["level"], uptime: event["time"])
    note(contentEvent: name, event["fields"])
    // A kiosk that does nothing is left asleep: it is asked for figures only after it has done something.
    if name != "state.saved", askDue == nil {
      askDue = Self.due(lastAsked, Self.healthInterval, moment.now + Self.healthInterval)
    }
  }

  mutating func askForFigures() {
    (askDue, lastAsked) = (nil, moment.now)
    guard isControlUp else { return }
    request(.status)
    if hasStatistics { request(.statistics) }
  }

  mutating func tellEvent(
    _ name: String, _ fields: JSONValue, level: JSONValue? = nil, uptime: JSONValue? = nil
  ) {
    var members: [JSONValue.Member] = [
      .init("event", .string(name)), .init("level", level ?? "warn"), .init("boot", .optional(options.boot)),
    ]
    if let uptime { members.append(.init("uptime", uptime)) }
    if let utc = moment.utc { members.append(.init("utc", .string(UTCStamp.text(milliseconds: utc)))) }
    members.append(.init("fields", fields))
    let message = FleetMessage(topics["event"], JSONValue.object(members).text)
    if isBrokerUp {
      publish(event: message)
    } else {
      if waitingEvents.count == Self.mostWaitingEvents {
        waitingEvents.removeFirst()
        droppedEvents += 1
      }
      waitingEvents.append(message)
    }
  }

  mutating func publish(event: FleetMessage) {
    guard isLinkUp || awayEvents < Self.mostAwayEvents else { return droppedEvents += 1 }
    if !isLinkUp { awayEvents += 1 }
    effects.append(.publish(event))
  }
}
