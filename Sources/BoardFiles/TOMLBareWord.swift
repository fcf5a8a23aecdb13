import Files

/// A text without quotes where TOML wants a value, as in `route = speaker` or `shuffle = yes`: the most common mistake, of
/// which the parser only says that it could not determine the type of a value.
struct TOMLBareWord {
  private let word: String
  /// The path of the key, truncated where it is long; empty where its line does not name it.
  private let field: String
  /// Where it stands in the text, in bytes.
  let range: Range<Int>

  /// An empty text that is as long, so that what follows on its line stays in its column.
  var empty: [UInt8] {
    let length = word.unicodeScalars.count
    // A single letter has no room for two quotes.
    guard length > 1 else { return [UInt8(ascii: "0")] }
    return Array("\"\"".utf8) + Array(repeating: UInt8(ascii: " "), count: length - 2)
  }

  /// The word at this place of a text that is not TOML; nil where something else stands there.
  /// - Parameters:
  ///   - line: counts from 1.
  ///   - column: of characters, from 1.
  init?(in text: [UInt8], line: Int, column: Int) {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
    guard (1...lines.count).contains(line), column > 0 else { return nil }
    let mistaken = String(decoding: lines[line - 1], as: UTF8.self)
    let mistake = mistaken.prefix(column - 1).endIndex
    // The parser stops in the midst of a word that begins like a number or a date, or like `nan`.
    let bound = mistaken[..<mistake].lastIndex { $0.isWhitespace || "=,[{\"'".contains($0) }
    let start = bound.map(mistaken.index(after:)) ?? mistaken.startIndex
    let (before, rest) = (mistaken[..<start], mistaken[start...])
    guard before.contains("=") || !rest.contains("="), let first = mistaken[mistake...].first,
      first.isLetter || "~/.$".contains(first)
    else { return nil }
    word = Self.trimmed(rest.prefix { !",]}#".contains($0) })
    let offset = lines[line - 1].startIndex + before.utf8.count
    range = offset..<offset + word.utf8.count
    // Bytes that are no UTF-8 have another length when they are decoded.
    guard text.prefix(range.upperBound).suffix(word.utf8.count).elementsEqual(word.utf8) else { return nil }
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
