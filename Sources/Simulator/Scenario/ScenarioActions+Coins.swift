import BoardFiles
import Files

extension ScenarioActions {
  /// `coin LINE PULSES`.
  func parseCoin(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let lines = board.lines.filter(\.role.isCoin).map { ($0.name, $0.name) }
    if lines.isEmpty { throw words.error("coin, expected a board with a line of role coin") }
    let line = try words.readChoice("coin", lines)
    return .coin(line, pulses: try words.readNumber("pulses", in: 1...100))
  }
}
