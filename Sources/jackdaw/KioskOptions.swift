import ArgumentParser
import Board
import Glibc
import Jukebox
import TrackDecoding

/// The options that say which board, whose wishes and what music; `run` and `simulate` share them.
struct KioskOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The board: a name in board/, or the path of a board file.",
      discussion: "`auto` asks the device tree which board this is and falls back to `sim`.", valueName: "board"))
  var board: String?

  @Option(help: ArgumentHelp("The settings file; see deploy/jackdaw.toml.", valueName: "file"))
  var settings: String?

  @Option(
    help: ArgumentHelp(
      "A folder of music; may be given several times.",
      discussion: "Without it: the settings file's `music`, else the music beside the board file.", valueName: "folder")
  )
  var music: [String] = []
}

/// What the options name, read and checked.
struct Kiosk {
  var boardPath: String
  var board: BoardDescription
  /// Why this board, where it was chosen by `auto`.
  var reason: String?
  var settings: KioskSettings
  var library: [Track]
  var skipped: [LibraryListing.Skipped]

  init(_ options: KioskOptions, defaultBoard: String) throws(Complaint) {
    let catalogue = BoardCatalogue.standard()
    let name = options.board ?? defaultBoard
    if name == "auto" {
      let match = try Complaint.about { () throws(FileError) in try catalogue.automatic() }
      board = match.board
      reason = match.reason
      boardPath = try Complaint.about { () throws(FileError) in try catalogue.path(of: match.name) }
    } else {
      let path = try Complaint.about { () throws(FileError) in try catalogue.path(of: name) }
      board = try Complaint.about { () throws(FileError) in try BoardFile.read(path) }
      boardPath = path
    }
    settings = KioskSettings()
    if let file = options.settings {
      settings = try Complaint.about { () throws(FileError) in try SettingsFile.read(file) }
      try Kiosk.check(settings, file, fits: board)
    }
    var folders = options.music.isEmpty ? settings.music : options.music
    let beside = boardPath.hasSuffix(".toml") ? "\(boardPath.dropLast(5))/music" : ""
    if folders.isEmpty && access(beside, R_OK) == 0 { folders = [beside] }
    let music = try Music(folders)
    library = music.tracks
    skipped = music.skipped
  }

  private static func check(
    _ settings: KioskSettings, _ file: String, fits board: BoardDescription
  ) throws(Complaint) {
    guard let route = settings.settings.route else { return }
    let ports = board.ports.map(\.output.port)
    guard ports.contains(route) else {
      let words = Wording.list(["auto"] + ports.map(\.rawValue))
      throw Complaint("jackdaw: \(file): route: \(route.rawValue) is not a port of this board, expected \(words)")
    }
  }
}
