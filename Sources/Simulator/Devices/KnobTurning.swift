import AudioSession
import Board
import BoardFiles
import Jukebox

/// The edges that a knob makes when somebody turns it.
public struct KnobTurning: Hashable, Sendable {
  /// How long a detent takes where nothing else is said: a hand that turns without haste.
  public static let detentTime = Duration.milliseconds(50)

  /// The levels of a knob's contacts in the order of turning up.
  private static let places: [(a: Bool, b: Bool)] = [(false, false), (true, false), (true, true), (false, true)]

  /// The edges of `detents` detents, up if positive, evenly within `time`. Those of an axis, which has no contacts, stand
  /// for its counts: `a` makes an edge for each detent up, and `b` down.
  ///
  /// - Parameters:
  ///   - levels: the contacts that are asserted when it begins.
  ///   - delay: when it begins.
  ///   - bounce: for how long a contact bounces at each edge.
  public static func edges(
    of knob: KnobID, on board: BoardDescription, by detents: Int, in time: Duration, from levels: Set<LineID>,
    after delay: Duration = .zero, bouncing bounce: Duration = .zero
  ) -> [KeyEdge] {
    let description = board.knobs[knob.index]
    let lines = KnobContact.allCases.map { board.line(of: $0, of: knob) }
    let isUp = (detents > 0) != description.knob.isReversed
    if case .axis = description.source {
      let line = lines[isUp ? 0 : 1]
      return (0..<abs(detents)).map { index in
        let level = levels.contains(line) == (index % 2 == 1)
        return KeyEdge(line: line, asserted: level, after: delay + time * index / abs(detents))
      }
    }
    let count = abs(detents) * description.knob.steps
    let now = (a: levels.contains(lines[0]), b: levels.contains(lines[1]))
    var place = places.firstIndex { $0 == now } ?? 0
    return (0..<count).flatMap { index -> [KeyEdge] in
      let former = places[place]
      place = (place + (isUp ? 1 : 3)) % places.count
      let isA = former.a != places[place].a
      let level = isA ? places[place].a : places[place].b
      let seed = UInt64(bitPattern: Int64(index &+ 1))
      return ContactBounce.edges(of: lines[isA ? 0 : 1], to: level, bouncing: bounce, seed: seed).map {
        KeyEdge(line: $0.line, asserted: $0.asserted, after: delay + time * index / count + $0.after)
      }
    }
  }
}

extension PlannedEdges {
  /// Has a knob turned, behind whatever it is still to turn.
  public mutating func turn(
    _ knob: KnobID, on board: BoardDescription, by detents: Int, in time: Duration, bouncing bounce: Duration,
    at now: Instant
  ) {
    let lines = KnobContact.allCases.map { board.line(of: $0, of: knob) }
    let (levels, end) = last(of: lines)
    // A turn that goes on is not heard as one that goes back: the last edge of the one before has bounced.
    let delay = end.map { max(.zero, $0 - now) + time / max(1, abs(detents)) } ?? .zero
    append(
      KnobTurning.edges(
        of: knob, on: board, by: detents, in: time, from: levels, after: delay, bouncing: bounce), at: now)
  }
}

extension BoardDescription {
  /// The counts of an edge; nil: it is one of a contact.
  func axisTurn(of edge: PlannedEdges.Edge) -> AxisTurn? {
    guard let found = knobContact(behind: edge.line) else { return nil }
    let description = knobs[found.knob.index]
    guard case .axis = description.source else { return nil }
    let counts = description.knob.steps * (found.contact == .a ? 1 : -1)
    return AxisTurn(axis: description.knob.name, counts: counts, at: edge.at)
  }
}
