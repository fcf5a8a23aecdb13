import BoardFiles
import Files
import Jukebox
import Testing

/// `[hours]` of the settings.
@Suite struct HoursFileTests {
  private func hours(_ text: String) throws(FileError) -> HoursSettings? {
    try SettingsFile.parse(Array("[hours]\n\(text)".utf8), file: "s.toml").settings.hours
  }

  private func range(_ start: Int, _ end: Int, _ minute: Int = 0) -> WeekCalendar.Range {
    WeekCalendar.Range(from: TimeOfDay(hour: start, minute: 0), to: TimeOfDay(hour: end, minute: minute))
  }

  @Test("days, several and around the weekend, dates and stretches of them, and what closing and opening do")
  func everything() throws {
    let found = try #require(
      try hours(
        """
        mon-wed = ["09:00-12:30", "14:00-18:00"]
        "thu, fri" = ["22:00-02:00"]
        sat-sun = ["00:00-24:00"]
        2026-12-24 = []
        "2026-12-25..2027-01-06" = ["10:00-16:00"]
        closing = "track"
        closing_fade = "10s"
        opening = "resume"
        """))
    var days: [Weekday: [WeekCalendar.Range]] = [:]
    for day in [Weekday.monday, .tuesday, .wednesday] { days[day] = [range(9, 12, 30), range(14, 18)] }
    for day in [Weekday.thursday, .friday] { days[day] = [range(22, 2)] }
    for day in [Weekday.saturday, .sunday] { days[day] = [range(0, 0)] }
    let (eve, first) = (CalendarDay(year: 2026, month: 12, day: 24), CalendarDay(year: 2026, month: 12, day: 25))
    let exceptions = [
      WeekCalendar.Exception(from: eve, to: eve, []),
      WeekCalendar.Exception(from: first, to: CalendarDay(year: 2027, month: 1, day: 6), [range(10, 16)]),
    ]
    let calendar = WeekCalendar(days: days, exceptions: exceptions)
    #expect(found == HoursSettings(calendar, closing: .track, fade: .seconds(10), opening: .resume))
  }

  @Test("daily, days around the end of the week, and what is left out")
  func short() throws {
    #expect(try hours("daily = ['08:00-20:00']")?.calendar.days.count == 7)
    #expect(try hours("sat-mon = ['08:00-20:00']")?.calendar.days.keys.contains(.sunday) == true)
    let found = try #require(try hours("sun = []"))
    #expect(found == HoursSettings(WeekCalendar()) && found.closing == .now && found.fade == .seconds(3))
    #expect(try SettingsFile.parse([], file: "s.toml").settings.hours == nil)
  }

  private static let days =
    "a day such as mon, days such as mon-fri or \"sat, sun\", daily, a date such as 2026-12-24, or dates such as "
    + "\"2026-12-24..2027-01-06\""
  private static let times = "times such as \"09:00-18:00\", \"22:00-02:00\" or \"00:00-24:00\""
  private static let array = "an array of times such as [\"09:00-12:30\", \"14:00-18:00\"], one after the other"

  private static let faults = [
    Fault("s.toml:1: hours: names no day, expected one such as mon-fri = [\"09:00-18:00\"]", text: "[hours]"),
    Fault("hours.montag", "[]", "is no day, expected \(days)"),
    Fault("s.toml:2: hours.2026-02-30: is no day, expected \(days)", text: "[hours]\n2026-02-30 = []"),
    Fault(
      "s.toml:2: hours.\"2026-12-26..2026-12-24\": is no day, expected \(days)",
      text: "[hours]\n'2026-12-26..2026-12-24' = []"),
    Fault("s.toml:3: hours.closin: unknown key, did you mean closing?", text: "[hours]\nmon = []\nclosin = 'now'"),
    Fault(
      "s.toml:3: hours.mon-fri: wed is on line 2 already, expected each day once",
      text: "[hours]\nwed = []\nmon-fri = []"),
    Fault(
      "s.toml:4: hours.\"2026-12-26..2026-12-30\": meets line 3, expected each date once",
      text: "[hours]\n2026-12-27 = []\n'2026-12-20..2026-12-26' = []\n'2026-12-26..2026-12-30' = []"),
    Fault("hours.mon", "'09:00'", "found \"09:00\", expected \(array)"),
    Fault("hours.mon", "['9-18']", "\"9-18\" is no such stretch in it, expected \(array)"),
    Fault(
      "s.toml:2: hours.mon: \"09:00-09:00\" has no length or no end, which is 24:00 at the latest in it, "
        + "expected \(array)", text: "[hours]\nmon = ['09:00-09:00']"),
    Fault("hours.mon", "['09:00-12:00', '12:00-18:00']", "12:00-18:00 is not behind 09:00-12:00, expected \(array)"),
    Fault(
      "s.toml:3: hours.opening: \"start\" is unknown, expected nothing, play or resume",
      text: "[hours]\nmon = []\nopening = 'start'"),
    Fault(
      "s.toml:3: hours.closing_fade: \"2min\" is out of range, expected 0 or 1ms...1min",
      text: "[hours]\nmon = []\nclosing_fade = '2min'"),
    Fault(
      "s.toml:3: hours.start_volume: stands in [hours], expected above the first [table] of the file",
      text: "[hours]\nmon = []\nstart_volume = 40"),
    Fault(
      "s.toml:2: tokens.A.hours: \"shut\" is unknown, expected open, closed or auto",
      text: "[tokens]\nA = { hours = 'shut' }"),
    Fault(
      "s.toml:2: tokens.A.hours: stands without hours to open or close, expected `[hours]` in this file",
      text: "[tokens]\nA = { hours = 'open' }"),
  ]

  @Test("every fault is named with its line", arguments: faults)
  func fault(_ fault: Fault) { fault.check() }

  @Test("a token opens and closes")
  func tokens() throws {
    let text = "[hours]\ndaily = ['09:00-18:00']\n[tokens]\nNIGHT = { hours = 'closed' }\nDAY = { hours = 'auto' }"
    let tokens = try SettingsFile.parse(Array(text.utf8), file: "s.toml").settings.tokens
    #expect(tokens == ["NIGHT": .hours(.closed), "DAY": .hours(.auto)])
  }
}
