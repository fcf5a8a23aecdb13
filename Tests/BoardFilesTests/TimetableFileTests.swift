import BoardFiles
import Files
import Jukebox
import Testing

/// `[[timetable]]` of the settings, and the times of cues.
@Suite struct TimetableFileTests {
  private func entries(_ text: String) throws(FileError) -> [TimetableEntry] {
    try SettingsFile.parse(Array(text.utf8), file: "s.toml").settings.timetable
  }

  private func time(_ hour: Int, _ minute: Int = 0) -> TimeOfDay { TimeOfDay(hour: hour, minute: minute) }

  @Test("H3, H3.1: several times, days, dates, and several things at once, in the order in which they are done")
  func everything() throws {
    let found = try entries(
      """
      [[timetable]]
      at = ["15:00", "12:00"]
      days = ["mon-tue", "sun"]
      dates = ["2026-12-24", "2026-12-27..2027-01-06"]
      cue = "offer"
      start = true
      volume = 40
      playlist = "week"
      [[timetable]]
      every = "90min"
      within = ["09:00-12:30", "22:00-02:00"]
      stop = true
      [[timetable]]
      every = 3600
      cue = "chime"
      """)
    let eve = CalendarDay(year: 2026, month: 12, day: 24)
    let holidays = CalendarDay(year: 2026, month: 12, day: 27)...CalendarDay(year: 2027, month: 1, day: 6)
    let actions: [TimetableEntry.Action] = [.playlist("week"), .volume(40), .start, .cue("offer")]
    let first = actions.map {
      TimetableEntry(
        $0, .at([time(12), time(15)]), days: [.monday, .tuesday, .sunday], dates: [eve...eve, holidays])
    }
    let ranges = [
      WeekCalendar.Range(from: time(9), to: time(12, 30)), WeekCalendar.Range(from: time(22), to: time(2)),
    ]
    let others = [
      TimetableEntry(.stop, .every(minutes: 90, within: ranges)),
      TimetableEntry(.cue("chime"), .every(minutes: 60, within: nil)),
    ]
    #expect(found == first + others)
  }

  @Test("J4.3: free play begins and ends by the timetable, wherever the credits stand in the file")
  func freePlay() throws {
    let found = try entries(
      """
      choice = "queue"
      [[timetable]]
      at = "17:00"
      free_play = true
      [[timetable]]
      at = "21:00"
      free_play = false
      volume = 40
      [credits]
      """)
    #expect(found.map(\.action) == [.freePlay(true), .volume(40), .freePlay(false)])
  }

  @Test("H3.1: cues have several times, days and dates of their own")
  func cues() throws {
    let found = try entries("[cues.a]\nat = ['12:00', '12:00', '09:30']\ndays = 'sat, sun'\ndates = '2026-12-26'")
    let date = CalendarDay(year: 2026, month: 12, day: 26)
    #expect(
      found == [
        TimetableEntry(.cue("a"), .at([time(9, 30), time(12)]), days: [.saturday, .sunday], dates: [date...date])
      ])
    #expect(try entries("[cues.a]\n") == [])
  }

  private static let keys = "at, every, within, days, dates, cue, playlist, volume, free_play, start or stop"
  private static let days = "expected days such as \"mon\", \"mon-fri\", \"sat, sun\" or \"daily\""
  private static let time = "expected at = \"12:00\" or every = \"30min\""

  private static func wrong(_ error: String, _ lines: String) -> Fault {
    Fault("s.toml:\(error)", text: "[[timetable]]\n\(lines)")
  }

  private static let faults: [Fault] = [
    wrong(
      "1: timetable: does nothing, expected one of cue, playlist, volume, free_play, start or stop", "at = '12:00'"),
    wrong("1: timetable: has no time, \(time)", "start = true"),
    wrong("1: timetable: has both at and every, \(time)", "at = '12:00'\nevery = '5min'\nstart = true"),
    wrong("3: timetable.credits: unknown key, expected \(keys)", "at = '12:00'\ncredits = 3\nstart = true"),
    wrong(
      "3: timetable.free_play: stands without credits, expected `[credits]` in this file",
      "at = '12:00'\nfree_play = true"),
    wrong("3: timetable.stop: stands beside start, expected one of them", "at = '12:00'\nstop = true\nstart = true"),
    wrong("3: timetable.start: found false, expected true, or no such line", "at = '12:00'\nstart = false"),
    wrong("3: timetable.volume: 101 is out of range, expected 0...100", "at = '12:00'\nvolume = 101"),
    wrong(
      "2: timetable.at: \"24:00\" is out of range, expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]",
      "at = '24:00'\nstart = true"),
    wrong(
      "2: timetable.at: names nothing, expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]",
      "at = []\nstart = true"),
    wrong(
      "2: timetable.every: is no whole number of minutes, expected one such as \"30min\"",
      "every = '90s'\nstart = true"),
    wrong(
      "2: timetable.every: \"10s\" is out of range, expected 1min...24h", "every = '10s'\nstart = true"),
    wrong(
      "3: timetable.within: stands without every, expected it beside that",
      "at = '12:00'\nwithin = '09:00-18:00'\nstart = true"),
    wrong("3: timetable.days: \"2026-12-24\" is no day, \(days)", "at = '12:00'\ndays = '2026-12-24'\nstart = true"),
    wrong("3: timetable.days: \"noday\" is no day in it, \(days)", "at = '12:00'\ndays = ['noday']\nstart = true"),
    wrong(
      "3: timetable.dates: \"mon\" is no date, expected dates such as \"2026-12-24\" or "
        + "\"2026-12-24..2027-01-06\", or an array of them", "at = '12:00'\ndates = 'mon'\nstart = true"),
    Fault("cues.a.days", "'mon'", "stands without `at`, expected the time of these days, too"),
  ]

  @Test("dates are good with any of the days in them")
  func daysOfDates() throws {
    for dates in ["'2026-12-24..2026-12-28'", "['2026-12-24', '2026-12-28']", "'2026-12-24..2027-12-24'"] {
      #expect(try entries("[[timetable]]\nat = '12:00'\ndays = 'mon'\ndates = \(dates)\nstart = true").count == 1)
    }
  }

  @Test("every fault is named with its line", arguments: faults)
  func fault(_ fault: Fault) { fault.check() }

  @Test("cues that are not in the folder are named with their lines")
  func unknownCue() throws {
    let text =
      "[[timetable]]\nat = '12:00'\nstart = true\n[[timetable]]\nat = '12:00'\ncue = 'b'\n[cues.c]\nat = '12:00'"
    let kiosk = try SettingsFile.parse(Array(text.utf8), file: "s.toml")
    #expect(
      errorTexts { () throws(FileError) in try kiosk.checkCues(["a"], in: "/c", file: "s.toml") }
        == ["6: timetable.cue: \"b\"", "7: cues.c: \"c\""].map { "s.toml:\($0) is no cue of /c, expected \"a\"" })
  }
}
