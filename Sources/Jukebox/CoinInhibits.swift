/// The outputs of role `coin-inhibit`: all are asserted while a coin must not be taken, and whenever the firmware is not
/// there to count one (J4).
struct CoinInhibits: Hashable, Sendable {
  private let lines: [Output]
  private(set) var isAsserted = true

  private struct Output: Hashable {
    let line: LineID
    let name: String
  }

  init(_ lines: [Line]) {
    self.lines = lines.enumerated().compactMap { index, line in
      line.role == .coinInhibit ? Output(line: LineID(index), name: line.name) : nil
    }
  }

  var isEmpty: Bool { lines.isEmpty }

  var shown: [ShownSignal] { lines.map { ShownSignal(name: $0.name, pattern: pattern) } }

  private var pattern: LampPattern { isAsserted ? .on : .off }

  /// Returns the outputs that change, and what each shows then.
  mutating func settle(_ refusesCoins: Bool) -> [(line: LineID, pattern: LampPattern)] {
    guard refusesCoins != isAsserted else { return [] }
    isAsserted = refusesCoins
    return lines.map { ($0.line, pattern) }
  }
}
