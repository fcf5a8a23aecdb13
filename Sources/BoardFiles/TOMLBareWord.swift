import Files

/// A text without quotes where TOML wants a value, as in `route = speaker` or `shuffle = yes`: the most common mistake, of
/// which the parser only says that it could not determine the type of a value.
struct TOMLBareWord {
  private let word: String
  /// The path of the key, truncated where it is long; empty where its line does not name it.
  private let field: String

  /// The word at this place of a text that is not TOML; nil where something else stands there.
  /// - Parameters:
  ///   - line: counts from 1.
  ///   - column: of characters, from 1.
  init?(in text: [UInt8], line: Int, column: Int) {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
    guard (1...lines.count).contains(line), column > 0 else { return nil }
    let mistaken = String(decoding: lines[line - 1], as: UTF8.self)
    let (before, rest) = (mistaken.prefix(column - 1), mistaken.dropFirst(column - 1))
    guard before.contains("=") || !rest.contains("="), let first = rest.first,
      first.isLetter || "~/.$".contains(first)
    else { return nil }
    word = Self.trimmed(rest.prefix { !",]}#".contains($0) })
    let header = lines[..<(line - 1)].last { $0.first == UInt8(ascii: "[") }.map { String(decoding: $0, as: UTF8.self) }
    let table = header.map { Self.trimmed($0.drop { "[ ".contains($0) }.prefix { $0 != "]" }) } ?? ""
    let key = before.firstIndex(of: "=").map { Self.trimmed(before[..<$0]) } ?? ""
    field = [table, key].filter { !$0.isEmpty }.map(Wording.truncated).joined(separator: ".")
  }

  func error(file: String, line: Int) -> FileError {
    let expected =
      switch word.lowercased() {
      case "yes", "true": "true"
      case "no", "false": "false"
      // Some fields take these as texts.
      case "on": "true, or \"on\" in quotes"
      case "off": "false, or \"off\" in quotes"
      default: "a text in quotes"
      }
    return FileError(
      file: file, line: line, field: field,
      message: "found \(Wording.truncated(word)) without quotes, expected \(expected)")
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var kept = Substring(text).drop { $0.isWhitespace }
    while kept.last?.isWhitespace == true { kept.removeLast() }
    return String(kept)
  }
}
