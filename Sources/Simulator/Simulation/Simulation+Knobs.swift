import BoardFiles
import Jukebox

/// Knobs in virtual time: the same edges as on a board, through the same brain.
extension Simulation {
  func turn(_ name: String, by detents: Int, in time: Duration?, bouncing bounce: Duration) {
    guard let index = board.knobs.firstIndex(where: { $0.knob.name == name }) else { return }
    contacts.turn(
      KnobID(index), on: board, by: detents, in: time ?? KnobTurning.detentTime * abs(detents), bouncing: bounce,
      at: clock.now)
    // The first edge comes at once.
    while let edge = contacts.takeDue(at: clock.now) { set(edge.line, edge.asserted) }
  }

  /// A contact of a knob has moved. Returns false for a line.
  func moveKnob(_ line: LineID, _ asserted: Bool) -> Bool {
    guard let found = board.knobContact(behind: line) else { return false }
    observer?.moved(board.knobs[found.knob.index].name(of: found.contact), asserted: asserted, at: clock.now)
    guard !isAsleep, let driver else { return true }
    let edge = PlannedEdges.Edge(line: line, asserted: asserted, at: clock.now)
    let move: KnobMove =
      if let turn = board.axisTurn(of: edge) {
        .counts(turn.counts, at: turn.at)
      } else {
        .edges([KnobEdge(found.contact, asserted: asserted, at: clock.now)], isComplete: true)
      }
    driver.feed(.knob(found.knob, move), at: clock.now)
    return true
  }

  /// Power comes, or the system wakes: where the knobs stand is read.
  func readKnobs() {
    for index in board.knobs.indices {
      let knob = KnobID(index)
      let levels = KnobContact.allCases.map { contacts.asserted.contains(board.line(of: $0, of: knob)) }
      driver?.feed(.knob(knob, .position(a: levels[0], b: levels[1], at: clock.now)), at: clock.now)
    }
  }
}
