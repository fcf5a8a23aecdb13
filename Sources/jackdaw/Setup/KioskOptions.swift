import BoardFiles
import Files
import Glibc
import Jukebox
import TrackDecoding

/// The options for board, settings and music, which `run` and `simulate` share.
struct KioskOptions {
  var board: String?
  var settings: String?
  var music: [String]

  init(_ arguments: Arguments) {
    board = arguments.option("board")
    settings = arguments.option("settings")
    music = arguments.values("music")
  }

  static let board = CommandHelp.Parameter(
    name: "board", value: "board", expected: "a board's name or file",
    help: """
      The board: a name, as sim, or the path of a board
      file (TOML). `auto` asks this machine which board it
      is; where none fits it takes `sim`.
      """)

  static let settings = CommandHelp.Parameter(
    name: "settings", value: "file", expected: "a settings file",
    help: """
      What the kiosk does (TOML); deploy/jackdaw.toml, as
      a package /etc/jackdaw/jackdaw.toml, explains every
      setting.
      """)

  static let help = [
    board, settings,
    CommandHelp.Parameter(
      name: "music", value: "folder", expected: "a folder",
      help: """
        A folder of music; may be given several times.
        Without it: the settings file's `music`, else the
        music beside the board file.
        """, repeats: true),
  ]
}

/// The board of the `--board` option, read from its file.
struct ChosenBoard {
  var path: String
  var board: BoardDescription
  /// Why `auto` chose this board; nil where it was chosen.
  var reason: String?

  init(_ name: String) throws(CommandError) {
    let catalogue = BoardCatalogue.standard()
    if name == "auto" {
      let match = try CommandError.about { () throws(FileError) in try catalogue.automatic() }
      board = match.board
      reason = match.reason
      path = try CommandError.about { () throws(FileError) in try catalogue.path(of: match.name) }
    } else {
      let file = try CommandError.about { () throws(FileError) in try catalogue.path(of: name) }
      board = try CommandError.about { () throws(FileError) in try BoardFile.read(file) }
      path = file
    }
  }

  /// The path of a folder that belongs to the board file: `music` or `cues`.
  func beside(_ name: String) -> String { "\(path.hasSuffix(".toml") ? String(path.dropLast(5)) : path)/\(name)" }
}

/// The settings of the `--settings` option, checked for the board.
struct ChosenSettings {
  var chosenBoard: ChosenBoard
  var settings = KioskSettings()
  /// The path of the settings file; empty where there is none.
  var file: String

  init(_ file: String?, for chosenBoard: ChosenBoard) throws(CommandError) {
    self.chosenBoard = chosenBoard
    self.file = file ?? ""
    guard let file else { return }
    let (ports, interrupters) = (chosenBoard.board.ports.map(\.output.port), chosenBoard.board.interrupters)
    settings = try CommandError.about { () throws(FileError) in
      try SettingsFile.read(file, ports: ports, interrupters: interrupters)
    }
  }

  /// The folders of music, where the command line names none.
  var music: [String] {
    let folder = chosenBoard.beside("music")
    return settings.music.isEmpty && access(folder, R_OK) == 0 ? [folder] : settings.music
  }

  func cues() throws(CommandError) -> [Cue] {
    try Cues.find(settings, fallback: chosenBoard.beside("cues"), file: file)
  }
}

/// Everything that the options name, read and checked.
struct KioskConfiguration {
  var boardPath: String
  var board: BoardDescription
  /// Why `auto` chose this board; nil where it was chosen.
  var reason: String?
  var settings: KioskSettings
  var cues: [Cue]
  var library: [Track]
  var skipped: [LibraryListing.Skipped]

  init(_ options: KioskOptions, defaultBoard: String) throws(CommandError) {
    let chosen = try ChosenSettings(options.settings, for: ChosenBoard(options.board ?? defaultBoard))
    (boardPath, board, reason) = (chosen.chosenBoard.path, chosen.chosenBoard.board, chosen.chosenBoard.reason)
    settings = chosen.settings
    cues = try chosen.cues()
    let music = try Music(options.music.isEmpty ? chosen.music : options.music)
    library = music.tracks
    skipped = music.skipped
  }
}
