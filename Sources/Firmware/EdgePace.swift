import AudioSession
import Board

/// Keeps lines that chatter without end, by a broken wire or a motor next to it, from taking the control thread from
/// everybody else: it would never sleep, and a thread of its priority that never sleeps is ended by the kernel.
///
/// After more edges than any contact makes, lines are looked at only once in a while, which costs the same however fast
/// they chatter. Nothing is missed by that: the kernel keeps the edges, or tells the level.
struct EdgePace {
  /// A contact that is plugged in bounces for a few milliseconds, with a few edges in each.
  static let most = 64
  static let window = Duration.milliseconds(20)
  /// Short enough for the silence that an unplug of another line asks for.
  static let pause = Duration.milliseconds(5)
  /// With no more in a pause it is over.
  static let calm = 4

  /// Until when the lines need not be looked at; nil: at every edge.
  private(set) var restsUntil: Instant?
  private var windowEnd = Instant.powerOn
  private var count = 0

  /// So many edges came in one look at the lines.
  mutating func note(_ edges: Int, at now: Instant) {
    count += edges
    if let until = restsUntil {
      guard now >= until else { return }
      restsUntil = count > Self.calm ? now + Self.pause : nil
      count = 0
    } else if count > Self.most {
      restsUntil = now + Self.pause
      count = 0
    } else if now >= windowEnd {
      windowEnd = now + Self.window
      count = edges
    }
  }

  /// What the brain has to know of more edges than `most`: of each line the first to either level and the last. Those
  /// between them change neither when it began to move nor where it stands.
  static func thinned(_ edges: [LineEdge]) -> [LineEdge] {
    guard edges.count > most else { return edges }
    var isFirst = Set<LineLevel>()
    var last: [String: Int] = [:]
    for (index, edge) in edges.enumerated() { last[edge.line] = index }
    return edges.enumerated().filter { index, edge in
      isFirst.insert(LineLevel(line: edge.line, asserted: edge.asserted)).inserted || last[edge.line] == index
    }.map(\.element)
  }

  private struct LineLevel: Hashable {
    var line: String
    var asserted: Bool
  }
}
