/// Who a board is in its fleet, and what it does there.
public struct FleetOptions: Hashable, Sendable {
  /// Its name in topics, one of its own in the fleet.
  public var id: String
  /// Its name for people.
  public var name: String
  /// The groups whose commands it obeys.
  public var groups: [String] = []
  /// Whether it is read-only: it publishes and takes no command.
  public var tellsOnly = false
  /// Whether the broker is the centre itself, so that no bridge says whether the link is up.
  public var isDirect = false
  /// Whether something on this board fetches content and updates, and can be asked to do it now.
  public var canLook = false
  /// The version of the installed package.
  public var version = ""
  /// A name of this boot, for events; nil where the kernel has none.
  public var boot: String?

  public init(id: String, name: String? = nil) {
    self.id = id
    self.name = name ?? "Jackdaw \(id)"
  }

  /// A number of this board's own, the same at every start, to spread in time what all boards do.
  public var seed: UInt64 {
    id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A message for or from the broker.
public struct FleetMessage: Hashable, Sendable {
  public var topic: String
  public var payload: String
  public var isRetained: Bool

  public init(_ topic: String, _ payload: String, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// The topics of one board.
public struct FleetTopics: Hashable, Sendable {
  /// What a board publishes, below its own topic.
  public static let told = ["status", "state", "health", "info", "stats", "content", "event", "reply"]
  /// Home Assistant's birth message.
  public static let homeAssistant = "homeassistant/status"

  public let base: String
  /// Where commands come from, each followed by a verb.
  public let commands: [String]
  public let discovery: String

  public init(_ options: FleetOptions) {
    base = "jackdaw/\(options.id)"
    commands =
      ["\(base)/set/", "jackdaw/all/set/"] + options.groups.map { "jackdaw/group/\($0)/set/" }
    discovery = "homeassistant/device/\(options.id)/config"
  }

  /// One of `told`, or `link`, which the bridge tells.
  public subscript(name: String) -> String { "\(base)/\(name)" }

  /// The verb of a topic of commands; nil for another topic.
  public func verb(of topic: String) -> String? {
    commands.first(where: topic.hasPrefix).map { String(topic.dropFirst($0.count)) }
  }
}
