/// Stretches of a file that its reader does not see: for it, what lies behind one follows what lies before it.
///
/// Other data may stand between any two frames of a long file, and the reader asks for four bytes at a time. So places
/// are found by halving.
struct HiddenStretches {
  private struct Hidden {
    var stretch: Range<Int>
    /// Bytes that are hidden before it.
    var before: Int

    var upTo: Int { before + stretch.count }
  }

  /// By rising offsets; they neither overlap nor touch one another.
  private var all: [Hidden] = []

  var isEmpty: Bool { all.isEmpty }

  mutating func hide(_ stretch: Range<Int>) {
    guard !stretch.isEmpty else { return }
    let first = all.partition { $0.stretch.upperBound >= stretch.lowerBound }
    let behind = all.partition { $0.stretch.lowerBound > stretch.upperBound }
    var whole = stretch
    if first < behind {
      let (low, high) = (all[first].stretch.lowerBound, all[behind - 1].stretch.upperBound)
      // It was hidden before.
      if behind == first + 1, low <= stretch.lowerBound, stretch.upperBound <= high { return }
      whole = min(low, stretch.lowerBound)..<max(high, stretch.upperBound)
    }
    all.replaceSubrange(first..<behind, with: [Hidden(stretch: whole, before: 0)])
    for index in first..<all.count { all[index].before = index > 0 ? all[index - 1].upTo : 0 }
  }

  /// Where in the file the reader's `offset` is.
  func place(_ offset: Int) -> Int {
    let index = all.partition { $0.stretch.lowerBound - $0.before > offset }
    return index > 0 ? offset + all[index - 1].upTo : offset
  }

  /// The reader's offset of a place in the file.
  func offset(_ place: Int) -> Int {
    let index = all.partition { $0.stretch.lowerBound > place }
    guard index > 0 else { return place }
    // A hidden position becomes the start of its stretch.
    let last = all[index - 1]
    return max(place - last.upTo, last.stretch.lowerBound - last.before)
  }

  /// The first visible place at or behind one, and where what is visible there ends.
  func visible(from place: Int) -> (start: Int, end: Int) {
    let next = all.partition { $0.stretch.upperBound > place }
    guard next < all.count else { return (place, .max) }
    guard all[next].stretch.contains(place) else { return (place, all[next].stretch.lowerBound) }
    // Stretches do not touch one another.
    return (all[next].stretch.upperBound, next + 1 < all.count ? all[next + 1].stretch.lowerBound : .max)
  }
}

extension Array {
  /// The index of the first for which `isBehind` holds, as it does for all that follow that one.
  func partition(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
