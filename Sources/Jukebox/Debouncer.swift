import AudioSession

/// Decides when a line's level counts: when it has held for the line's debounce time since the last edge.
///
/// ```
/// steady ──edge──► unsettled ──timer, other level──► steady (changed)
///                    │  ▲ └────timer, same level───► steady (bounced)
///                    └──┘ edge: the timer starts again
/// ```
struct Debouncer: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case changed(firstEdge: Instant)
    case bounced(edges: Int)
  }

  /// The level that counts.
  private(set) var level: Bool
  /// The level of the last edge.
  private(set) var raw: Bool
  /// How long a level has to hold.
  let time: Duration
  private var unsettled: Unsettled?

  private struct Unsettled: Hashable {
    var firstEdge: Instant
    /// When the level of the last edge has held for long enough.
    var due: Instant
    var edges: Int
    /// Since when it chatters, as far as the system was awake.
    var chatterSince: Instant
    var isReported = false
  }

  init(level: Bool, time: Duration) {
    self.level = level
    self.raw = level
    self.time = time
  }

  var isSettled: Bool { unsettled == nil }

  /// When it settles unless another edge comes; nil: it is settled.
  var due: Instant? { unsettled?.due }

  /// Asserted so far, and somebody may be pulling the plug.
  var isInDoubt: Bool { level && unsettled != nil }

  /// Takes an edge. An edge of a steady line to the level that it has already is none: it may have been read twice, and
  /// a later one must count as the first.
  mutating func noteEdge(_ asserted: Bool, at instant: Instant) {
    guard unsettled != nil || asserted != level else { return }
    raw = asserted
    // The count only says how bad a contact is; stopping it keeps a storm of edges from overflowing.
    let edges = min((unsettled?.edges ?? 0) + 1, 9_999)
    unsettled = Unsettled(
      firstEdge: unsettled?.firstEdge ?? instant, due: instant + time, edges: edges,
      chatterSince: unsettled?.chatterSince ?? instant, isReported: unsettled?.isReported ?? false)
  }

  /// The system slept: what was not steady has to hold for its whole time awake, and chatters from now on (R11).
  mutating func woke(at now: Instant) {
    unsettled?.chatterSince = now
    unsettled?.due = now + time
  }

  /// How many edges there were, once for a line that has not settled for this long.
  mutating func endlessEdges(since limit: Duration, at instant: Instant) -> Int? {
    // A few are not chatter.
    guard let waited = unsettled, !waited.isReported, waited.edges > 16, instant - waited.chatterSince >= limit else {
      return nil
    }
    unsettled?.isReported = true
    return waited.edges
  }

  /// It was reported as one that does not settle, and still has not.
  var isEndless: Bool { unsettled?.isReported == true }

  /// The debounce time has passed since the last edge. Nil when nothing waited for it.
  mutating func settle() -> Outcome? {
    guard let waited = unsettled else { return nil }
    unsettled = nil
    guard raw != level else { return .bounced(edges: waited.edges) }
    level = raw
    return .changed(firstEdge: waited.firstEdge)
  }
}
