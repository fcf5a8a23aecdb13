import AudioSession

/// A contact on its way to a level: the edges it makes, one by one.
public struct ContactBounce: Hashable, Sendable {
  public struct Edge: Hashable, Sendable {
    public var after: Duration
    public var asserted: Bool
  }

  /// The edges of a contact that chatters for `time` and then rests at `level`; the first comes at once, and every one
  /// differs from the one before. Intervals are 0.2 to 3 ms, the same for the same `seed`.
  public static func edges(to level: Bool, chattering time: Duration, seed: UInt64) -> [Edge] {
    var edges = [Edge(after: .zero, asserted: level)]
    var state = seed
    var passed = Duration.zero
    while time > .zero {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      passed += .microseconds(200 + Int64(state >> 33) % 2_800)
      if passed >= time { break }
      edges.append(Edge(after: passed, asserted: edges.count % 2 == 0 ? level : !level))
    }
    if edges.last?.asserted != level { edges.append(Edge(after: time, asserted: level)) }
    return edges
  }
}
