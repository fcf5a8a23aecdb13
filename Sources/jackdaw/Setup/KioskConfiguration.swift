import BoardFiles
import Files
import Firmware
import Jukebox
import Storage
import TrackDecoding

/// Everything that the options name, read and checked.
struct KioskConfiguration {
  var boardPath: String
  var board: BoardDescription
  /// Why `auto` chose this board; nil where it was chosen.
  var reason: String?
  var settings: KioskSettings
  var cues: [Cue]
  var library: TrackList
  var skipped: [LibraryListing.Skipped]
  /// The folders that the settings name and that are not there.
  var missing: [LibraryReport.Missing]
  /// Some of the library is as it was listed before (X6).
  var isMusicKept: Bool
  /// Lists the music again when it changes.
  var watched: WatchedMusic

  /// Throws where a folder of music that the command line names cannot be listed.
  /// - Parameter keepsListing: whether the listing that an earlier start has kept may be used (X6).
  init(
    _ options: KioskOptions, defaultBoard: String, keepsListing: Bool = false, notices: Notices = Notices()
  ) throws(CommandError) {
    let chosen = try ChosenSettings(options.settings, for: ChosenBoard(options.board ?? defaultBoard))
    (boardPath, board, reason) = (chosen.chosenBoard.path, chosen.chosenBoard.board, chosen.chosenBoard.reason)
    settings = chosen.settings
    cues = try chosen.cues()
    let folders = options.music.isEmpty ? chosen.folders : options.music.map { MusicFolder(path: $0, setting: nil) }
    let state = keepsListing ? StatePlace.path(settings.state) : nil
    watched = WatchedMusic(
      folders, notices: notices, store: state.map { ListingStore(path: StatePlace.listing(in: $0)) })
    let music = watched.first()
    // Whoever types a wrong name is there to put it right.
    if let typed = music.missing.first, typed.setting == nil {
      throw CommandError("jackdaw: \(typed.folder): \(typed.reason)")
    }
    library = music.tracks
    skipped = music.skipped
    missing = music.missing
    isMusicKept = music.isKept
  }

  /// One line for each missing folder, with the line of the settings that names it.
  var missingNotices: [String] {
    missing.map { folder in
      "\(folder.setting ?? ""): music: \(Wording.path(folder.folder)): \(folder.reason); it is taken in when it comes"
    }
  }
}
