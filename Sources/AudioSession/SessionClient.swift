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
  public var name: String
  public var category: SessionCategory
  public var options: Set<Option>
  /// 0...100; a client with a higher priority is stronger.
  public var priority: Int
  /// Whether what it plays is spoken word, which pauses where music is ducked.
  public var isSpeech: Bool

  public init(
    name: String, category: SessionCategory, options: Set<Option> = [], priority: Int, isSpeech: Bool = false
  ) {
    self.name = name
    self.category = category
    self.options = options
    self.priority = priority
    self.isSpeech = isSpeech
  }

  /// The clients that every kiosk has.
  public static let music = SessionClient(name: "music", category: .playback, priority: 10)
  public static let cue = SessionClient(
    name: "cue", category: .playback, options: [.duckOthers, .notifyOthers], priority: 20)
  public static let recorder = SessionClient(
    name: "recorder", category: .record, options: [.notifyOthers], priority: 30)
  /// The firmware's own clients, whose names no interrupter may have.
  public static let own = [music, cue, recorder]
  public static let ownNames = own.map(\.name)
  /// Also the description of an interrupter that the settings do not mention.
  public static let page = SessionClient(name: "page", category: .playback, options: [.notifyOthers], priority: 50)

  /// Whether it sounds together with other clients instead of interrupting them.
  public var mixes: Bool {
    category == .ambient
      || category != .record && (options.contains(.mixWithOthers) || options.contains(.duckOthers))
  }

  /// Whether `text` can be the name of a client: 1...31 small letters, digits and hyphens.
  public static func isName(_ text: String) -> Bool {
    (1...31).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}
