import AudioSession
import Board
import BoardFiles
import Jukebox

/// The knobs of a board as the brain knows them: which edges and turns are theirs. Control thread.
struct KnobWiring {
  private var contacts: [String: Contact] = [:]
  private var axes: [String: KnobID] = [:]

  private struct Contact {
    var knob: KnobID
    var contact: KnobContact
  }

  /// The names of the lines that are contacts of knobs, of which every edge counts (G8.1).
  var lines: Set<String> { Set(contacts.keys) }

  init(_ board: BoardDescription) {
    for (index, knob) in board.knobs.enumerated() {
      switch knob.source {
      case .axis: axes[knob.knob.name] = KnobID(index)
      case .contacts:
        for contact in KnobContact.allCases {
          contacts[knob.name(of: contact)] = Contact(knob: KnobID(index), contact: contact)
        }
      }
    }
  }

  /// Where the knobs stand, as their lines were read at `now`.
  func positions(_ levels: [String: Bool], at now: Instant) -> [Input] {
    var known: [KnobID: [KnobContact: Bool]] = [:]
    for (name, level) in levels {
      if let found = contacts[name] { known[found.knob, default: [:]][found.contact] = level }
    }
    return known.sorted { $0.key.index < $1.key.index }.compactMap { knob, levels in
      guard let a = levels[.a], let b = levels[.b] else { return nil }
      return .knob(knob, .position(a: a, b: b, at: now))
    }
  }

  /// Puts edges that follow each other and are those of one knob into one input, so that a storm costs no more than a
  /// few edges; `other` makes the inputs of all other lines. If the kernel has lost edges of a knob, all that came with
  /// them are positions.
  func inputs(of edges: [LineEdge], other: (LineEdge) -> Input?) -> [Input] {
    guard !contacts.isEmpty else { return edges.compactMap(other) }
    let incomplete = Set(edges.filter(\.followsLoss).compactMap { contacts[$0.line]?.knob })
    var inputs: [Input] = []
    var (turning, moves): (KnobID?, [KnobEdge]) = (nil, [])
    func flush() {
      if let knob = turning { inputs.append(.knob(knob, .edges(moves, isComplete: !incomplete.contains(knob)))) }
      (turning, moves) = (nil, [])
    }
    for edge in edges {
      guard let found = contacts[edge.line] else {
        flush()
        if let input = other(edge) { inputs.append(input) }
        continue
      }
      if turning != found.knob { flush() }
      turning = found.knob
      moves.append(KnobEdge(found.contact, asserted: edge.asserted, at: edge.at))
    }
    flush()
    return inputs
  }

  /// Turns of one axis that follow each other in one direction are one input (G8.2).
  func inputs(of turns: [AxisTurn]) -> [Input] {
    var sums: [AxisTurn] = []
    for turn in turns {
      guard let last = sums.last, last.axis == turn.axis, last.counts.signum() == turn.counts.signum() else {
        sums.append(turn)
        continue
      }
      let (sum, isTooMuch) = last.counts.addingReportingOverflow(turn.counts)
      sums[sums.count - 1] = AxisTurn(axis: turn.axis, counts: isTooMuch ? last.counts : sum, at: turn.at)
    }
    return sums.compactMap { turn in axes[turn.axis].map { .knob($0, .counts(turn.counts, at: turn.at)) } }
  }
}
