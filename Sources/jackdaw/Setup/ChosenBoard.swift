import BoardFiles
import Files

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
