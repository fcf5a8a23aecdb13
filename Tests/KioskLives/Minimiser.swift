/// Finds fewer steps that still do it: Zeller and Hildebrandt's delta debugging (TSE 2002) over the steps of a life.
public enum Minimiser {
  /// - Parameters:
  ///   - steps: do it.
  ///   - most: tries that it may take.
  ///   - doesIt: the same answer for the same steps.
  public static func minimise<Step>(_ steps: [Step], most: Int, _ doesIt: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    var tries = 0
    var size = (steps.count + 1) / 2
    while size >= 1 {
      var hasShrunk = false
      var begin = 0
      while begin < steps.count && tries < most {
        var fewer = steps
        fewer.removeSubrange(begin..<min(begin + size, steps.count))
        tries += 1
        if doesIt(fewer) {
          steps = fewer
          hasShrunk = true
        } else {
          begin += size
        }
      }
      if tries >= most { break }
      // Once more over the same size, as what is gone may have been what held others.
      if !hasShrunk { size /= 2 }
    }
    return steps
  }
}
