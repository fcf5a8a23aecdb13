import AudioSession
import CGPIOD

/// What is known of the kernel's queue of one line's edges. While nobody reads, it may overflow; then the level after
/// its last edge need not be that of the line. The first kernel interface, of libgpiod 1.6, drops the newest edges.
struct EdgeQueue {
  /// The queue has room for at least this many edges.
  private static let shortest = 16

  /// The level after the last edge, or that which was read since.
  private(set) var level: Bool?
  /// Whether it may have been full since the level was last read, or the level could not be read.
  private(set) var isSuspect = false
  /// When the level is read again that could not be read; nil: it could be.
  private(set) var retryAt: Instant?
  private var lost = LostEdgeCounter()

  /// Takes note of how many edges were read in one call.
  mutating func note(read count: Int) { if count >= Self.shortest { isSuspect = true } }

  /// Takes note of an edge. Returns whether others were lost just before it.
  mutating func note(_ edge: cgpiod_edge) -> Bool {
    level = edge.asserted
    return lost.note(edge)
  }

  /// How many edges it had no room for since the last call.
  mutating func takeLost() -> Int { lost.takeLost() }

  /// Takes note of the line's level, read while no edge waits. Returns whether it differs from that after the last
  /// edge.
  mutating func isNews(_ asserted: Bool) -> Bool {
    (isSuspect, retryAt) = (false, nil)
    defer { level = asserted }
    return level != asserted
  }

  /// Takes note of a level that was read while edges may wait.
  mutating func note(level asserted: Bool) { level = asserted }

  /// The level could not be read, and is read again at `instant`.
  mutating func noteFailure(until instant: Instant) { (isSuspect, retryAt) = (true, instant) }

  /// Edges wait, and the level is no news before they are read: a line that chatters must not be looked at without end.
  mutating func postpone(until instant: Instant) { if retryAt != nil { retryAt = instant } }
}
