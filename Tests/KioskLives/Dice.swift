/// Steele, Lea and Flood's generator (OOPSLA 2014), and what lives need of it: the same seed gives the same life on every
/// machine.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True in `percent` of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  mutating func one<Value>(_ first: Value, _ more: Value...) -> Value {
    let index = number(0...more.count)
    return index == 0 ? first : more[index - 1]
  }

  /// Small numbers are as likely as large ones, digit for digit: mostly of times in microseconds.
  mutating func time(_ least: Int, _ most: Int) -> Int {
    let width = number(Self.width(of: least)...Self.width(of: most))
    return number(max(least, 1 << (width - 1))...min(most, 1 << width - 1))
  }

  private static func width(of number: Int) -> Int { Int.bitWidth - max(number, 1).leadingZeroBitCount }
}
