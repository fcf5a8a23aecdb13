import Files
import Jukebox
import Testing

@testable import BoardFiles

/// `[quiet]` of the settings.
@Suite struct QuietFileTests {
  private func quiet(_ text: String) throws -> QuietSettings? {
    try SettingsFile.parse(Array(text.utf8), file: "s.toml").settings.quiet
  }

  private func range(_ start: Int, _ end: Int) -> WeekCalendar.Range {
    WeekCalendar.Range(from: TimeOfDay(hour: start, minute: 0), to: TimeOfDay(hour: end, minute: 0))
  }

  @Test("H4: on one line, as a table, and not at all")
  func forms() throws {
    var daily = WeekCalendar()
    for day in Weekday.allCases { daily.days[day] = [range(20, 8)] }
    let expected = QuietSettings(daily, ceiling: 40, fade: .seconds(10))
    #expect(try quiet("quiet = { at = '20:00-08:00', ceiling = 40 }") == expected)
    #expect(try quiet("[quiet]\nat = ['20:00-08:00']\nceiling = 40\nfade = '10s'") == expected)
    #expect(try quiet("[quiet]\ndaily = ['20:00-08:00']\nceiling = 40") == expected)
    #expect(try quiet("") == nil)
    #expect(try quiet("quiet = { at = '20:00-08:00', ceiling = 0, fade = 0 }")?.fade == .zero)
  }

  @Test("H4, H2.4: days and dates of their own go before `at`")
  func days() throws {
    let text =
      "[quiet]\nat = ['13:00-15:00', '20:00-08:00']\nsat = ['22:00-09:00']\nsun = []\n2026-12-31 = []\nceiling = 9"
    let calendar = try #require(try quiet(text)).calendar
    #expect(calendar.days[.friday] == [range(13, 15), range(20, 8)] && calendar.days[.saturday] == [range(22, 9)])
    #expect(calendar.days[.sunday] == nil && calendar.days.count == 6)
    #expect(calendar.ranges(on: CalendarDay(year: 2026, month: 12, day: 31)) == [])
  }

  private static let times = "times such as \"20:00-08:00\", or an array of them, one after the other"

  private static let faults = [
    ("quiet = 40", ["s.toml:1: quiet: found 40, expected a table"]),
    ("[quiet]\nceiling = 40", ["s.toml:1: quiet.at: missing, expected \(times)"]),
    ("[quiet]\nat = '20:00-08:00'", ["s.toml:1: quiet.ceiling: missing, expected a whole number 0...100"]),
    (
      "[quiet]\nat = '20-8'\nceiling = 101",
      [
        "s.toml:2: quiet.at: \"20-8\" is no such stretch, expected \(times)",
        "s.toml:3: quiet.ceiling: 101 is out of range, expected 0...100",
      ]
    ),
    ("[quiet]\nat = 8\nceiling = 4", ["s.toml:2: quiet.at: found 8, expected \(times)"]),
    (
      "[quiet]\nat = '20:00-08:00'\nceiling = 4\nfade = '11min'",
      ["s.toml:4: quiet.fade: \"11min\" is out of range, expected 0 or 1ms...10min"]
    ),
    (
      "[quiet]\nat = '20:00-08:00'\nceling = 4\nceiling = 4",
      ["s.toml:3: quiet.celing: unknown key, did you mean ceiling?"]
    ),
    (
      "[hours]\nmon = []\nquiet = { at = '20:00-08:00', ceiling = 4 }",
      ["s.toml:3: hours.quiet: stands in [hours], expected above the first [table] of the file"]
    ),
  ]

  @Test("every fault is named with its line", arguments: faults)
  func fault(_ text: String, _ errors: [String]) {
    #expect(errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") } == errors)
  }
}
