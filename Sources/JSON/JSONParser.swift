/// Why a text is no JSON: what was expected at which byte, counted from 0.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public var place: Int
  public var expected: String

  public var description: String { "byte \(place): expected \(expected)" }
}

extension JSONValue {
  /// Reads one value from UTF-8. Throws what was expected where; also for values that lie deeper in one another than 32.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.whole()
  }
}

/// Recursive descent over the bytes of one value.
private struct JSONParser {
  private static let deepest = 32

  let bytes: [UInt8]
  private var at = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func failure(_ expected: String) -> JSONError { JSONError(place: at, expected: expected) }

  mutating func whole() throws(JSONError) -> JSONValue {
    let value = try value()
    skipBlanks()
    guard next == nil else { throw failure("the end") }
    return value
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try list("}") { (parser) throws(JSONError) in try parser.member() })
    case UInt8(ascii: "["): return .array(try list("]") { (parser) throws(JSONError) in try parser.value() })
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw failure("a value") }
    at += word.utf8.count
    return value
  }

  /// The elements between brackets, the first of which is at `at`.
  private mutating func list<Element>(
    _ close: Unicode.Scalar, _ element: (inout JSONParser) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    guard depth < Self.deepest else { throw failure("at most \(Self.deepest) values in one another") }
    depth += 1
    defer { depth -= 1 }
    at += 1
    skipBlanks()
    if take(close) { return [] }
    var elements: [Element] = []
    while true {
      elements.append(try element(&self))
      skipBlanks()
      if take(close) { return elements }
      guard take(",") else { throw failure("a comma or \(close)") }
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    at += 1
    return true
  }

  private mutating func member() throws(JSONError) -> JSONValue.Member {
    skipBlanks()
    guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes") }
    let name = try string()
    skipBlanks()
    guard take(":") else { throw failure("a colon") }
    return JSONValue.Member(name, try value())
  }

  private mutating func number() throws(JSONError) -> String {
    let start = at
    _ = take("-")
    if !take("0") { try digits("a value") }
    if take(".") { try digits("a digit") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits("a digit")
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits(_ expected: String) throws(JSONError) {
    let start = at
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    guard at > start else { throw failure(expected) }
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    var text: [UInt8] = []
    while let byte = next, byte >= 0x20 {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      default: text.append(byte)
      }
    }
    throw failure("the end of a string")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let plain: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
      UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    if let byte = next, let scalar = plain[byte] {
      at += 1
      return scalar
    }
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Half of a pair; a half alone is not a character.
    guard unit < 0xDC00, take("\\") else { return "\u{FFFD}" }
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
    return Unicode.Scalar((unit - 0xD800) << 10 + (second - 0xDC00) + 0x10000) ?? "\u{FFFD}"
  }

  /// Four digits behind a `u`.
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    guard take("u"), at + 4 <= bytes.count else { throw failure("an escape") }
    let text = String(decoding: bytes[at..<at + 4], as: UTF8.self)
    guard text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else { throw failure("four digits") }
    at += 4
    return unit
  }
}
