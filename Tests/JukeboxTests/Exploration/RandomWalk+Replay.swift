@testable import Jukebox

/// The way to a failure.
extension RandomWalk {
  /// What goes wrong when these things happen one after the other; nil: nothing does.
  static func replay(_ seed: UInt64, _ steps: [Step], recovers: Bool) -> String? {
    var walk = RandomWalk(seed: seed)
    for (number, step) in steps.enumerated() {
      walk.world.take(step, walk.setup)
      if let complaint = walk.world.complaints.first { return "step \(number), \(step): \(complaint)" }
    }
    return recovers ? walk.world.recovered(walk.setup).first : nil
  }

  /// The same failure in fewer steps, as far as leaving some out shows.
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
    // An edge and the one that takes it back are only of use together.
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
