import AudioSession

/// A day of the local calendar.
public struct CalendarDay: Hashable, Comparable, Sendable {
  public var year: Int
  /// 1...12.
  public var month: Int
  /// 1...31.
  public var day: Int

  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// `2026-11-23`; nil for anything else, and for days that no calendar has.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
    guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (0x30..<0x3A).contains($0) }) else { return nil }
    let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else { return nil }
  }

  public var text: String { "\(String(year).zeroPadded(to: 4))-\(month.twoDigits)-\(day.twoDigits)" }

  /// The day after it.
  public var next: CalendarDay {
    if day < Self.days(in: month, of: year) { return CalendarDay(year: year, month: month, day: day + 1) }
    if month < 12 { return CalendarDay(year: year, month: month + 1, day: 1) }
    return CalendarDay(year: year + 1, month: 1, day: 1)
  }

  /// The day before it.
  public var previous: CalendarDay {
    if day > 1 { return CalendarDay(year: year, month: month, day: day - 1) }
    return CalendarDay(year: month > 1 ? year : year - 1, month: month > 1 ? month - 1 : 12, day: 1).lastOfMonth
  }

  /// The first day of its month.
  var monthStart: CalendarDay { CalendarDay(year: year, month: month, day: 1) }

  public static func < (a: CalendarDay, b: CalendarDay) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

  /// The last day of its month.
  public var lastOfMonth: CalendarDay {
    CalendarDay(year: year, month: month, day: Self.days(in: month, of: year))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
