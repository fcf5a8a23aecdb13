import Files

/// What to write instead of a word without quotes, in a field of a certain shape.
extension TOMLShape where Value == Void {
  /// How an error names a value of the wrong type.
  func found(_ value: TOMLValue) -> String {
    guard case .word(let word) = value.kind, !word.isEmpty, takesTexts else { return value.found }
    return "\(value.found) without quotes"
  }

  /// The value that was probably meant, or all that are allowed.
  func expected(instead value: TOMLValue) -> String {
    guard case .word(let word) = value.kind, !word.isEmpty else { return full }
    // If a number is a duration, a word that begins with one may be meant in any unit.
    let likely = Self.likely(word) + (takesTexts ? [] : Self.numbers(word))
    return likely.first(where: takes).map(Self.written) ?? full
  }

  private func takes(_ kind: TOMLValue.Kind) -> Bool {
    if case .good = read(TOMLValue(kind, line: 1, column: 1)) { true } else { false }
  }

  private var takesTexts: Bool {
    if case .wrongType = read(TOMLValue(.string("a"), line: 1, column: 1)) { false } else { true }
  }

  /// The values of TOML that a word may stand for, the likeliest first.
  private static func likely(_ word: String) -> [TOMLValue.Kind] {
    // Quotes of a word processor.
    let bare = String(word.drop { isQuote($0) }.prefix { !isQuote($0) })
    guard !bare.isEmpty, !bare.contains(where: { "\"\\".contains($0) }) else { return [] }
    let texts = [bare, bare.lowercased(), "0\(bare)", bare.filter { $0 != " " }].map(TOMLValue.Kind.string)
    let array = TOMLValue.Kind.array([TOMLValue(.string(bare), line: 1, column: 1)])
    return truth(bare) + texts + [array]
  }

  private static func isQuote(_ character: Character) -> Bool { "“”„‟‘’‚‛«»`".contains(character) }

  private static func truth(_ word: String) -> [TOMLValue.Kind] {
    switch word.lowercased() {
    case "yes", "on", "true": [.boolean(true)]
    case "no", "off", "false": [.boolean(false)]
    default: []
    }
  }

  /// The number of `50%`, `-6dB` and `007`.
  private static func numbers(_ word: String) -> [TOMLValue.Kind] {
    let digits = word.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
    let unit = word[digits.endIndex...].drop { $0 == " " }.lowercased()
    guard ["", "%", "db", "mb", "hz"].contains(unit), let number = Double(digits) else { return [] }
    return [Int64(exactly: number).map { .integer($0) } ?? .float(number)]
  }

  /// A value as it is written in the file.
  private static func written(_ kind: TOMLValue.Kind) -> String {
    guard case .array(let elements) = kind else { return TOMLValue(kind, line: 1, column: 1).found }
    return "[\(elements.map(\.found).joined(separator: ", "))]"
  }
}
