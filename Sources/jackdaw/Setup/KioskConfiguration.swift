import BoardFiles
import Jukebox
import TrackDecoding

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
