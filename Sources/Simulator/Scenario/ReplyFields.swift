import Jukebox

extension Event {
  /// The fields of a line that is written as one of the log is, as those of the console's replies are: the inverse of
  /// `line`.
  static func fields(in line: String) -> [Field] {
    var words = [String.UnicodeScalarView()]
    var isQuoted = false
    var scalars = line.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\"": isQuoted.toggle()
      case " " where !isQuoted: words.append(String.UnicodeScalarView())
      case "\\" where isQuoted: if let meant = escaped(&scalars) { words[words.count - 1].append(meant) }
      default: words[words.count - 1].append(scalar)
      }
    }
    return words.compactMap { word in
      guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
      return Field(key: String(word[..<equals]), value: String(word[word.index(after: equals)...]))
    }
  }

  /// What stands for itself behind a backslash, or is named there.
  private static func escaped(_ scalars: inout String.UnicodeScalarView.Iterator) -> Unicode.Scalar? {
    switch scalars.next() {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var digits = ""
      while let digit = scalars.next(), digit != "}" { if digit != "{" { digits.unicodeScalars.append(digit) } }
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    case let other: return other
    }
  }
}
