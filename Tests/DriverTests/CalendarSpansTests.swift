import Jukebox
import Testing

@testable import Driver

/// What a week's times mean at an instant.
@Suite struct CalendarSpansTests {
  /// Central Europe in 2026: an hour ahead of UTC, two from 29 March 01:00 UTC to 25 October 01:00 UTC.
  private static let europe = LocalZone { (1_774_746_000..<1_792_890_000).contains($0) ? 7_200 : 3_600 }
  private static let week = [Weekday.monday, .tuesday, .wednesday, .thursday, .friday]

  /// Seconds since 1970 at a moment of 2026, UTC.
  private static func at(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) -> Int {
    CalendarDay(year: 2026, month: month, day: day).number * 86_400 + hour * 3_600 + minute * 60
  }

  private static func range(_ text: String) -> WeekCalendar.Range {
    let ends = text.split(separator: "-").map { TimeOfDay(String($0)) ?? .midnight }
    return WeekCalendar.Range(from: ends[0], to: ends[1])
  }

  private static func daily(_ texts: String...) -> WeekCalendar {
    WeekCalendar(days: Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, texts.map(range)) }))
  }

  private static func shop() -> WeekCalendar {
    var calendar = WeekCalendar()
    for day in week { calendar.days[day] = [range("09:00-12:30"), range("14:00-18:00")] }
    calendar.days[.saturday] = [range("10:00-16:00")]
    calendar.exceptions = [
      WeekCalendar.Exception(from: day(12, 24), to: day(12, 31), []),
      WeekCalendar.Exception(from: day(12, 28), to: day(12, 28), [range("10:00-11:00")]),
    ]
    return calendar
  }

  private static func day(_ month: Int, _ day: Int) -> CalendarDay { CalendarDay(year: 2026, month: month, day: day) }

  /// The boundaries of a stretch of time, as the local clock shows them, by walking from one to the next.
  private static func walk(_ calendar: WeekCalendar, from start: Int, until end: Int, _ zone: LocalZone) -> [String] {
    var spans = CalendarSpans(calendar, zone: zone)
    var found: [String] = []
    var second = start
    while let next = spans.span(at: second).until, next < end {
      found.append("\(spans.boundary(at: next).text)\(spans.span(at: next).isWithin ? " opens" : "")")
      second = next
    }
    return found
  }

  @Test("H2.4: days, ranges, a stretch of dates, and a single date in it")
  func shop() {
    let found = Self.walk(Self.shop(), from: Self.at(12, 18, 0), until: Self.at(12, 31, 0), .utc)
    #expect(
      found == [
        "2026-12-18 09:00 opens", "2026-12-18 12:30", "2026-12-18 14:00 opens", "2026-12-18 18:00",
        "2026-12-19 10:00 opens", "2026-12-19 16:00",
        "2026-12-21 09:00 opens", "2026-12-21 12:30", "2026-12-21 14:00 opens", "2026-12-21 18:00",
        "2026-12-22 09:00 opens", "2026-12-22 12:30", "2026-12-22 14:00 opens", "2026-12-22 18:00",
        "2026-12-23 09:00 opens", "2026-12-23 12:30", "2026-12-23 14:00 opens", "2026-12-23 18:00",
        "2026-12-28 10:00 opens", "2026-12-28 11:00",
      ])
  }

  @Test("H2.4: over midnight, over an exception, and what touches is one range")
  func night() {
    var bar = Self.daily("20:00-02:00")
    bar.exceptions = [WeekCalendar.Exception(from: Self.day(5, 2), to: Self.day(5, 2), [])]
    let found = Self.walk(bar, from: Self.at(5, 1, 12), until: Self.at(5, 3, 23), .utc)
    #expect(found == ["2026-05-01 20:00 opens", "2026-05-02 02:00", "2026-05-03 20:00 opens"])
    let touching = Self.daily("00:00-06:00", "18:00-24:00")
    let days = Self.walk(touching, from: Self.at(5, 1, 12), until: Self.at(5, 3, 0), .utc)
    #expect(
      days == ["2026-05-01 18:00 opens", "2026-05-02 06:00", "2026-05-02 18:00 opens"])
    // Overlapping ones of two days, too.
    let overlapping = Self.daily("22:00-10:00", "09:00-12:00")
    #expect(
      Self.walk(overlapping, from: Self.at(5, 1, 12), until: Self.at(5, 2, 21), .utc)
        == ["2026-05-01 22:00 opens", "2026-05-02 12:00"])
  }

  @Test("H2.4: always open has no boundary, and so has never")
  func always() {
    var always = CalendarSpans(Self.daily("00:00-24:00"), zone: Self.europe)
    #expect(always.span(at: Self.at(3, 29, 1)).isWithin && always.span(at: Self.at(3, 29, 1)).until == nil)
    var never = CalendarSpans(WeekCalendar(), zone: .utc)
    #expect(!never.span(at: Self.at(3, 29, 1)).isWithin && never.span(at: Self.at(3, 29, 1)).until == nil)
    // A single day in a year to come.
    let late = CalendarDay(year: 2029, month: 2, day: 3)
    var once = CalendarSpans(
      WeekCalendar(exceptions: [WeekCalendar.Exception(from: late, to: late, [Self.range("10:00-11:00")])]), zone: .utc)
    #expect(once.span(at: Self.at(1, 1, 0)).until == late.number * 86_400 + 36_000)
    // Open except for one day of another month.
    var holiday = Self.daily("00:00-24:00")
    holiday.exceptions = [WeekCalendar.Exception(from: Self.day(12, 25), to: Self.day(12, 25), [])]
    var spans = CalendarSpans(holiday, zone: .utc)
    #expect(spans.span(at: Self.at(3, 1, 0)).until == Self.at(12, 25, 0))
  }

  @Test("H2.1: what the clock shows twice counts first, and what it leaves out when it goes on")
  func summerTime() {
    let night = Self.daily("22:00-02:30")
    #expect(
      Self.walk(night, from: Self.at(3, 28, 12), until: Self.at(3, 29, 12), Self.europe)
        == ["2026-03-28 22:00 opens", "2026-03-29 03:00"])
    let autumn = Self.walk(night, from: Self.at(10, 24, 12), until: Self.at(10, 25, 12), Self.europe)
    #expect(autumn == ["2026-10-24 22:00 opens", "2026-10-25 02:30"])
    // The first of both: an hour later by UTC it is half past two again, and closed.
    var spans = CalendarSpans(night, zone: Self.europe)
    #expect(spans.span(at: Self.at(10, 25, 0, 29)).isWithin && !spans.span(at: Self.at(10, 25, 0, 30)).isWithin)
    #expect(!spans.span(at: Self.at(10, 25, 1, 15)).isWithin)
    // A range within the gap is none.
    let gap = Self.walk(
      Self.daily("02:10-02:40"), from: Self.at(3, 29, 0), until: Self.at(3, 30, 0, 5), Self.europe)
    #expect(gap == [])
  }

  @Test("H2.1: a clock that is set back finds what was true then")
  func jumps() {
    var spans = CalendarSpans(Self.shop(), zone: .utc)
    #expect(spans.span(at: Self.at(12, 27, 12)).until == Self.at(12, 28, 10))
    #expect(spans.span(at: Self.at(12, 21, 10)).isWithin)
    #expect(!spans.span(at: Self.at(12, 20, 10)).isWithin)
    for hour in stride(from: 0, to: 24 * 400, by: 7) {
      let second = Self.at(1, 1, 0) + (hour * 9_973) % (24 * 400) * 3_600
      var fresh = CalendarSpans(Self.shop(), zone: .utc)
      let (found, expected) = (spans.span(at: second), fresh.span(at: second))
      #expect(found.isWithin == expected.isWithin && found.until == expected.until)
    }
  }

  @Test("days are counted from 1970 on, and have their names")
  func days() {
    for number in stride(from: -40_000, to: 60_000, by: 13) { #expect(CalendarDay(number: number).number == number) }
    #expect(CalendarDay(year: 2026, month: 11, day: 27).weekday == .friday)
    #expect(CalendarDay(year: 2024, month: 2, day: 29).next.number == CalendarDay(year: 2024, month: 3, day: 1).number)
    #expect(CalendarDay(year: 1969, month: 12, day: 31).weekday == .wednesday)
  }
}
