import AudioSession
import Board
import BoardFiles
import Jukebox

/// The knobs of a board in `jackdaw lines`: how far each has been turned, as the kiosk would count it.
struct WatchedKnobs {
  private struct Turned {
    var description: KnobDescription
    var counter: DetentCounter
  }

  private var knobs: [Turned]

  init(_ board: BoardDescription) {
    knobs = board.knobs.map { Turned(description: $0, counter: DetentCounter($0.knob)) }
  }

  /// Takes where the contacts stand, so that the first turn counts at once.
  mutating func stand(_ levels: [String: Bool], at instant: Instant) {
    for index in knobs.indices {
      guard case .contacts = knobs[index].description.source, let a = levels[knobs[index].description.name(of: .a)],
        let b = levels[knobs[index].description.name(of: .b)]
      else { continue }
      knobs[index].counter.stand(a: a, b: b, at: instant)
    }
  }

  /// Takes an edge of a contact of a knob. Returns the knob's name and how far it has been turned by now; nil for other lines.
  mutating func take(_ edge: LineEdge) -> (knob: String, detents: Int)? {
    for index in knobs.indices {
      guard let contact = contact(edge.line, of: knobs[index]) else { continue }
      _ = knobs[index].counter.take(KnobEdge(contact, asserted: edge.asserted, at: edge.at))
      return (knobs[index].description.knob.name, knobs[index].counter.sum)
    }
    return nil
  }

  private func contact(_ line: String, of knob: Turned) -> KnobContact? {
    guard case .contacts = knob.description.source else { return nil }
    return KnobContact.allCases.first { knob.description.name(of: $0) == line }
  }

  /// Takes a turn of an axis.
  mutating func take(_ turn: AxisTurn) -> (knob: String, detents: Int)? {
    guard let index = knobs.firstIndex(where: { $0.description.knob.name == turn.axis }) else { return nil }
    knobs[index].counter.take(counts: turn.counts)
    return (turn.axis, knobs[index].counter.sum)
  }

  static func text(_ detents: Int) -> String { detents > 0 ? "+\(detents)" : "\(detents)" }
}
