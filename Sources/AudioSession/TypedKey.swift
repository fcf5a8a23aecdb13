/// A key of a reader: of a keypad, or of a bar-code or card reader, which types like a keyboard.
public enum TypedKey: Hashable, Sendable {
  /// An ASCII character; a letter is in upper case.
  case character(UInt8)
  /// Completes what was typed.
  case enter
  /// Discards what was typed.
  case clear
  /// Keys were lost, so that what is typed is not what was meant.
  case lost
}

extension TypedKey {
  /// What can be typed besides letters and digits; `#` on keypads only.
  public static let punctuation = " -=[];'`\\,./*+#"

  /// The keys that type a text; nil where one of its characters is on no key.
  public static func keys(of text: String) -> [TypedKey]? {
    let keys = text.utf8.compactMap(key)
    return keys.count == text.utf8.count ? keys : nil
  }

  /// What a reader would have typed for a text: the same in upper case. Nil where it cannot be typed.
  public static func typed(_ text: String) -> String? { keys(of: text).map { _ in text.uppercased() } }

  private static func key(_ character: UInt8) -> TypedKey? {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .character(character - 32)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): .character(character)
    default: punctuation.utf8.contains(character) ? .character(character) : nil
    }
  }
}
