import Files

extension TOMLShape where Value: Sendable {
  /// One of a few words.
  public static func choice(_ options: [(word: String, value: Value)]) -> Self {
    Self(expected: Wording.list(options.map(\.word))) { value in
      guard case .string(let word) = value.kind else { return .wrongType }
      if let option = options.first(where: { $0.word == word }) { return .good(option.value) }
      return .bad("\(value.found) is unknown", line: value.line)
    }
  }
}

extension TOMLShape where Value: Sendable & CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the enumeration's words.
  public static var word: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension TOMLShape {
  /// Any number of the words of an enumeration, in any order.
  public static func words<Word>() -> Self
  where Value == Set<Word>, Word: Sendable & CaseIterable & RawRepresentable, Word.RawValue == String {
    let word = TOMLShape<Word>.word
    return Self(type: "an array of", expected: word.expected) { value in
      elements(of: value, word).map { Set($0) }
    }
  }
}
