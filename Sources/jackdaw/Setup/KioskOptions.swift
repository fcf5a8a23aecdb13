import BoardFiles
import Files
import Glibc
import Jukebox
import TrackDecoding

/// The options that say which board, which settings and what music; `run` and `simulate` share them.
struct KioskOptions {
  var board: String?
  var settings: String?
  var music: [String]

  init(_ words: Arguments) {
    board = words.option("board")
    settings = words.option("settings")
    music = words.all("music")
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

/// The board that an option names.
struct ChosenBoard {
  var path: String
  var board: BoardDescription
  /// Why this board, where it was chosen by `auto`.
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

  /// What lies beside the board file under its name: music, cues.
  func beside(_ name: String) -> String { "\(path.hasSuffix(".toml") ? String(path.dropLast(5)) : path)/\(name)" }
}

/// The settings that an option names, for a board.
struct ChosenSettings {
  var chosen: ChosenBoard
  var settings = KioskSettings()
  /// The settings file; empty: none.
  var file: String

  init(_ file: String?, for chosen: ChosenBoard) throws(CommandError) {
    self.chosen = chosen
    self.file = file ?? ""
    guard let file else { return }
    let (ports, interrupters) = (chosen.board.ports.map(\.output.port), chosen.board.interrupters)
    settings = try CommandError.about { () throws(FileError) in
      try SettingsFile.read(file, ports: ports, interrupters: interrupters)
    }
  }

  /// Folders of music, where the command line names none.
  var music: [String] {
    let folder = chosen.beside("music")
    return settings.music.isEmpty && access(folder, R_OK) == 0 ? [folder] : settings.music
  }

  func cues() throws(CommandError) -> [Cue] { try Cues.find(settings, fallback: chosen.beside("cues"), file: file) }
}

/// What the options name, read and checked.
struct KioskConfiguration {
  var boardPath: String
  var board: BoardDescription
  /// Why this board, where it was chosen by `auto`.
  var reason: String?
  var settings: KioskSettings
  var cues: [Cue]
  var library: [Track]
  var skipped: [LibraryListing.Skipped]

  init(_ options: KioskOptions, defaultBoard: String) throws(CommandError) {
    let named = try ChosenSettings(options.settings, for: ChosenBoard(options.board ?? defaultBoard))
    (boardPath, board, reason) = (named.chosen.path, named.chosen.board, named.chosen.reason)
    settings = named.settings
    cues = try named.cues()
    let music = try Music(options.music.isEmpty ? named.music : options.music)
    library = music.tracks
    skipped = music.skipped
  }
}
