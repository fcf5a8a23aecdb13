import BoardFiles
import Files
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

  static let board = Manual.Word(
    name: "board", value: "board", expected: "a board's name or file",
    help: """
      The board: a name, as sim, or the path of a board
      file (TOML). `auto` asks this machine which board it
      is; where none fits it takes `sim`.
      """)

  static let settings = Manual.Word(
    name: "settings", value: "file", expected: "a settings file",
    help: """
      What the kiosk does (TOML); deploy/jackdaw.toml, as
      a package /etc/jackdaw/jackdaw.toml, explains every
      setting.
      """)

  static let manual = [
    board, settings,
    Manual.Word(
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

  init(_ name: String) throws(Complaint) {
    let catalogue = BoardCatalogue.standard()
    if name == "auto" {
      let match = try Complaint.about { () throws(FileError) in try catalogue.automatic() }
      board = match.board
      reason = match.reason
      path = try Complaint.about { () throws(FileError) in try catalogue.path(of: match.name) }
    } else {
      let file = try Complaint.about { () throws(FileError) in try catalogue.path(of: name) }
      board = try Complaint.about { () throws(FileError) in try BoardFile.read(file) }
      path = file
    }
  }

  /// What lies beside the board file under its name: music, cues.
  func beside(_ name: String) -> String { "\(path.hasSuffix(".toml") ? String(path.dropLast(5)) : path)/\(name)" }
}

/// The wishes that an option names, for a board.
struct Wishes {
  var chosen: ChosenBoard
  var settings = KioskSettings()
  /// The settings file; empty: none.
  var file: String

  init(_ file: String?, for chosen: ChosenBoard) throws(Complaint) {
    self.chosen = chosen
    self.file = file ?? ""
    guard let file else { return }
    let (ports, interrupters) = (chosen.board.ports.map(\.output.port), chosen.board.interrupters)
    settings = try Complaint.about { () throws(FileError) in
      try SettingsFile.read(file, ports: ports, interrupters: interrupters)
    }
  }

  /// Folders of music, where the command line names none.
  var music: [String] {
    let folder = chosen.beside("music")
    return settings.music.isEmpty && access(folder, R_OK) == 0 ? [folder] : settings.music
  }

  func cues() throws(Complaint) -> [Cue] { try Cues.find(settings, fallback: chosen.beside("cues"), file: file) }
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
    let wishes = try Wishes(options.settings, for: ChosenBoard(options.board ?? defaultBoard))
    (boardPath, board, reason) = (wishes.chosen.path, wishes.chosen.board, wishes.chosen.reason)
    settings = wishes.settings
    cues = try wishes.cues()
    let music = try Music(options.music.isEmpty ? wishes.music : options.music)
    library = music.tracks
    skipped = music.skipped
  }
}
