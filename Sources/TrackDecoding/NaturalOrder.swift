/// Orders names the way people do: `2 b` before `10 a`, `abba` beside `ABBA`. Total, so that any two listings agree,
/// and the same under every locale.
enum NaturalOrder {
  static func precedes(_ left: String, _ right: String) -> Bool { precedes(Key(left), Key(right)) }

  /// Each name is folded once: a folder may hold 100,000.
  static func sorted<Element>(_ elements: [Element], by name: (Element) -> String) -> [Element] {
    elements.map { (key: Key(name($0)), element: $0) }.sorted { precedes($0.key, $1.key) }.map(\.element)
  }

  private struct Key {
    var name: String
    var folded: [Unicode.Scalar]

    init(_ name: String) {
      self.name = name
      folded = Array(name.lowercased().unicodeScalars)
    }
  }

  private static func precedes(_ left: Key, _ right: Key) -> Bool {
    let order = compare(left.folded, right.folded)
    // Names that differ in case or leading zeros only still need one order.
    return order == 0 ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : order < 0
  }

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
