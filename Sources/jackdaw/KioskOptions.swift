import Board
import Glibc
import Jukebox
import TrackDecoding

/// The options that say which board, whose wishes and what music; `run` and `simulate` share them.
struct KioskOptions {
  var board: String?
  var settings: String?
  var music: [String]

  init(_ words: Words) {
    board = words.option("board")
    settings = words.option("settings")
    music = words.all("music")
  }

  static let manual = [
    Manual.Word(
      name: "board", value: "board", expected: "a board's name or file",
      help: """
        The board: a name, as sim, or the path of a board
        file (TOML). `auto` asks this machine which board it
        is; where none fits it takes `sim`.
        """),
    Manual.Word(
      name: "settings", value: "file", expected: "a settings file",
      help: """
        What the kiosk does (TOML); deploy/jackdaw.toml
        explains every setting.
        """),
    Manual.Word(
      name: "music", value: "folder", expected: "a folder",
      help: """
        A folder of music; may be given several times.
        Without it: the settings file's `music`, else the
        music beside the board file.
        """, repeats: true),
  ]
}

/// What the options name, read and checked.
struct Kiosk {
  var boardPath: String
  var board: BoardDescription
  /// Why this board, where it was chosen by `auto`.
  var reason: String?
  var settings: KioskSettings
  var cues: [Cue]
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
      let (ports, interrupters) = (board.ports.map(\.output.port), board.interrupters)
      settings = try Complaint.about { () throws(FileError) in
        try SettingsFile.read(file, ports: ports, interrupters: interrupters)
      }
    }
    var folders = options.music.isEmpty ? settings.music : options.music
    let beside = boardPath.hasSuffix(".toml") ? String(boardPath.dropLast(5)) : boardPath
    if folders.isEmpty, access("\(beside)/music", R_OK) == 0 { folders = ["\(beside)/music"] }
    cues = try Cues.find(settings, fallback: "\(beside)/cues", file: options.settings ?? "")
    let music = try Music(folders)
    library = music.tracks
    skipped = music.skipped
  }
}
