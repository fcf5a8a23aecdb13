import AudioSession
import Jukebox

/// An edge that a virtual line is going to make.
public struct KeyEdge: Hashable, Sendable {
  public var line: LineID
  /// The logical level after it.
  public var asserted: Bool
  /// The delay from the key press.
  public var after: Duration
}

/// The levels of virtual lines, and the edges that they are going to make.
public struct PlannedEdges: Hashable, Sendable {
  /// An edge and its instant.
  public struct Edge: Hashable, Sendable {
    public var line: LineID
    /// The logical level after it.
    public var asserted: Bool
    public var at: Instant
  }

  /// Lines that are asserted now.
  public private(set) var asserted: Set<LineID>
  /// The next one last, which is removed first.
  private var edges: [Edge] = []

  public init() { asserted = [] }

  /// When the next edge is due; nil where none is planned.
  public var next: Instant? { edges.last?.at }

  /// Plans edges, with delays from `now`. They replace the planned edges of the same lines.
  public mutating func plan(_ new: [KeyEdge], at now: Instant) {
    for line in Set(new.map(\.line)) { cancel(line) }
    append(new, at: now)
  }

  /// Plans edges beside those that are planned already, and behind those of the same instant.
  mutating func append(_ new: [KeyEdge], at now: Instant) {
    let added = new.reversed().map { Edge(line: $0.line, asserted: $0.asserted, at: now + $0.after) }
    edges.insert(contentsOf: added, at: 0)
    // It is stable. A bounce has thousands of edges, of which each would look for its place.
    edges.sort { $0.at > $1.at }
  }

  /// Which of the lines are asserted after all planned edges, and when the last of these comes.
  func last(of lines: [LineID]) -> (asserted: Set<LineID>, at: Instant?) {
    var (levels, last): (Set<LineID>, Instant?) = (asserted.intersection(lines), nil)
    for edge in edges.reversed() where lines.contains(edge.line) {
      if edge.asserted { levels.insert(edge.line) } else { levels.remove(edge.line) }
      last = edge.at
    }
    return (levels, last)
  }

  /// Makes the edges that are due until `now` and returns those that changed a level, oldest first.
  public mutating func makeDue(at now: Instant) -> [Edge] {
    var made: [Edge] = []
    while let edge = takeDue(at: now) {
      if set(edge.line, asserted: edge.asserted) { made.append(edge) }
    }
    return made
  }

  /// Removes the oldest edge that is due until `now` and returns it; nil where none is. Its line has not moved yet.
  mutating func takeDue(at now: Instant) -> Edge? {
    guard let next, next <= now else { return nil }
    return edges.removeLast()
  }

  /// Moves a line. Returns false where it has that level already.
  mutating func set(_ line: LineID, asserted isAsserted: Bool) -> Bool {
    isAsserted ? asserted.insert(line).inserted : asserted.remove(line) != nil
  }

  /// Drops the planned edges of a line.
  mutating func cancel(_ line: LineID) { edges.removeAll { $0.line == line } }
}
