import BoardFiles
import Files

extension ScenarioActions {
  /// More than anybody turns at once.
  private static let mostDetents = 1_000

  /// `turn NAME DETENTS [in TIME] [bounce TIME]`.
  func parseTurn(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    if board.knobs.isEmpty { throw words.error("turn, expected a board with a knob") }
    let knob = try words.readChoice("knob", board.knobs.map { ($0.knob.name, $0.knob.name) })
    let most = Self.mostDetents
    let detents = try words.readNumber("detents", in: -most...most)
    if detents == 0 { throw words.error("turn \(knob) 0, expected a whole number other than 0") }
    let time = words.skip("in") ? try words.readDuration() : nil
    // At each of some thousand edges.
    let bounce = try parseBounce(&words, atMost: .milliseconds(100), "100ms")
    return .turn(knob, detents: detents, in: time, bounce: bounce)
  }
}
