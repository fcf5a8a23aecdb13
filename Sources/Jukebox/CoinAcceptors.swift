import AudioSession

/// The coin lines of the board (J3).
struct CoinAcceptors: Hashable, Sendable {
  private struct Acceptor: Hashable {
    let line: LineID
    let name: String
    var pulses: CoinPulses
  }

  private var acceptors: [Acceptor] = []
  /// Until when no coin is one, because the power came a moment ago; nil: that is over.
  private(set) var bootDue: Instant?

  /// Before power on.
  init() {}

  init(_ lines: [Line], asserted: Set<LineID>, at now: Instant) {
    for (index, line) in lines.enumerated() {
      guard case .coin(let setup) = line.role else { continue }
      let pulses = CoinPulses(setup, level: asserted.contains(LineID(index)), at: now)
      acceptors.append(Acceptor(line: LineID(index), name: line.name, pulses: pulses))
    }
    if !acceptors.isEmpty { bootDue = now + CoinPulses.bootTime }
  }

  /// A line would not count the next coin.
  var isAnyJammed: Bool { acceptors.contains { $0.pulses.isJammed } }

  /// What has to be looked at although no edge comes.
  var deadlines: [(line: LineID, due: Instant)] {
    acceptors.compactMap { acceptor in acceptor.pulses.due.map { (acceptor.line, $0) } }
  }

  func has(_ line: LineID) -> Bool { acceptors.contains { $0.line == line } }

  mutating func take(_ edges: [CoinEdge], of line: LineID) -> [ContactFact] {
    edges.flatMap { edge in facts(of: line) { $0.take(edge) } }
  }

  mutating func timerFired(_ line: LineID, at now: Instant) -> [ContactFact] {
    facts(of: line) { $0.timerFired(at: now) }
  }

  mutating func bootIsOver() { bootDue = nil }

  /// The system slept, and these lines are asserted now (R11).
  mutating func wake(asserted: Set<LineID>, slept: Duration, at now: Instant) {
    bootDue = bootDue.map { $0 + slept }
    for index in acceptors.indices {
      acceptors[index].pulses.wake(level: asserted.contains(acceptors[index].line), slept: slept, at: now)
    }
  }

  /// The firmware ends.
  mutating func end() -> [ContactFact] { acceptors.map(\.line).flatMap { line in facts(of: line) { $0.end() } } }

  private mutating func facts(
    of line: LineID, _ take: (inout CoinPulses) -> [CoinPulses.Fact]
  ) -> [ContactFact] {
    guard let index = acceptors.firstIndex(where: { $0.line == line }) else { return [] }
    let name = acceptors[index].name
    return take(&acceptors[index].pulses).map { fact in
      switch fact {
      case .coin(let pulses): .coin(line: line, pulses: pulses)
      case .refused(let reason): .noCoin(line: line, reason: reason)
      case .stuck(let edges): .stuck(line: name, edges: edges)
      }
    }
  }
}
