import Files

/// A value without quotes and brackets that is no TOML, as in `shuffle = yes` or `at = 12:30x`; empty where nothing follows
/// the `=`.
struct TOMLWord {
  var text: String
  var place: TOMLPlace

  /// An empty text in its place. It is as long, so that what follows on the line stays in its column; where nothing stood,
  /// nothing but the end of a table may follow.
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
  /// The most words that are replaced, because each has the text parsed again.
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

  // MARK: - The word

  /// Behind which byte a value begins, and the bracket around it that was opened before on its line.
  private struct Opener {
    var at: Int
    var bracket: UInt8?
  }

  /// The bytes of the word around an offset. It begins behind an `=`, or where an element of an array does, and ends where
  /// the value would.
  private func wordRange(at offset: Int) -> Range<Int>? {
    guard let opener = opener(before: offset) else { return nil }
    let isElement = text[opener.at] != UInt8(ascii: "=")
    // A header has a key, and so has what follows a comma in a table.
    let isHeader = text[lineStart(of: opener.at)..<opener.at].allSatisfy { isBlank($0) || $0 == UInt8(ascii: "[") }
    if isElement, isHeader && text[opener.at] == UInt8(ascii: "[") || opener.bracket == UInt8(ascii: "{") { return nil }
    let isInBrackets = isElement || opener.bracket != nil
    let start = isInBrackets ? skipLines(from: opener.at + 1) : skipBlanks(from: opener.at + 1)
    let ends = isInBrackets ? ",]}#\r\n" : "#\r\n"
    let end = text[start...].firstIndex { ends.utf8.contains($0) } ?? text.count
    guard end >= offset else { return nil }
    let word = start..<(text[start..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start)
    if word.isEmpty { return isElement ? nil : word }
    // The rest of a value, or the statement after an array that is not closed.
    if text[word].contains(where: { "\"'[{".utf8.contains($0) }) { return nil }
    let isOnNextLine = text[opener.at..<start].contains(newline)
    return isOnNextLine && text[word].contains(UInt8(ascii: "=")) ? nil : word
  }

  /// The last `=`, `[` or `,` before an offset that stands neither in a comment nor between quotes.
  private func opener(before offset: Int) -> Opener? {
    var end = offset
    while true {
      let start = lineStart(of: end)
      if let found = lastOpener(in: start..<end) { return found }
      guard start > mark else { return nil }
      end = start - 1
    }
  }

  private func lastOpener(in line: Range<Int>) -> Opener? {
    var found: Opener?
    var quote: UInt8?
    var brackets: [UInt8] = []
    for at in line {
      let byte = text[at]
      if let opening = quote {
        if byte == opening { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "#"): return found
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "="), UInt8(ascii: ","): found = Opener(at: at, bracket: brackets.last)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if byte == UInt8(ascii: "[") { found = Opener(at: at, bracket: brackets.last) }
        brackets.append(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = brackets.popLast()
      default: break
      }
    }
    return found
  }

  private func skipBlanks(from start: Int) -> Int { text[start...].firstIndex { !isBlank($0) } ?? text.count }

  /// Skips comments and ends of lines as well.
  private func skipLines(from start: Int) -> Int {
    var at = skipBlanks(from: start)
    while at < text.count, "#\r\n".utf8.contains(text[at]) {
      at = skipBlanks(from: text[at...].firstIndex(of: newline).map { $0 + 1 } ?? text.count)
    }
    return at
  }

  // MARK: - Places

  private func lineStart(of offset: Int) -> Int { text[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? mark }

  private func offset(of place: TOMLPlace) -> Int {
    var start = mark
    for _ in 1..<max(1, place.line) { start = text[start...].firstIndex(of: newline).map { $0 + 1 } ?? text.count }
    var column = 0
    let offset = text[start...].firstIndex { byte in
      if !byte.isContinuation { column += 1 }
      return column == place.column
    }
    return offset ?? text.count
  }

  private func place(of offset: Int) -> TOMLPlace {
    TOMLPlace(
      line: text[..<offset].count { $0 == newline } + 1,
      column: text[lineStart(of: offset)..<offset].count { !$0.isContinuation } + 1)
  }

  /// The length of the mark of UTF-8 at the beginning, which is in no column.
  private var mark: Int { text.starts(with: "\u{FEFF}".utf8) ? 3 : 0 }
}

extension TOMLWords {
  /// The field that a line is about, as far as its words show; of a line within an array, that of the array. Empty where
  /// none can be told.
  func field(atLine line: Int) -> String {
    let lines = text[mark...].split(separator: newline, maxSplits: line, omittingEmptySubsequences: false).prefix(line)
    var key = lines.last.flatMap(Self.key)
    var mayBeArray = key == nil
    for bytes in lines.reversed() {
      let text = bytes.prefix { $0 != UInt8(ascii: "#") }.drop(while: isBlank)
      let mayBeElement = mayBeArray && text.last { !isBlank($0) } == UInt8(ascii: ",")
      if text.first == UInt8(ascii: "["), !mayBeElement {
        let header = text.drop { $0 == UInt8(ascii: "[") || isBlank($0) }.prefix { $0 != UInt8(ascii: "]") }
        return [Self.shown(header), key ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
      }
      guard mayBeArray, let found = Self.key(bytes), let equals = text.firstIndex(of: UInt8(ascii: "="))
      else { continue }
      if text[equals...].contains(UInt8(ascii: "[")) { key = found }
      mayBeArray = false
    }
    return key ?? ""
  }

  /// What a line begins with that may be a key.
  private static func key(_ line: ArraySlice<UInt8>) -> String? {
    let text = line.drop(while: isBlank)
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      guard let end = text.dropFirst().firstIndex(of: first) else { return nil }
      let next = text[(end + 1)...].drop(while: isBlank).first
      return next.map { ",]#\r\"'".utf8.contains($0) } ?? true ? nil : shown(text[...end])
    }
    let key = text.prefix(while: isKey)
    return key.isEmpty || first == UInt8(ascii: ".") ? nil : shown(key)
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    let length = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 - bytes.startIndex } ?? 0
    return Wording.truncated(String(decoding: bytes.prefix(length), as: UTF8.self))
  }
}

private let newline = UInt8(ascii: "\n")

private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

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
