/// Which tokens need no Enter, because a keypad may have none (T5.3).
struct SelfEndingTokens: Hashable, Sendable {
  /// The tokens that are the beginning of no other.
  private let tokens: Set<String>

  init(_ settings: Settings) {
    let all = settings.tokens.keys
    tokens = Set(all.filter { token in !all.contains { $0 != token && $0.hasPrefix(token) } })
  }

  /// Whether what is typed is complete, because nothing else that begins so can be meant.
  /// - Parameter tracks: how many can be named by a number.
  func endItself(_ text: String, tracks: Int) -> Bool {
    tokens.contains(text) && !Self.isBeginningOfNumber(text, upTo: tracks)
  }

  /// Whether the number of a track is longer and begins so: 1 and 01, where there are ten, and 0, as 01 is a number, too.
  private static func isBeginningOfNumber(_ text: String, upTo most: Int) -> Bool {
    guard most > 0, text.utf8.count < Settings.mostDigits, case .number(let number) = TrackName(text) else {
      return false
    }
    return number * 10 <= most
  }
}
