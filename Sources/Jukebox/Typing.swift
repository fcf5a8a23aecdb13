import AudioSession

/// What somebody types at a reader, until Enter (T5).
struct Typing: Hashable, Sendable {
  /// The most characters of a token.
  static let most = 64

  private(set) var text = ""
  /// Why it is not a token, whatever else is typed.
  private(set) var fault: TokenFault?
  /// The private port was lost while it was typed: it was not meant for another (P1).
  private(set) var isOvertaken = false
  /// When it is forgotten unless something more is typed; nil: nothing was typed.
  private(set) var due: Instant?

  var isEmpty: Bool { text.isEmpty && fault == nil }

  /// - Parameter character: in ASCII.
  mutating func append(_ character: UInt8, until instant: Instant) {
    due = instant
    if text.utf8.count < Self.most {
      text.unicodeScalars.append(Unicode.Scalar(character))
    } else {
      fault = fault ?? .tooLong
    }
  }

  mutating func loseKeys(until instant: Instant) { (fault, due) = (.keysLost, instant) }

  mutating func overtake() { isOvertaken = !isEmpty }
}
