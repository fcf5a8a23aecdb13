extension TOMLShape where Value: Sendable {
  /// One of a few words. Those of `notBuilt` are known but refused by name.
  public static func choice(_ options: [(word: String, value: Value)], notBuilt: [String] = []) -> Self {
    Self(expected: Wording.list(options.map(\.word))) { value in
      guard case .string(let word) = value.kind else { return .wrongType }
      if let option = options.first(where: { $0.word == word }) { return .good(option.value) }
      let fault = notBuilt.contains(word) ? "not built yet" : "unknown"
      return .bad("\(value.found) is \(fault)", line: value.line)
    }
  }
}

extension TOMLShape where Value: Sendable & CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the enumeration's words.
  public static var word: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}
