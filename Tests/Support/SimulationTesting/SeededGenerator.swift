import Jukebox

/// Random choices for workloads: the same seed gives the same choices on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True in `percent` of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { integer(0...99) < percent }

  mutating func pick<Value>(_ first: Value, _ more: Value...) -> Value {
    let index = integer(0...more.count)
    return index == 0 ? first : more[index - 1]
  }

  /// Roughly log-uniform: every number of binary digits is equally likely. Used for times in microseconds.
  mutating func logUniform(_ least: Int, _ most: Int) -> Int {
    let width = integer(Self.width(of: least)...Self.width(of: most))
    return integer(max(least, 1 << (width - 1))...min(most, 1 << width - 1))
  }

  private static func width(of number: Int) -> Int { Int.bitWidth - max(number, 1).leadingZeroBitCount }
}
