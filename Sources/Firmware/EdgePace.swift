import AudioSession
import Board

/// Keeps lines that chatter without end, because of a broken wire or a motor next to it, from occupying the control
/// thread: it would never sleep, and the kernel ends a real-time thread that never sleeps.
///
/// After more edges than any contact makes, lines are read only once in a while, and few edges of each are handled, which
/// costs the same however fast they chatter. Nothing is missed by that: the kernel keeps the edges, or at least the level.
struct EdgePace {
  /// A contact that is plugged in bounces for a few milliseconds, with a few edges in each.
  static let maxEdges = 64
  static let window = Duration.milliseconds(20)
  /// Short enough for the silence that an unplug of another line asks for.
  static let pause = Duration.milliseconds(5)
  /// The lines are calm again after a pause with no more edges than this.
  static let calmEdges = 4

  /// The lines are not read until then; nil if they are read at every edge.
  private(set) var restsUntil: Instant?
  private var windowEnd = Instant.powerOn
  private var count = 0

  /// Counts the edges that came in one read of the lines.
  ///
  /// - Parameter now: when they had been handled, so that even a slow processor sleeps before the next read.
  mutating func note(_ edges: Int, at now: Instant) {
    count += edges
    if let until = restsUntil {
      guard now >= until else { return }
      restsUntil = count > Self.calmEdges ? now + Self.pause : nil
      count = 0
    } else if count > Self.maxEdges {
      restsUntil = now + Self.pause
      count = 0
    } else if now >= windowEnd {
      windowEnd = now + Self.window
      count = edges
    }
  }

  /// Reduces the edges of each chattering line to those that matter: the first to either level, and the last.
  /// The edges between them change neither when it began to move nor its final level.
  ///
  /// - Parameter counted: the lines that do not bounce, of which every edge counts (K1.1).
  func thinned(_ edges: [LineEdge], except counted: Set<String> = []) -> [LineEdge] {
    guard restsUntil != nil || edges.count > Self.maxEdges else { return edges }
    var isFirst = Set<LineLevel>()
    var last: [String: Int] = [:]
    for (index, edge) in edges.enumerated() { last[edge.line] = index }
    return edges.enumerated().filter { index, edge in
      counted.contains(edge.line)
        || isFirst.insert(LineLevel(line: edge.line, asserted: edge.asserted)).inserted || last[edge.line] == index
    }.map(\.element)
  }

  private struct LineLevel: Hashable {
    var line: String
    var asserted: Bool
  }
}
