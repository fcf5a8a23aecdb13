import Jukebox

/// The edges that a bouncing contact makes.
public struct ContactBounce: Hashable, Sendable {
  /// The edges of a line whose contact bounces for `time` and then rests at `level`. The first comes at once, and the
  /// levels alternate. Intervals are 0.2 to 3 ms, the same for the same `seed`.
  public static func edges(of line: LineID, to level: Bool, bouncing time: Duration, seed: UInt64) -> [KeyEdge] {
    var edges = [KeyEdge(line: line, asserted: level, after: .zero)]
    var state = seed
    var passed = Duration.zero
    while time > .zero {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      passed += .microseconds(200 + Int64(state >> 33) % 2_800)
      if passed >= time { break }
      edges.append(KeyEdge(line: line, asserted: edges.count % 2 == 0 ? level : !level, after: passed))
    }
    if edges.last?.asserted != level { edges.append(KeyEdge(line: line, asserted: level, after: time)) }
    return edges
  }
}
