import BoardFiles

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

  /// - Parameter standard: the board without this option.
  static func board(or standard: String) -> CommandHelp.Parameter {
    CommandHelp.Parameter(
      name: "board", value: "board", expected: "a board's name or file",
      help: """
        The board: a name, as sim, or the path of a board
        file (TOML). `auto` asks this machine which board it
        is; one without a device tree, as a PC, is `sim`.
        Without it: `\(standard)`.
        """)
  }

  /// The boards that can be named, for the help.
  static let boards = CommandHelp.Section(title: "BOARDS") {
    var lines: [String] = []
    for name in BoardCatalogue.standard().names() {
      if let last = lines.last, last.count + ", ".count + name.count < 80 {
        lines[lines.count - 1] = "\(last), \(name)"
      } else {
        lines.append("  \(name)")
      }
    }
    return lines
  }

  static let settings = CommandHelp.Parameter(
    name: "settings", value: "file", expected: "a settings file",
    help: """
      What the kiosk does (TOML); deploy/jackdaw.toml, as
      a package /etc/jackdaw/jackdaw.toml, explains every
      setting.
      """)

  static func help(board standard: String) -> [CommandHelp.Parameter] {
    [board(or: standard), settings, music]
  }

  private static let music = CommandHelp.Parameter(
    name: "music", value: "folder", expected: "a folder",
    help: """
      A folder of music; may be given several times.
      Without it: the settings file's `music`, else the
      music beside the board file.
      """, repeats: true)
}
