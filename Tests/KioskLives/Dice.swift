import Jukebox

/// What lives need of a generator: the same seed gives the same life on every machine.
struct Dice: RandomNumberGenerator {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func next() -> UInt64 { generator.next() }

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
