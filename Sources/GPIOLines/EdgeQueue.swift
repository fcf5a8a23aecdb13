import CGPIOD

/// What is known of the kernel's queue of one line's edges. While nobody reads it may overflow; then the level that it tells
/// of last need not be that of the line. The first kernel interface, of libgpiod 1.6, drops the newest edges.
struct EdgeQueue {
  /// It has room for that many at least.
  private static let shortest = 16

  /// As the last edge told it.
  private var level: Bool?
  /// It may have been full since the level was last looked at.
  private(set) var isSuspect = false
  private var census = EdgeCensus()

  /// These were read in one go.
  mutating func note(_ edges: ArraySlice<cgpiod_edge>) {
    if edges.count >= Self.shortest { isSuspect = true }
    level = edges.last?.asserted ?? level
    for edge in edges { census.note(edge) }
  }

  /// How many edges it had no room for since the last call.
  mutating func takeLost() -> Int { census.takeLost() }

  /// The line's level, now that no edge waits; true where the last edge told another.
  mutating func isNews(_ asserted: Bool) -> Bool {
    isSuspect = false
    defer { level = asserted }
    return level != asserted
  }
}
