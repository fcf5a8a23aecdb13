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

  /// Takes note of edges that were read in one call.
  mutating func note(_ edges: ArraySlice<cgpiod_edge>) {
    if edges.count >= Self.shortest { isSuspect = true }
    level = edges.last?.asserted ?? level
    for edge in edges { lost.note(edge) }
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
