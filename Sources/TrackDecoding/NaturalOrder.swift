/// Orders names the way people do: `2 b` before `10 a`, `abba` beside `ABBA`. Total, so that any two listings agree,
/// and the same under every locale.
enum NaturalOrder {
  static func precedes(_ left: String, _ right: String) -> Bool {
    let order = compare(fold(left), fold(right))
    // Names that differ in case or leading zeros only still need one order.
    return order == 0 ? Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)) : order < 0
  }

  private static func fold(_ name: String) -> [Unicode.Scalar] { Array(name.lowercased().unicodeScalars) }

  private static func compare(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var i = 0
    var j = 0
    while i < left.count, j < right.count {
      let a = digits(left, from: i)
      let b = digits(right, from: j)
      if !a.isEmpty, !b.isEmpty {
        let order = compareNumbers(left[a], right[b])
        if order != 0 { return order }
        i = a.upperBound
        j = b.upperBound
      } else {
        if left[i] != right[j] { return left[i].value < right[j].value ? -1 : 1 }
        i += 1
        j += 1
      }
    }
    return (left.count - i) - (right.count - j)
  }

  private static func digits(_ name: [Unicode.Scalar], from start: Int) -> Range<Int> {
    var end = start
    while end < name.count, ("0"..."9").contains(name[end]) { end += 1 }
    return start..<end
  }

  /// As text, since a name may hold more digits than an integer.
  private static func compareNumbers(_ left: ArraySlice<Unicode.Scalar>, _ right: ArraySlice<Unicode.Scalar>) -> Int {
    let a = left.drop { $0 == "0" }
    let b = right.drop { $0 == "0" }
    if a.count != b.count { return a.count - b.count }
    for (x, y) in zip(a, b) where x != y { return x.value < y.value ? -1 : 1 }
    return 0
  }
}
