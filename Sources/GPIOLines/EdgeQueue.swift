import CGPIOD

/// What is known of the kernel's queue of one line's edges. While nobody reads, it may overflow; then the level after
/// its last edge need not be that of the line. The first kernel interface, of libgpiod 1.6, drops the newest edges.
struct EdgeQueue {
  /// The queue has room for at least this many edges.
  private static let shortest = 16

  /// The level after the last edge.
  private var level: Bool?
  /// Whether it may have been full since the level was last read.
  private(set) var isSuspect = false
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
    isSuspect = false
    defer { level = asserted }
    return level != asserted
  }
}
