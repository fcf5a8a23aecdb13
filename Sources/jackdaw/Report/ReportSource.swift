import Files
import Glibc
import Jukebox
import Storage

/// What was counted on one board, read from a copy of its state folder or from the table that `report --csv` wrote there.
struct ReportSource {
  /// The board's name for people; empty where nobody named it.
  var name: String
  var periods: [CountedPeriod]
  /// How long sound was played in all its days; nil: not known.
  var played: Duration?
  /// Titles by the tracks' names, where they are known.
  var titles: [String: String] = [:]

  init(periods: [CountedPeriod], name: String = "") { (self.periods, self.name) = (periods, name) }

  /// Reads a state folder.
  init(state folder: String, name: String) throws(CommandError) {
    if access(folder, F_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw CommandError("jackdaw: \(Wording.path(folder)): \(reason), expected the state folder", status: .problem)
    }
    self.name = name
    periods = CountedHistory(try Self.counted(in: folder)).periods.filter { !$0.isEmpty }
    // Without it, only the hours played are missing.
    played = StateStore(path: FileAccess.join(folder, "state.toml")).read().state.map { .seconds($0.played) }
  }

  /// Reads the boards of a table.
  /// - Parameter name: of a board that has none there.
  private static func table(_ file: String, name: String) throws(CommandError) -> [ReportSource] {
    let table = try CommandError.about { () throws(FileError) in
      try ReportCSVReader.read(FileAccess.read(file, atMost: mostBytes), file: file)
    }
    return table.boards.map { board in
      var source = ReportSource(periods: board.periods, name: board.name.isEmpty ? name : board.name)
      source.titles = table.titles
      return source
    }
  }

  /// What is wrong with a folder that is no copy of a board's state folder.
  static let noState = "no state of a board"

  /// A table of 400 days of 2,000 tracks.
  private static let mostBytes = 1 << 28

  /// The boards of a folder: each folder in it that holds a state is a copy of a board's state folder, and named as the
  /// board, each `.csv` a table of one board or of several, each `.stats` a part of what a fleet's boards have told their
  /// broker.
  static func all(in folder: String) throws(CommandError) -> [ReportSource] {
    var found: [(String, ReportSource)] = []
    var fleet = FleetStatsReader()
    var places: [String: String] = [:]
    if access(FileAccess.join(folder, "."), R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw CommandError("jackdaw: \(Wording.path(folder)): \(reason), expected a folder of boards", status: .problem)
    }
    for entry in FileAccess.names(in: folder).sorted() where !entry.hasPrefix(".") {
      // A stick may have it in capitals.
      if entry.lowercased().hasSuffix(".stats") {
        try CommandError.about { () throws(FileError) in try fleet.read(entry, in: folder) }
      } else {
        for source in try boards(FileAccess.join(folder, entry), entry) { found.append((entry, source)) }
      }
    }
    for board in fleet.boards { found.append((board.entry, ReportSource(periods: board.periods, name: board.name))) }
    for (entry, source) in found {
      if let other = places.updateValue(entry, forKey: source.name) {
        let text =
          "board \(Wording.quoted(source.name)) stands in \(Wording.path(other)) and in \(Wording.path(entry))"
        throw CommandError("jackdaw: \(Wording.path(folder)): \(text), expected each board once", status: .problem)
      }
    }
    if found.isEmpty {
      throw CommandError(
        "jackdaw: \(Wording.path(folder)): no board, expected a copy of its state folder or a .csv of each, or a .stats",
        status: .problem)
    }
    return found.map(\.1)
  }

  private static func boards(_ path: String, _ entry: String) throws(CommandError) -> [ReportSource] {
    if entry.lowercased().hasSuffix(".csv") {
      let found = try table(path, name: String(entry.dropLast(4)))
      // As that of a card that was never switched on.
      if found.isEmpty { noteLeftOut(path, "a table without a board") }
      return found
    }
    let code = access(FileAccess.join(path, "."), F_OK) == 0 ? 0 : errno
    // Any other file.
    if code == ENOTDIR { return [] }
    if code != 0 {
      // A stick of ext4 has a folder that only root may enter.
      noteLeftOut(path, String(cString: strerror(code)))
      return []
    }
    guard StatePlace.mayBeKept(in: path) else {
      // Windows makes a folder of its own on every stick.
      noteLeftOut(path, noState)
      return []
    }
    return [try ReportSource(state: path, name: entry)]
  }

  private static func noteLeftOut(_ path: String, _ reason: String) {
    Terminal.printError("jackdaw: \(Wording.path(path)): \(reason); it is left out")
  }

  private static func counted(in folder: String) throws(CommandError) -> [CountedPeriod] {
    do throws(DatabaseError) {
      return try CountsStore(KeptDatabase(folder: folder, access: .recover)).all()
    } catch {
      if !error.isUnbegun, access(FileAccess.join(folder, KeptDatabase.name), F_OK) == 0 || errno == EACCES {
        throw CommandError("jackdaw: \(error)", status: .problem)
      }
    }
    // No firmware that has the database was started yet.
    let former = FormerFiles(folder: folder).periods()
    if former.isIncomplete, let error = former.errors.first {
      throw CommandError("jackdaw: \(error)", status: .problem)
    }
    for error in former.errors { Terminal.printError("jackdaw: \(error); the save before it is used") }
    return former.periods
  }
}
