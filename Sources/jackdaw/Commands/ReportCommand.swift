import Board
import CLinux
import Files
import Glibc
import Jukebox

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
      settings; --state names one directly, as a copy on another computer. --boards
      adds up several boards. It takes of each a copy of its state folder or its
      table, and of a fleet what mosquitto_sub -v -t jackdaw/+/stats has printed.

      Exit status: 0 good, also where nothing was counted yet; 1 it cannot be read;
      2 bad usage or input.
      """,
    options: [
      KioskOptions.settings, KioskOptions.board(or: "auto"),
      CommandHelp.Parameter(
        name: "state", value: "folder", expected: "a folder", help: "The state folder, instead of the settings' one."),
      CommandHelp.Parameter(
        name: "boards", value: "folder", expected: "a folder",
        help: """
          A folder with a state folder or a NAME.csv of each
          board, or a NAME.stats of a fleet: they are added
          up.
          """),
      CommandHelp.Parameter(
        name: "name", value: "name", expected: "a name",
        help: """
          The board's name in the report, instead of the one
          in the settings' [fleet].
          """),
      CommandHelp.Parameter(
        name: "from", value: "date", expected: "a date, as 2026-11-01", help: "The first day, as 2026-11-01."),
      CommandHelp.Parameter(
        name: "to", value: "date", expected: "a date, as 2026-11-30", help: "The last day, as 2026-11-30."),
      CommandHelp.Parameter(name: "json", expected: "", help: "Print JSON."),
      CommandHelp.Parameter(
        name: "html", value: "file", expected: "a file", help: "Write a page for a browser into this file."),
      CommandHelp.Parameter(
        name: "csv", value: "file", expected: "a file", help: "Write a table for a spreadsheet into this file."),
    ], section: KioskOptions.boards)

  private let options: KioskOptions
  private let state: String?
  private let first: CalendarDay?
  private let last: CalendarDay?
  private let isJSON: Bool
  private let page: String?
  private let table: String?
  private let boards: String?
  private let named: String?

  init(_ arguments: Arguments) throws(CommandError) {
    options = KioskOptions(arguments)
    state = arguments.option("state")
    first = try Self.day("from", arguments)
    last = try Self.day("to", arguments)
    isJSON = arguments.flag("json")
    page = arguments.option("html")
    table = arguments.option("csv")
    boards = arguments.option("boards")
    named = arguments.option("name")
    if let first, let last, last < first {
      throw CommandError("jackdaw: --to \(last.text) is before --from \(first.text)")
    }
    let forms = ["json", "html", "csv"].filter { arguments.flag($0) || arguments.option($0) != nil }
    let places = ["state", "boards"].filter { arguments.option($0) != nil }
    let ofOne = ["boards", "name", "board", "settings"].filter { arguments.option($0) != nil }
    for given in [forms, places, boards == nil ? [] : ofOne] where given.count > 1 {
      throw CommandError("jackdaw: --\(given[0]) and --\(given[1]), expected one of them")
    }
    // The board says what is beside the settings, and nothing without them.
    if arguments.option("board") != nil && arguments.option("settings") == nil {
      throw CommandError("jackdaw: --board without --settings, expected both")
    }
  }

  private static func day(_ option: String, _ arguments: Arguments) throws(CommandError) -> CalendarDay? {
    guard let text = arguments.option(option) else { return nil }
    if let day = CalendarDay(text) { return day }
    throw CommandError("jackdaw: --\(option) \(Wording.quoted(text)), expected a date, as 2026-11-01")
  }

  func run() throws(CommandError) -> ExitStatus {
    let report = ListeningReport(try sources(), from: first, to: last)
    if let page {
      try Self.write(ReportPage(report: report, made: SystemWallClock().now).text, to: page)
      Terminal.printLine("\(Wording.path(page)): \(report.sum.starts) listens, \(report.tracks.count) tracks")
    } else if let table {
      let rows = ReportCSV(report)
      try Self.write(rows.text, to: table)
      Terminal.printLine("\(Wording.path(table)): \(rows.rows.count) rows")
    } else if isJSON {
      Terminal.printLine(ReportJSON(report: report).value.text)
    } else {
      Terminal.printLine(ReportTable(report: report, isUnicode: Environment.isUTF8).text)
    }
    return .good
  }

  private func sources() throws(CommandError) -> [ReportSource] {
    if let boards { return try ReportSource.all(in: boards) }
    let chosen = try options.settings.map { (file) throws(CommandError) in
      try ChosenSettings(file, for: ChosenBoard(options.board ?? "auto"))
    }
    guard let folder = state ?? StatePlace.path(chosen?.settings.state, for: R_OK) else {
      throw CommandError(
        "jackdaw: no state folder, expected --settings, --state or --boards", status: .problem)
    }
    // That of the settings may be empty, as before the first start.
    if let state, access(state, F_OK) == 0, !StatePlace.mayBeKept(in: state) {
      throw CommandError(
        "jackdaw: \(Wording.path(state)): \(ReportSource.noState), expected the state folder", status: .problem)
    }
    let name = named ?? chosen.flatMap { $0.settings.fleet.name ?? $0.settings.fleet.id } ?? ""
    var source = try ReportSource(state: folder, name: name)
    // The table on the terminal has file names only, and need not wait for a thousand files to be opened.
    if let chosen, page != nil || table != nil || isJSON {
      let names = Set(source.periods.flatMap(\.names))
      source.titles = TrackTitles.read(names, in: chosen.music, state: folder)
    }
    return [source]
  }

  /// Writes a file beside its place, and moves it there once it is whole. What a new file would not be the same as is
  /// written as it is: what is no file, such as `/dev/stdout`, what belongs to somebody else, and what may not be written.
  /// So is whatever is in a folder that may not be changed, and what is mounted there.
  private static func write(_ text: String, to path: String, mayMove: Bool = true) throws(CommandError) {
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let mayBeMoved = isThere ? isReplaceable(path, status) && access(path, W_OK) == 0 : errno == ENOENT
    let folder = FileAccess.folder(of: path)
    let isMoved = mayMove && mayBeMoved && access(folder.isEmpty ? "." : folder, W_OK) == 0
    let place = isMoved ? "\(path).new" : path
    // Somebody may have put a link there, which would be followed.
    if isMoved { unlink(place) }
    let mode = isMoved && isThere ? status.st_mode & 0o777 : 0o644
    let file = open(place, O_WRONLY | O_CREAT | O_CLOEXEC | (isMoved ? O_EXCL : O_TRUNC), mode)
    guard file >= 0 else { throw failure(path, errno) }
    var code = FileAccess.write(text, to: file)
    if isMoved {
      // Opening it has left out what the process gives nobody, and a folder may give its files another group.
      if code == 0, isThere, fchown(file, uid_t.max, status.st_gid) != 0 || fchmod(file, mode) != 0 { code = errno }
      if code == 0, fsync(file) != 0 || rename(place, path) != 0 { code = errno }
      if code != 0 { unlink(place) }
    }
    close(file)
    // Only the kernel knows that it is mounted, as files of a container are.
    if isMoved, code == EBUSY { return try write(text, to: path, mayMove: false) }
    if code != 0 { throw failure(path, code) }
  }

  /// Whether a new file in its place can have the owner and the group that it has, nobody else has rights of his own to
  /// it, and no other name leads to it.
  private static func isReplaceable(_ path: String, _ status: stat) -> Bool {
    let isOwn = status.st_uid == geteuid() && status.st_gid == getegid()
    let hasNamedRights = getxattr(path, "system.posix_acl_access", nil, 0) > 0
    return status.st_mode & S_IFMT == S_IFREG && isOwn && !hasNamedRights && status.st_nlink == 1
  }

  private static func failure(_ path: String, _ code: CInt) -> CommandError {
    CommandError("jackdaw: \(Wording.path(path)): \(String(cString: strerror(code)))", status: .problem)
  }
}
