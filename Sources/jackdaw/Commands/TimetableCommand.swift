import Board
import BoardFiles
import Driver
import Files
import Glibc
import Jukebox

/// What the time of day brings, as the firmware would do it: by its own schedule, from one moment to the next.
struct TimetableCommand: Command {
  static let help = CommandHelp(
    name: "timetable",
    summary: "Show when it opens, closes, is quiet, and what the timetable does.",
    text: """
      One line for each time at which the settings have something happen, in this
      machine's time zone (TZ), with the distance from UTC:

          Fri 2026-11-27 09:00 +0000  opens
          Fri 2026-11-27 09:00 +0000  playlist week
          Fri 2026-11-27 17:45 +0000  cue closing
          Fri 2026-11-27 18:00 +0000  closes
          Fri 2026-11-27 20:00 +0000  quiet, at most 40
          Sat 2026-11-28 08:00 +0000  quiet no more

      Of a time that the clock shows twice, as when summer time ends, the first
      counts; one that it leaves out comes as soon as the clock goes on.

      Exit status: 0 good, 2 bad input.
      """,
    options: [
      KioskOptions.settings,
      CommandHelp.Parameter(
        name: "from", value: "date", expected: "a date", help: "The first day, such as 2026-12-24; without it today."),
      CommandHelp.Parameter(name: "days", value: "n", expected: "a number of days", help: "For so many days: 7."),
    ])

  private static let most = 3_660

  private let settings: String?
  private let first: CalendarDay?
  private let days: Int

  init(_ arguments: Arguments) throws(CommandError) {
    settings = arguments.option("settings")
    let from = arguments.option("from")
    first = from.flatMap { CalendarDay($0) }
    if let from, first == nil {
      throw CommandError("jackdaw: --from \(Wording.quoted(from)), expected a date such as 2026-12-24")
    }
    let count = arguments.option("days") ?? "7"
    guard let days = Int(count), (1...Self.most).contains(days) else {
      throw CommandError("jackdaw: --days \(Wording.quoted(count)), expected a number from 1 to \(Self.most)")
    }
    self.days = days
  }

  func run() throws(CommandError) -> ExitStatus {
    let file = settings
    let kiosk = try CommandError.about { () throws(FileError) in
      try file.map { path throws(FileError) in try SettingsFile.read(path, interrupters: nil) } ?? KioskSettings()
    }
    let zone = LocalZone.system
    let day = first?.number ?? zone.date(at: time(nil))
    let (start, end) = (zone.second(of: .midnight, on: day), zone.second(of: .midnight, on: day + days))
    let lines = Self.lines(kiosk, from: start, until: end, zone)
    for line in lines { Terminal.printLine(line) }
    if lines.isEmpty { Terminal.printLine("nothing happens by the clock in these days") }
    return .good
  }

  /// - Parameters:
  ///   - start: seconds since 1970, from which on the clock runs.
  ///   - end: the first second that no longer counts.
  static func lines(_ kiosk: KioskSettings, from start: Int, until end: Int, _ zone: LocalZone) -> [String] {
    let entries = kiosk.settings.timetable
    var schedule = ClockSchedule(kiosk.settings, zone: zone)
    let before = schedule.begin(at: WallTime(seconds: start - 1), isKnown: true)
    // Moments that were due in the last minute before do not belong to these days.
    _ = schedule.due(at: WallTime(seconds: start - 1), isKnown: true)
    var (wasOpen, wasQuiet) = (before.hours?.isWithin, before.quiet?.isWithin)
    var state = before.timetable ?? TimetableState()
    var lines: [String] = []
    var second = start
    while second < end {
      for input in schedule.due(at: WallTime(seconds: second), isKnown: true) {
        let happened: [String] =
          switch input {
          case .hours(let report): boundary(report, &wasOpen)
          case .quiet(let report): boundary(report, kiosk.settings.quiet, &wasQuiet)
          case .timetable(let found): changes(found, entries, &state)
          case .scheduled(let moment): [text(moment, entries)]
          case _: []
          }
        lines += happened.map { "\(stamp(second, zone))  \($0)" }
      }
      guard let next = schedule.next(after: WallTime(seconds: second)), next > second else { break }
      second = next
    }
    return lines
  }

  /// Nothing where nobody would notice.
  private static func boundary(_ report: HoursReport, _ wasOpen: inout Bool?) -> [String] {
    defer { wasOpen = report.isWithin }
    return report.isWithin == wasOpen ? [] : [report.isWithin == true ? "opens" : "closes"]
  }

  private static func boundary(
    _ report: HoursReport, _ settings: QuietSettings?, _ wasQuiet: inout Bool?
  ) -> [String] {
    defer { wasQuiet = report.isWithin }
    guard report.isWithin != wasQuiet, let ceiling = settings?.ceiling else { return [] }
    return [report.isWithin == true ? "quiet, at most \(ceiling)" : "quiet no more"]
  }

  private static func changes(
    _ found: TimetableState, _ entries: [TimetableEntry], _ state: inout TimetableState
  ) -> [String] {
    let moments = [
      found.playlist == state.playlist ? nil : found.playlist, found.volume == state.volume ? nil : found.volume,
      found.freePlay == state.freePlay ? nil : found.freePlay,
    ]
    state = found
    return moments.compactMap { $0 }.map { text($0, entries) }
  }

  private static func text(_ moment: TimetableMoment, _ entries: [TimetableEntry]) -> String {
    words(of: entries[moment.entry].action)
  }

  /// `cue closing`, `volume 40`, `free play` or `start`.
  static func words(of action: TimetableEntry.Action) -> String {
    switch action {
    case .start, .stop: return action.field.key
    case .freePlay(let isFree): return isFree ? "free play" : "free play no more"
    case .cue, .playlist, .volume: return "\(action.field.key) \(Wording.oneLine(action.field.value))"
    }
  }

  /// `Fri 2026-11-27 18:00 +0000`.
  private static func stamp(_ second: Int, _ zone: LocalZone) -> String {
    let offset = zone.offset(second)
    let shown = WallTime(seconds: second, offset: offset)
    let day = CalendarDay(year: shown.year, month: shown.month, day: shown.day)
    let minutes = abs(offset) / 60
    let distance = TimeOfDay(hour: minutes / 60, minute: minutes % 60).text.filter { $0 != ":" }
    let time = TimeOfDay(hour: shown.hour, minute: shown.minute)
    return "\(day.weekday.title) \(day.text) \(time.text) \(offset < 0 ? "-" : "+")\(distance)"
  }
}
