import Board
import Files
import Glibc
import Jukebox
import Storage

struct ReportCommand: Command {
  static let help = CommandHelp(
    name: "report",
    summary: "Show what was listened to: a table, JSON or a page.",
    text: """
      Reads the counters beside the firmware's state, whether it runs or not; what was
      heard since the last save (`save_interval`) is missing. Each track with its
      starts, the time heard, how its listens ended and how far they came; listens by
      day and by the hour of the day; and how the board fares.

      The page of --html is one file that fetches nothing: it opens from a stick on
      any computer, and prints.

      The state folder is that of the settings, else where `run` keeps it without
      settings; --state names one directly, as a copy on another computer.

      Exit status: 0 good, also where nothing was counted yet; 1 it cannot be read;
      2 bad usage or input.
      """,
    options: [
      KioskOptions.settings, KioskOptions.board(or: "auto"),
      CommandHelp.Parameter(
        name: "state", value: "folder", expected: "a folder", help: "The state folder, instead of the settings' one."),
      CommandHelp.Parameter(
        name: "from", value: "date", expected: "a date, as 2026-11-01", help: "The first day, as 2026-11-01."),
      CommandHelp.Parameter(
        name: "to", value: "date", expected: "a date, as 2026-11-30", help: "The last day, as 2026-11-30."),
      CommandHelp.Parameter(name: "json", expected: "", help: "Print JSON."),
      CommandHelp.Parameter(
        name: "html", value: "file", expected: "a file", help: "Write a page for a browser into this file."),
    ], section: KioskOptions.boards)

  private let options: KioskOptions
  private let state: String?
  private let first: CalendarDay?
  private let last: CalendarDay?
  private let isJSON: Bool
  private let page: String?

  init(_ arguments: Arguments) throws(CommandError) {
    options = KioskOptions(arguments)
    state = arguments.option("state")
    first = try Self.day("from", arguments)
    last = try Self.day("to", arguments)
    isJSON = arguments.flag("json")
    page = arguments.option("html")
    if let first, let last, last < first {
      throw CommandError("jackdaw: --to \(last.text) is before --from \(first.text)")
    }
    if isJSON && page != nil { throw CommandError("jackdaw: --json and --html, expected one of them") }
  }

  private static func day(_ option: String, _ arguments: Arguments) throws(CommandError) -> CalendarDay? {
    guard let text = arguments.option(option) else { return nil }
    if let day = CalendarDay(text) { return day }
    throw CommandError("jackdaw: --\(option) \(Wording.quoted(text)), expected a date, as 2026-11-01")
  }

  func run() throws(CommandError) -> ExitStatus {
    let folder = try folder()
    var report = ListeningReport(try Self.periods(in: folder), from: first, to: last)
    // Without it, only the hours played are missing.
    let state = StateStore(path: FileAccess.join(folder, "state.toml")).read().state
    report.played = state.map { .seconds($0.played) }
    if let page {
      try Self.write(ReportPage(report: report, made: SystemWallClock().now).text, to: page)
      Terminal.printLine("\(Wording.path(page)): \(report.sum.starts) listens, \(report.tracks.count) tracks")
    } else if isJSON {
      Terminal.printLine(ReportJSON(report: report).value.text)
    } else {
      Terminal.printLine(ReportTable(report: report, isUnicode: Environment.isUTF8).text)
    }
    return .good
  }

  private func folder() throws(CommandError) -> String {
    if let state { return state }
    var named: String?
    if options.settings != nil {
      named = try ChosenSettings(options.settings, for: ChosenBoard(options.board ?? "auto")).settings.state
    }
    if let folder = StatePlace.path(named) { return folder }
    throw CommandError("jackdaw: no state folder, expected --settings or --state", status: .problem)
  }

  private static func periods(in folder: String) throws(CommandError) -> [CountedPeriod] {
    if access(folder, F_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw CommandError("jackdaw: \(Wording.path(folder)): \(reason), expected the state folder", status: .problem)
    }
    let found = CountsStore(folder: folder).readAll()
    return CountedHistory.all(current: try content(of: found.current)?.current, past: try content(of: found.past))
      .filter { !$0.isEmpty }
  }

  /// What a file holds. One that is older than it should be is reported, and used.
  private static func content<Content>(of found: StoredGeneration<Content>) throws(CommandError) -> Content? {
    switch found {
    case .nothing: return nil
    case .newest(let content): return content
    case .older(let content, let reason):
      Terminal.printError("jackdaw: \(reason); the save before it is used")
      return content
    case .unreadable(let reason): throw CommandError("jackdaw: \(reason)", status: .problem)
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      done += count
    }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError("jackdaw: \(Wording.path(path)): \(String(cString: strerror(errno)))", status: .problem)
  }
}
