/// `[quiet]` of the settings: when nothing is louder than a ceiling (H4 rows).
public struct QuietSettings: Hashable, Sendable {
  public var calendar: WeekCalendar
  /// 0...100, of every port.
  public var ceiling: Int
  /// How long what sounds takes down to the ceiling, and back.
  public var fade: Duration

  public init(_ calendar: WeekCalendar, ceiling: Int, fade: Duration = .seconds(10)) {
    (self.calendar, self.ceiling, self.fade) = (calendar, ceiling, fade)
  }
}
