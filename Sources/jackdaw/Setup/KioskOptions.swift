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
