import CGPIOD

/// Counts the edges of one line that the kernel did not keep: by the gaps in its count, or, where it has none, by two
/// edges of one direction in a row, between which there was another.
struct LostEdgeCounter {
  private var last: cgpiod_edge?
  private var lost = 0

  /// Returns whether edges were lost just before this one.
  @discardableResult
  mutating func note(_ edge: cgpiod_edge) -> Bool {
    let former = lost
    if let last {
      // The count begins again at 0 after the largest number.
      let missing = edge.sequence == 0 ? (edge.asserted == last.asserted ? 1 : 0) : edge.sequence &- last.sequence &- 1
      lost += Int(missing)
    } else if edge.sequence > 1 {
      lost += Int(edge.sequence - 1)
    }
    last = edge
    return lost > former
  }

  /// The lost edges since the last call.
  mutating func takeLost() -> Int {
    defer { lost = 0 }
    return lost
  }
}
