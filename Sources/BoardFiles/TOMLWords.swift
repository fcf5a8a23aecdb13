import Files

/// A value without quotes and brackets that is no TOML, as in `shuffle = yes` or `at = 12:30x`; empty where nothing follows
/// the `=`.
struct TOMLWord {
  var text: String
  var place: TOMLPlace

  /// An empty text in its place. It is as long, so that what follows on the line stays in its column.
  fileprivate var placeholder: [UInt8] {
    let length = text.unicodeScalars.count
    // A single letter has no room for two quotes.
    guard length != 1 else { return [UInt8(ascii: "0")] }
    return Array("\"\"".utf8) + Array(repeating: UInt8(ascii: " "), count: max(0, length - 2))
  }
}

/// Where a value begins. Both count from 1, the column in code points.
struct TOMLPlace: Hashable {
  var line: Int
  var column: Int
}

/// A text in which each word that the parser stops at is replaced by a value, so that the field that takes it can say what to
/// write there.
struct TOMLWords {
  /// The most words that are replaced, as each has the text parsed again.
  private static let most = 50

  private(set) var text: [UInt8]
  private(set) var found: [TOMLWord] = []
  private var lastFault: TOMLPlace?

  init(_ text: [UInt8]) { self.text = text }

  /// Replaces the word at which the parser has stopped; false where there is none, or where that has not helped before.
  mutating func replace(at fault: TOMLPlace) -> Bool {
    guard found.count < Self.most, fault != lastFault else { return false }
    lastFault = fault
    guard let range = wordRange(at: offset(of: fault)) else { return false }
    let word = TOMLWord(text: String(decoding: text[range], as: UTF8.self), place: place(of: range.lowerBound))
    guard !TOMLDocument.isValue(word.text) else { return false }
    text.replaceSubrange(range, with: word.placeholder)
    found.append(word)
    return true
  }

  /// The bytes of the word around an offset. It begins behind the `=`, or the bracket or comma of an array or inline table,
  /// and ends where the value would.
  private func wordRange(at offset: Int) -> Range<Int>? {
    guard let opener = text[..<offset].lastIndex(where: { "=[{,".utf8.contains($0) }) else { return nil }
    let lineStart = text[..<opener].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let before = text[lineStart..<opener].drop(while: isBlank)
    // What a header names is no value, nor what follows a comma in a comment.
    if text[opener] == UInt8(ascii: "["), before.allSatisfy({ $0 == UInt8(ascii: "[") }) { return nil }
    if before.contains(UInt8(ascii: "#")) { return nil }
    let isSingle = text[opener] == UInt8(ascii: "=") && !before.contains { "[{=".utf8.contains($0) }
    let start = isSingle ? skipBlanks(from: opener + 1) : skipLines(from: opener + 1)
    let ends = isSingle ? "#\n" : ",]}#\n"
    let end = text[start...].firstIndex { ends.utf8.contains($0) } ?? text.count
    guard end >= offset else { return nil }
    let word = start..<(text[start..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start)
    guard let first = text[word].first else { return text[opener] == UInt8(ascii: "=") ? word : nil }
    // The rest of a value that is closed, or the statement behind an array that is not.
    if "\"'[{".utf8.contains(first) || !isSingle && text[word].contains(UInt8(ascii: "=")) { return nil }
    return word
  }

  private func skipBlanks(from start: Int) -> Int { text[start...].firstIndex { !isBlank($0) } ?? text.count }

  /// Skips comments and ends of lines as well.
  private func skipLines(from start: Int) -> Int {
    var at = skipBlanks(from: start)
    while at < text.count, text[at] == newline || text[at] == UInt8(ascii: "#") {
      at = skipBlanks(from: text[at...].firstIndex(of: newline).map { $0 + 1 } ?? text.count)
    }
    return at
  }

  private func offset(of place: TOMLPlace) -> Int {
    var start = 0
    for _ in 1..<max(1, place.line) { start = text[start...].firstIndex(of: newline).map { $0 + 1 } ?? text.count }
    var column = 0
    let offset = text[max(start, mark)...].firstIndex { byte in
      if !byte.isContinuation { column += 1 }
      return column == place.column
    }
    return offset ?? text.count
  }

  private func place(of offset: Int) -> TOMLPlace {
    let before = text[mark..<offset]
    let line = before.split(separator: newline, omittingEmptySubsequences: false).last ?? []
    return TOMLPlace(
      line: before.count { $0 == newline } + 1, column: line.count { !$0.isContinuation } + 1)
  }

  /// The length of the mark of UTF-8 at the beginning, which is in no column.
  private var mark: Int { text.starts(with: "\u{FEFF}".utf8) ? 3 : 0 }
}

extension TOMLWords {
  /// The field that a line is about, as far as its words show: where an array goes over several lines, that of an earlier one.
  /// Empty where none can be told.
  func field(atLine line: Int) -> String {
    var key: String?
    let lines = text.split(separator: newline, maxSplits: line, omittingEmptySubsequences: false).prefix(line)
    for (index, bytes) in zip(lines.indices, lines).reversed() {
      let text = bytes.drop(while: isBlank)
      if text.first == UInt8(ascii: "[") {
        let header = text.drop { $0 == UInt8(ascii: "[") || isBlank($0) }.prefix { !"]#".utf8.contains($0) }
        return [Self.shown(header), key ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
      }
      if key != nil { continue }
      let first = text.prefix(while: isKey)
      let isSetting = text[first.endIndex...].drop(while: isBlank).first == UInt8(ascii: "=")
      if isSetting || index == line - 1 && !first.isEmpty { key = Self.shown(first) }
    }
    return key ?? ""
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    let length = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 - bytes.startIndex } ?? 0
    return Wording.truncated(String(decoding: bytes.prefix(length), as: UTF8.self))
  }
}

private let newline = UInt8(ascii: "\n")

private func isBlank(_ byte: UInt8) -> Bool { " \t\r".utf8.contains(byte) }

/// Whether a key without quotes may have it, or the dots between keys.
private func isKey(_ byte: UInt8) -> Bool {
  switch Unicode.Scalar(byte) {
  case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
  default: false
  }
}

extension UInt8 {
  /// Whether it goes on with a code point of UTF-8.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
