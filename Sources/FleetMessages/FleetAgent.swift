import AudioSession
import JSON

/// What a board publishes to its fleet and which commands it obeys: lines of the control socket and messages of the
/// broker in, messages and lines out. A value without clock or I/O; whoever carries out its effects calls it again at
/// `nextWake`.
///
/// Retained topics are sent again whenever the broker is back, and not while they stay the same. Commands are given to
/// the firmware one after the other, each when the one before is replied to.
public struct FleetAgent: Sendable {
  public enum Input: Hashable, Sendable {
    /// The broker has accepted us, or is lost.
    case brokerUp
    case brokerDown
    /// The firmware's control socket is connected, or lost.
    case controlUp
    case controlDown
    /// A line from the control socket, without its end.
    case line(String)
    case message(FleetMessage)
    /// In thousandths of a degree Celsius; nil: the board has no thermometer.
    case temperature(Int?)
    /// Which versions are there to be installed; may come again and again.
    case offers(Offers)
    /// What `Effect.look` has asked for is asked, or why not.
    case looked(refusal: String?)
    /// `nextWake` has come.
    case tick
  }

  public enum Effect: Hashable, Sendable {
    /// With QoS 1.
    case publish(FleetMessage)
    case subscribe(String)
    /// A line for the control socket, without its end.
    case send(String)
    /// Has whoever fetches content and updates on this board look now.
    case look
    /// For the journal.
    case log(String)
  }

  /// The current time.
  public struct Moment: Hashable, Sendable {
    /// On a clock of whoever calls; only differences count.
    public var now: Instant
    /// Milliseconds since 1970; nil while the clock is not synchronised.
    public var utc: Int?

    public init(_ now: Instant, utc: Int? = nil) {
      self.now = now
      self.utc = utc
    }
  }

  /// The minimum interval between two messages with the state.
  static let stateInterval = Duration.milliseconds(100)
  /// The minimum interval between two messages with the health, and between two requests for figures.
  static let healthInterval = Duration.seconds(60)
  /// The most events that wait for a broker that is away; the oldest are dropped and counted.
  static let mostWaitingEvents = 200
  /// The most events that are published while the centre is out of reach. The board's broker keeps 5,000 messages for it
  /// and drops those that come after them, of which each day's counts are told once.
  static let mostAwayEvents = 4_000
  /// The most commands that wait for the firmware; one more is refused.
  static let mostCommands = 16
  /// The minimum interval between two looks for content that are asked for from afar.
  static let lookInterval = Duration.seconds(60)
  /// How many seconds after a command for several boards one of them looks, at most; at night they wait as long.
  static let lookSpread: UInt64 = 1_800
  /// After which the firmware is asked again whether this program may watch.
  static let watchInterval = Duration.seconds(5)
  /// How long a bridge takes at most to send what was kept for it.
  static let retellDelay = Duration.seconds(5)
  /// How late after Home Assistant's birth a board announces itself, at most.
  static let announceSpread: UInt64 = 30

  let options: FleetOptions
  public let topics: FleetTopics
  var effects: [Effect] = []
  var moment = Moment(.powerOn)

  var isBrokerUp = false
  /// Whether the board's bridge reaches the centre; true where nobody says so.
  var isLinkUp = true
  var isControlUp = false
  var board: JSONValue?
  /// What the firmware has said last, which may have ended since.
  var state: JSONValue?
  /// Whether the firmware that runs has said it.
  var isStateCurrent = false
  var health: [JSONValue.Member] = []
  /// The `problems` that the health had last.
  var toldProblems: [String] = []
  var temperature: Int?
  /// What the broker was sent last, by topic.
  var retained: [String: String] = [:]
  var waitingEvents: [FleetMessage] = []
  var droppedEvents = 0
  /// How many events were published since the centre is out of reach.
  var awayEvents = 0

  var requests: [Request] = []
  /// The one that the firmware has not replied to yet.
  var asked: Request?
  var replyLines: [String] = []
  var hasStatistics = true
  /// The periods that the firmware counts in, as last sent to the broker, by their ids.
  var periods: [String: String] = [:]
  /// Visits and listens of the period that the firmware counts in now; nil until it has reported them.
  var today: JSONValue?
  /// Topics whose retained command was cleared at the board's broker, and how often: it sends each empty message once.
  var takenBack: [String: Int] = [:]
  var content: ContentReport?
  var offers = Offers()

  var stateDue: Instant?
  var lastState: Instant?
  var healthDue: Instant?
  var lastHealth: Instant?
  var askDue: Instant?
  var lastAsked: Instant?
  var announceDue: Instant?
  var retellDue: Instant?
  /// When the firmware, which lets nobody else watch, is asked again.
  var watchDue: Instant?
  var isWatchRefused = false
  /// When the board looks that was asked to together with others.
  var lookDue: Instant?
  var lastLook: Instant?
  /// The command that asks to look now.
  var looking: String?

  public init(_ options: FleetOptions) {
    self.options = options
    topics = FleetTopics(options)
  }

  /// What the broker is to publish when this program is gone.
  public var will: FleetMessage { FleetMessage(topics["status"], "offline", isRetained: true) }

  public var nextWake: Instant? {
    [stateDue, healthDue, askDue, announceDue, retellDue, watchDue, lookDue].compactMap { $0 }.min()
  }

  public mutating func handle(_ input: Input, at moment: Moment) -> [Effect] {
    self.moment = moment
    switch input {
    case .brokerUp: meetBroker()
    case .brokerDown: isBrokerUp = false
    case .controlUp: meetFirmware()
    case .controlDown: loseFirmware()
    case .line(let line): take(line)
    case .message(let message): take(message)
    case .temperature(let value): note(temperature: value)
    case .offers(let offers): note(offers: offers)
    case .looked(let refusal): noteLook(refusal: refusal)
    case .tick: break
    }
    doWhatIsDue()
    defer { effects = [] }
    return effects
  }

  // MARK: - Broker and firmware

  private mutating func meetBroker() {
    isBrokerUp = true
    (retained, periods, takenBack) = ([:], [:], [:])
    if !options.tellsOnly { for topic in topics.commands { effects.append(.subscribe(topic + "#")) } }
    effects.append(.subscribe(FleetTopics.homeAssistant))
    // What this program published before it was restarted.
    effects.append(.subscribe(topics["content"]))
    // Until the bridge says otherwise.
    isLinkUp = true
    if !options.isDirect { effects.append(.subscribe(topics["link"])) }
    tellAll()
    let waiting = waitingEvents
    waitingEvents = []
    for event in waiting { publish(event: event) }
    tellDropped()
  }

  private mutating func tellDropped() {
    let count = droppedEvents
    droppedEvents = 0
    if count > 0 { tellEvent("fleet.dropped", ["n": .string(String(count))]) }
  }

  /// Everything that is retained, as far as it is known.
  private mutating func tellAll() {
    tellStatus()
    announce()
    tellInfo()
    tellState()
    tellHealth()
    tellContent()
    if isControlUp { askDue = Self.due(lastAsked, Self.healthInterval, moment.now) }
  }

  /// The bridge's word of the way to the centre. A bridge that connects sends what the broker has kept for it, of which
  /// something older may come last, as `offline` after a restart of both: some time after that everything is told again.
  mutating func note(link isUp: Bool) {
    let isBack = isUp && !isLinkUp
    isLinkUp = isUp
    if isBack {
      // The broker keeps a limited amount for the bridge, and has dropped what came last.
      periods = [:]
      tellAll()
    }
    if isUp {
      awayEvents = 0
      tellDropped()
      retellDue = moment.now + Self.retellDelay
    }
  }

  private mutating func meetFirmware() {
    isControlUp = true
    hasStatistics = true
    request(.watch)
    askDue = moment.now + Self.healthInterval
  }

  private mutating func loseFirmware() {
    isControlUp = false
    // The next firmware may have another version, other settings and another board.
    isStateCurrent = false
    let lost = [asked].compactMap { $0 } + requests
    (asked, requests, replyLines, watchDue) = (nil, [], [], nil)
    for case .command(let line) in lost { reply(to: line, error: "the firmware has ended") }
    tellStatus()
    healthDue = moment.now
  }

  private mutating func doWhatIsDue() {
    let now = moment.now
    if let due = stateDue, due <= now { tellState() }
    if let due = healthDue, due <= now { tellHealth() }
    if let due = announceDue, due <= now {
      retained[topics.discovery] = nil
      announce()
    }
    if let due = askDue, due <= now { askForFigures() }
    if let due = watchDue, due <= now {
      watchDue = nil
      request(.watch)
    }
    if let due = lookDue, due <= now { lookNow() }
    if let due = retellDue, due <= now {
      (retellDue, retained) = (nil, [:])
      tellAll()
    }
  }

  // MARK: - Telling

  /// While the centre is out of reach, only what would be lost otherwise is published: the board's broker keeps all
  /// that it is sent for the centre, and has room for a limited number of messages, while only the last state counts.
  mutating func publish(_ topic: String, _ payload: String) {
    guard isBrokerUp, isLinkUp || topic == topics["status"], retained[topic] != payload else { return }
    retained[topic] = payload
    effects.append(.publish(FleetMessage(topic, payload, isRetained: true)))
  }

  mutating func tellStatus() { publish(topics["status"], isControlUp && isStateCurrent ? "online" : "offline") }

  mutating func tellInfo() {
    guard let board else { return }
    let more = [JSONValue.Member("boot", .optional(options.boot))] + latestSoftware
    publish(topics["info"], JSONValue.object(board.members.filter { !Self.framing.contains($0.name) } + more).text)
  }

  mutating func announce() {
    announceDue = nil
    guard let board, let state, isStateCurrent else { return }
    publish(topics.discovery, Discovery.payload(options, board: board, state: state))
  }

  /// Members of a pushed line that say nothing of the board.
  private static let framing: Set<String> = ["seq", "type", "time"]
  /// Members of the state that are published elsewhere, or not at all because they move by themselves.
  private static let elsewhere: Set<String> = framing.union(["frame", "health"])

  mutating func tellState() {
    stateDue = nil
    // That of a firmware that has ended is the last one; of the next one nothing is known until it has said something.
    guard let state, isStateCurrent || !isControlUp else { return }
    lastState = moment.now
    let members = state.members.filter { !Self.elsewhere.contains($0.name) }
    publish(topics["state"], JSONValue.object(members + [.init("today", today ?? .null)]).text)
  }

  /// What is wrong with the board, in words of the state.
  var problems: [String] {
    guard isControlUp, isStateCurrent, let state else { return ["no firmware"] }
    let held = state["hold"]?.strings ?? []
    let holds = ["output-unavailable", "storage-unavailable", "no-suitable-route"].filter(held.contains)
    let music = state["tracks"]?.integer == 0 ? ["no tracks"] : []
    let words = [
      ("left-out", "files left out"), ("cue-faults", "cues missing"), ("save-failed", "state not saved"),
    ]
    return holds + music + words.filter { key, _ in health.contains { $0.name == key } }.map(\.1)
  }

  mutating func tellHealth() {
    (healthDue, lastHealth, toldProblems) = (nil, moment.now, problems)
    var members: [JSONValue.Member] = [
      .init("problem", .bool(!toldProblems.isEmpty)), .init("problems", .strings(toldProblems)),
    ]
    members += health.filter { $0.name != "temperature" }
    if let temperature { members.append(.init("temperature", .integer(temperature))) }
    publish(topics["health"], JSONValue.object(members).text)
  }

  /// At once where it is the first in a while; at its time otherwise.
  static func due(_ last: Instant?, _ interval: Duration, _ now: Instant) -> Instant {
    last.map { max($0 + interval, now) } ?? now
  }

  private mutating func note(temperature value: Int?) {
    let degrees = value.map { ($0 + 500) / 1_000 }
    guard degrees != temperature else { return }
    temperature = degrees
    healthDue = Self.due(lastHealth, Self.healthInterval, moment.now)
  }
}
