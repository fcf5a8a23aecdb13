/// Finds fewer steps that still fail: Zeller and Hildebrandt's delta debugging (TSE 2002) over the steps of a workload.
public enum Shrinker {
  /// - Parameters:
  ///   - steps: a list that fails.
  ///   - mostTries: calls of `fails` that it may take.
  ///   - fails: returns the same for the same steps.
  public static func shrink<Step>(_ steps: [Step], mostTries: Int, _ fails: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    var tries = 0
    var size = (steps.count + 1) / 2
    while size >= 1 {
      var hasShrunk = false
      var begin = 0
      while begin < steps.count && tries < mostTries {
        var fewer = steps
        fewer.removeSubrange(begin..<min(begin + size, steps.count))
        tries += 1
        if fails(fewer) {
          steps = fewer
          hasShrunk = true
        } else {
          begin += size
        }
      }
      if tries >= mostTries { break }
      // Once more with the same size, because a step that is gone may have been the only need for others.
      if !hasShrunk { size /= 2 }
    }
    return steps
  }
}
