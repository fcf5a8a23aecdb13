/// Times of the local clock that come again each week, with dates on which they are others: opening hours, for one. It
/// knows no zone and no clock; `CalendarSpans` finds what it means at an instant.
public struct WeekCalendar: Hashable, Sendable {
  /// A stretch of the local clock.
  public struct Range: Hashable, Sendable {
    public var start: TimeOfDay
    /// The first minute that is not in it; not after `start`: on the next day. Midnight is the end of the day.
    public var end: TimeOfDay

    public init(from start: TimeOfDay, to end: TimeOfDay) { (self.start, self.end) = (start, end) }

    /// It ends on the day after that on which it begins, even at its very beginning.
    public var endsNextDay: Bool { end <= start }

    /// `09:00-18:00`.
    public var text: String { "\(start.text)-\(end == .midnight ? "24:00" : end.text)" }
  }

  /// Days on which the week's times do not count.
  public struct Exception: Hashable, Sendable {
    public var first: CalendarDay
    public var last: CalendarDay
    public var ranges: [Range]

    public init(from first: CalendarDay, to last: CalendarDay, _ ranges: [Range]) {
      (self.first, self.last, self.ranges) = (first, last, ranges)
    }

    fileprivate func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }
  }

  /// The ranges of each day of the week; a range belongs to the day on which it begins. Days without any are left out.
  public var days: [Weekday: [Range]]
  /// A single date overrides a range of dates.
  public var exceptions: [Exception]

  public init(days: [Weekday: [Range]] = [:], exceptions: [Exception] = []) {
    (self.days, self.exceptions) = (days, exceptions)
  }

  /// What begins on a day.
  public func ranges(on day: CalendarDay) -> [Range] {
    let found = exceptions.filter { $0.contains(day) }
    if let exception = found.first(where: { $0.first == $0.last }) ?? found.first { return exception.ranges }
    return days[day.weekday] ?? []
  }

  /// The last day that is an exception; nil: none is.
  public var lastException: CalendarDay? { exceptions.map(\.last).max() }
}
