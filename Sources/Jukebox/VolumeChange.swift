/// What a command makes of a port's volume (K7.1).
enum VolumeChange: Hashable, Sendable {
  case to(Int)
  /// Up, or down where it is negative.
  case by(Int)

  /// What is right, for whoever typed something else.
  static let expected = "a whole number from 0 to 100, alone or behind + or -"

  /// - Parameter word: `40`, `+5` or `-5`.
  init?(_ word: String) {
    let sign = word.first.flatMap { ["+": 1, "-": -1][$0] }
    let digits = sign == nil ? word : String(word.dropFirst())
    guard digits.allSatisfy(\.isWholeNumber), let number = Int(digits), number <= 100 else { return nil }
    self = sign.map { .by($0 * number) } ?? .to(number)
  }

  /// What is asked for, which may be beyond the end of the range.
  func volume(from former: Int) -> Int {
    switch self {
    case .to(let volume): volume
    case .by(let step): former + step
    }
  }
}
