/// Replays and shortens the steps that lead to a failure.
extension RandomWalk {
  /// The violation that these steps lead to; nil where there is none.
  static func replay(_ seed: UInt64, _ steps: [Step], recovers: Bool) -> String? {
    var walk = RandomWalk(seed: seed)
    for (number, step) in steps.enumerated() {
      walk.world.take(step, walk.setup)
      if let violation = walk.world.violations.first { return "step \(number), \(step): \(violation)" }
    }
    return recovers ? walk.world.recovered(walk.setup).first : nil
  }

  /// Fewer steps that lead to the same failure, found by leaving some out.
  static func shortened(_ seed: UInt64, _ steps: [Step], recovers: Bool) -> [Step] {
    var steps = steps
    var size = max(steps.count / 2, 1)
    var tries = 0
    while size >= 1 && tries < 2_000 {
      var start = 0
      while start < steps.count && tries < 2_000 {
        tries += 1
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if replay(seed, fewer, recovers: recovers) != nil { steps = fewer } else { start += size }
      }
      size /= 2
    }
    // An edge and the opposite edge can often only be left out together.
    for later in steps.indices.reversed() {
      guard later < steps.count, let earlier = steps[..<later].lastIndex(of: steps[later]) else { continue }
      var fewer = steps
      fewer.remove(at: later)
      fewer.remove(at: earlier)
      if replay(seed, fewer, recovers: recovers) != nil { steps = fewer }
    }
    return steps
  }
}
