/// A value of JSON (RFC 8259). Members keep their order, and a number is its text, so that nothing is rounded on the way.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is written, as `-1.5e3`.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  public static func integer(_ number: some BinaryInteger) -> JSONValue { .number(String(number)) }
  public static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
  public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  public static func optional(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }

  /// The member of that name; nil if there is none, and for what is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// A whole number; nil for one with a fraction, an exponent or too many digits.
  public var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  public var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  public var members: [Member] { if case .object(let members) = self { members } else { [] } }
  /// The strings of an array; other elements are left out.
  public var strings: [String] { elements.compactMap(\.string) }

  /// On one line, without blanks, in UTF-8. Control characters are escaped, and the line ends of Unicode, too.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text) { element, text in element.write(to: &text) }
    case .object(let members):
      Self.write(members, "{", "}", to: &text) { member, text in
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
    }
  }

  private static func write<Part>(
    _ parts: [Part], _ open: String, _ close: String, to text: inout String, _ one: (Part, inout String) -> Void
  ) {
    text += open
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "," }
      one(part, &text)
    }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}": text += escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .string(text) }
}
