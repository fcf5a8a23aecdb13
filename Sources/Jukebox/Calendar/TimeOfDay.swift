/// A time of the local clock.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// 0...23.
  public var hour: Int
  /// 0...59.
  public var minute: Int

  public init(hour: Int, minute: Int) {
    self.hour = hour
    self.minute = minute
  }

  /// `09:05`, with two digits each; nil for anything else, and for times that no day has.
  public init?(_ text: String) {
    let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
    guard digits.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
    else { return nil }
    self.init(hour: digits[0] * 10 + digits[1], minute: digits[3] * 10 + digits[4])
    guard hour < 24, minute < 60 else { return nil }
  }

  public static let midnight = TimeOfDay(hour: 0, minute: 0)

  /// `09:05`.
  public var text: String { "\(hour.twoDigits):\(minute.twoDigits)" }

  public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { (a.hour, a.minute) < (b.hour, b.minute) }
}
