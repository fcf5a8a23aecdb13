import BoardFiles

/// Writes a parsed value as TOML, so that it can be parsed again.
enum TOMLText {
  /// The text of a value; nil where it has none: for dates and times, whose values the parser does not keep, and for values
  /// nested too deeply for inline tables.
  static func print(_ entries: [TOMLEntry]) -> [UInt8]? {
    var text = ""
    // The order of keys must be the same, too.
    for entry in entries.sorted(by: { $0.key < $1.key }) {
      guard let value = print(entry.value, depth: 0) else { return nil }
      text += "\(quoted(entry.key)) = \(value)\n"
    }
    return Array(text.utf8)
  }

  /// Whether a line has more dots than the parser takes, as it may once all of a table is on one line.
  static func hasManyDots(_ text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { $0.count { $0 == UInt8(ascii: ".") } > 100 }
  }

  private static func print(_ value: TOMLValue, depth: Int) -> String? {
    guard depth < 30 else { return nil }
    switch value.kind {
    case .string(let text): return quoted(text)
    case .integer(let number): return "\(number)"
    case .boolean(let truth): return "\(truth)"
    case .dateOrTime, .word: return nil
    case .float(let number):
      if number.isNaN { return "nan" }
      let text = "\(number)"
      return number.isInfinite || text.contains(".") || text.contains("e") ? text : text + ".0"
    case .array(let elements):
      var texts: [String] = []
      for element in elements {
        guard let text = print(element, depth: depth + 1) else { return nil }
        texts.append(text)
      }
      return "[\(texts.joined(separator: ", "))]"
    case .table(let entries):
      var texts: [String] = []
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        guard let text = print(entry.value, depth: depth + 1) else { return nil }
        texts.append("\(quoted(entry.key)) = \(text)")
      }
      return "{\(texts.joined(separator: ", "))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\\(scalar)"
      case 0..<32, 127:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
