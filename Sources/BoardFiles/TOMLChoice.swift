import Files

extension TOMLShape where Value: Sendable {
  /// One of a few words.
  public static func choice(_ options: [(word: String, value: Value)]) -> Self {
    let index = TOMLShape<Int>.index(of: options.map(\.word))
    return Self(expected: index.expected) { index.read($0).map { options[$0].value } }
  }
}

extension TOMLShape where Value == Int {
  /// One of a few words, as its place among them.
  fileprivate static func index(of words: [String]) -> Self {
    Self(expected: Wording.list(words)) { value in
      guard case .string(let word) = value.kind else { return .wrongType }
      if let index = words.firstIndex(of: word) { return .good(index) }
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
