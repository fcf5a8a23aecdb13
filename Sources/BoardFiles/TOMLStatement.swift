import Files

/// A header or a `key = value` of a text that need not be TOML, as far as they can be told apart without parsing it.
struct TOMLStatement {
  /// The table it stands in and its key; empty where neither can be told.
  var field: String
  var isHeader: Bool
  /// Its lines, counted from 1. An array may go over several.
  var lines: ClosedRange<Int>
  /// Its bytes in the text.
  var range: Range<Int>
  /// Values that begin neither with a quote nor with a bracket, and may or may not be TOML.
  var words: [TOMLWord] = []
  /// What is opened in its values and not closed; nil: nothing.
  var unclosed: Opening?

  enum Opening: String { case quote, bracket }
}

/// A value without quotes and brackets, as in `shuffle = yes` or `at = 12:30`; empty where nothing follows the `=`.
struct TOMLWord {
  var text: String
  /// Its bytes in the text.
  var range: Range<Int>
  var line: Int
  /// Counted in code points, from 1.
  var column: Int

  /// An empty text in its place. It is as long, so that what follows on the line stays in its column.
  var placeholder: [UInt8] {
    let length = text.unicodeScalars.count
    // A single letter has no room for two quotes.
    guard length != 1 else { return [UInt8(ascii: "0")] }
    return Array("\"\"".utf8) + Array(repeating: UInt8(ascii: " "), count: max(0, length - 2))
  }
}

/// Finds the statements of a text, whatever is wrong in it.
struct TOMLScanner {
  private let text: [UInt8]
  private var at = 0
  private var line = 1
  private var lineStart = 0
  private var unclosed: TOMLStatement.Opening?

  private init(_ text: [UInt8]) {
    self.text = text
    // The mark of UTF-8 is in no column.
    if text.starts(with: "\u{FEFF}".utf8) { (at, lineStart) = (3, 3) }
  }

  static func statements(of text: [UInt8]) -> [TOMLStatement] {
    var scanner = TOMLScanner(text)
    var statements: [TOMLStatement] = []
    var table = ""
    while let statement = scanner.next(in: table) {
      statements.append(statement)
      if statement.isHeader { table = statement.field }
    }
    return statements
  }

  private mutating func next(in table: String) -> TOMLStatement? {
    skipToStatement()
    guard let first = byte() else { return nil }
    let (start, startLine) = (at, line)
    var statement = TOMLStatement(field: table, isHeader: first == "[", lines: line...line, range: start..<start)
    if statement.isHeader {
      skip { $0 == "[" || $0.isBlank }
      statement.field = key(endingAt: "]")
      skip { $0 != "\n" }
    } else {
      var key = key(endingAt: "=")
      unclosed = nil
      if byte() == "=" {
        at += 1
        statement.words = values()
      } else {
        // As in `shuffle: true`.
        key = String(key.prefix { !$0.isWhitespace && $0 != ":" })
      }
      statement.field = [table, key].filter { !$0.isEmpty }.joined(separator: ".")
      statement.unclosed = unclosed
    }
    statement.lines = startLine...line
    statement.range = start..<at
    return statement
  }

  /// The key up to `end` as errors name it, truncated where it is long; `end` is not passed, nor is the line.
  private mutating func key(endingAt end: Unicode.Scalar) -> String {
    let start = at
    while let next = byte(), next != end, next != "\n", next != "#" {
      if next.isQuote { skipString(next, mayBeLong: false) } else { at += 1 }
    }
    return Wording.truncated(trimmed(start..<at))
  }

  /// The words among the values behind `=`, up to the end of the statement.
  private mutating func values() -> [TOMLWord] {
    var words: [TOMLWord] = []
    var closers: [Unicode.Scalar] = []
    var wantsValue = true
    while let next = byte() {
      switch next {
      case "\n" where closers.isEmpty || closers.contains("}") || statementFollows, "#" where closers.isEmpty:
        if closers.isEmpty && wantsValue { words.append(word(in: closers)) }
        if !closers.isEmpty { unclosed = .bracket }
        skip { $0 != "\n" }
        return words
      case "\n": startLine()
      case "#": skip { $0 != "\n" }
      case "\"", "'":
        skipString(next, mayBeLong: true)
        wantsValue = false
      case "[" where wantsValue: open("]", &closers)
      case "{" where wantsValue:
        open("}", &closers)
        wantsValue = false
      case "]", "}":
        if closers.last == next { closers.removeLast() }
        at += 1
        wantsValue = false
      case ",", "=":
        at += 1
        wantsValue = next == "=" || closers.last == "]"
      case _ where wantsValue && !next.isBlank:
        words.append(word(in: closers))
        wantsValue = false
      default: at += 1
      }
    }
    if closers.isEmpty && wantsValue { words.append(word(in: closers)) }
    if !closers.isEmpty { unclosed = .bracket }
    return words
  }

  private mutating func open(_ closer: Unicode.Scalar, _ closers: inout [Unicode.Scalar]) {
    closers.append(closer)
    at += 1
  }

  private mutating func word(in closers: [Unicode.Scalar]) -> TOMLWord {
    let start = at
    let column = text[lineStart..<at].reduce(1) { $1.isContinuation ? $0 : $0 + 1 }
    skip { next in
      next != "\n" && next != "#" && (closers.isEmpty || !(next == "," || next == "]" || next == "}"))
    }
    let text = trimmed(start..<at)
    return TOMLWord(text: text, range: start..<start + length(of: start..<at), line: line, column: column)
  }

  /// Whether the next line looks like a statement, so that a bracket that is still open was forgotten.
  private var statementFollows: Bool {
    var ahead = self
    ahead.startLine()
    ahead.skip(while: \.isBlank)
    if ahead.byte() == "[" {
      ahead.skip { $0 == "[" }
      guard ahead.byte()?.properties.isAlphabetic == true else { return false }
      ahead.skip { $0.isKey }
      return ahead.byte() == "]"
    }
    let start = ahead.at
    ahead.skip { $0.isKey }
    guard ahead.at > start else { return false }
    ahead.skip(while: \.isBlank)
    return ahead.byte() == "="
  }

  private mutating func skipToStatement() {
    while let next = byte() {
      switch next {
      case "\n": startLine()
      case "#": skip { $0 != "\n" }
      case _ where next.isBlank: at += 1
      default: return
      }
    }
  }

  private mutating func skipString(_ quote: Unicode.Scalar, mayBeLong: Bool) {
    let isLong = mayBeLong && byte(1) == quote && byte(2) == quote
    at += isLong ? 3 : 1
    while let next = byte() {
      switch next {
      case "\n" where !isLong:
        unclosed = .quote
        return
      case "\n": startLine()
      case "\\" where quote == "\"" && byte(1) != "\n": at += 2
      case quote where !isLong:
        at += 1
        return
      case quote where byte(1) == quote && byte(2) == quote:
        at += 3
        // Up to two quotes may stand directly before the closing three.
        for _ in 0..<2 where byte() == quote { at += 1 }
        return
      default: at += 1
      }
    }
    at = min(at, text.count)
    unclosed = .quote
  }

  private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
    while let next = byte(), condition(next) { at += 1 }
  }

  private mutating func startLine() {
    at += 1
    line += 1
    lineStart = at
  }

  /// A byte as the character of its number: what stands for something in TOML is ASCII.
  private func byte(_ offset: Int = 0) -> Unicode.Scalar? {
    at + offset < text.count ? Unicode.Scalar(text[at + offset]) : nil
  }

  /// The number of bytes without the white space at their end.
  private func length(of range: Range<Int>) -> Int {
    text[range].lastIndex { !Unicode.Scalar($0).isBlank }.map { $0 + 1 - range.lowerBound } ?? 0
  }

  private func trimmed(_ range: Range<Int>) -> String {
    String(decoding: text[range].prefix(length(of: range)), as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" || self == "\r" }
  fileprivate var isQuote: Bool { self == "\"" || self == "'" }
  /// Whether a key without quotes may have it, or the dots between keys.
  fileprivate var isKey: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
    default: false
    }
  }
}

extension UInt8 {
  /// Whether it goes on with a code point of UTF-8.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
