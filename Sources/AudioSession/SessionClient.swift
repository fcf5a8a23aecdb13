/// Someone who wants sound: the music, a cue, a page, the recorder, or whoever the settings name.
public struct SessionClient: Hashable, Sendable {
  public enum Option: String, Hashable, Sendable, CaseIterable {
    /// Sounds together with others and interrupts nobody.
    case mixWithOthers = "mix-with-others"
    /// The same, and those who sound with it are lowered meanwhile.
    case duckOthers = "duck-others"
    /// When it is done, those that it interrupted are told to go on.
    case notifyOthers = "notify-others"
  }

  /// As in the settings and in the event log.
  public var name: String
  public var category: SessionCategory
  public var options: Set<Option>
  /// 0...100; the higher the stronger.
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
  /// Those that no interrupter may be.
  public static let own = [music, cue, recorder]
  public static let ownNames = own.map(\.name)
  /// Also what an interrupter is that nobody has described.
  public static let page = SessionClient(name: "page", category: .playback, options: [.notifyOthers], priority: 50)

  /// Sounds together with others of its kind, and with those that do not mind.
  public var mixes: Bool {
    category == .ambient
      || category != .record && (options.contains(.mixWithOthers) || options.contains(.duckOthers))
  }

  /// Whether a client may be called so: 1...31 small letters, digits and hyphens.
  public static func isName(_ text: String) -> Bool {
    (1...31).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}
