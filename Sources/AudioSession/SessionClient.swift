/// The name of a client: 1...31 small letters, digits and hyphens. A literal is to be one.
public struct ClientName: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let text: String

  /// nil: `text` cannot be one.
  public init?(_ text: String) {
    guard Self.isGood(text) else { return nil }
    self.text = text
  }

  public init(stringLiteral text: String) {
    assert(Self.isGood(text), "\(text) is no client's name")
    self.text = text
  }

  private static func isGood(_ text: String) -> Bool {
    (1...31).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }

  public static func < (one: Self, other: Self) -> Bool { one.text < other.text }

  public var description: String { text }

  /// The names of the firmware's own clients, which no interrupter may have; and that of a page.
  public static let music: Self = "music"
  public static let cue: Self = "cue"
  public static let recorder: Self = "recorder"
  public static let page: Self = "page"
  public static let own = SessionClient.own.map(\.name)
}

/// A client of the session: the music, a cue, a page, the recorder, or one that the settings name.
public struct SessionClient: Hashable, Sendable {
  public enum Option: String, Hashable, Sendable, CaseIterable {
    /// Sounds together with others and interrupts nobody.
    case mixWithOthers = "mix-with-others"
    /// The same, and the others are lowered while it sounds.
    case duckOthers = "duck-others"
    /// When it is deactivated, the clients that it interrupted resume.
    case notifyOthers = "notify-others"
  }

  /// Its name in the settings and in the event log.
  public var name: ClientName
  public var category: SessionCategory
  public var options: Set<Option>
  /// 0...100; a client with a higher priority is stronger.
  public var priority: Int
  /// Whether what it plays is spoken word, which pauses where music is ducked.
  public var isSpeech: Bool

  public init(
    name: ClientName, category: SessionCategory, options: Set<Option> = [], priority: Int, isSpeech: Bool = false
  ) {
    self.name = name
    self.category = category
    self.options = options
    self.priority = priority
    self.isSpeech = isSpeech
  }

  /// The clients that every kiosk has.
  public static let music = SessionClient(name: .music, category: .playback, priority: 10)
  public static let cue = SessionClient(
    name: .cue, category: .playback, options: [.duckOthers, .notifyOthers], priority: 20)
  public static let recorder = SessionClient(
    name: .recorder, category: .record, options: [.notifyOthers], priority: 30)
  /// The firmware's own clients.
  public static let own = [music, cue, recorder]
  /// Also the description of an interrupter that the settings do not mention.
  public static let page = SessionClient(name: .page, category: .playback, options: [.notifyOthers], priority: 50)

  /// Whether it sounds together with other clients instead of interrupting them.
  public var mixes: Bool {
    category == .ambient
      || category != .record && (options.contains(.mixWithOthers) || options.contains(.duckOthers))
  }
}
