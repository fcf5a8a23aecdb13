import AudioSession
import Board
import BoardFiles
import Files
import Firmware
import Jukebox
import Storage
import TrackDecoding

extension KioskSettings {
  /// The machine's clock, trusted as the settings say.
  var wallClock: SystemWallClock { SystemWallClock(isTrusted: clock == .trusted) }
}

/// Everything that the options name, read and checked.
struct KioskConfiguration {
  var boardPath: String
  var board: BoardDescription
  /// Why `auto` chose this board; nil where it was chosen.
  var reason: String?
  var settings: KioskSettings
  var cues: [Cue] = []
  /// How much of them is not there.
  var cueFaults = 0
  /// What the firmware has to say of its files. It runs all the same.
  var remarks: [String]
  var library: TrackList
  var skipped: [LibraryListing.Skipped]
  /// The folders that the settings name and that are not there.
  var missing: [LibraryReport.Missing]
  /// Some of the library is as it was listed before (X6).
  var isMusicKept: Bool
  /// Lists the music again when it changes.
  var watched: WatchedMusic

  /// The firmware's alone: the folder of its state, the lock on it, and what is kept there.
  var state: String?
  var lock: FileLock?
  var kept: KeptContent?

  /// Throws where a folder of music that the command line names cannot be listed.
  /// - Parameter keepsState: whether what an earlier start has kept is used, and no other firmware may use it. What is
  ///   missing then is told of, and else an error.
  init(
    _ options: KioskOptions, defaultBoard: String, keepsState: Bool = false, notices: Notices = Notices(),
    silentFolders: SilentFolders = SilentFolders(),
    makeQuarantine: (KeptDatabase, Notices) -> QuarantineStore = LeftOut.store
  ) throws(CommandError) {
    var chosen = try ChosenSettings(options.settings, for: ChosenBoard(options.board ?? defaultBoard))
    (boardPath, board, reason) = (chosen.chosenBoard.path, chosen.chosenBoard.board, chosen.chosenBoard.reason)
    settings = chosen.settings
    remarks = chosen.remarks.map(\.description)
    let folders = options.music.isEmpty ? chosen.folders : options.music.map { MusicFolder(path: $0, setting: nil) }
    if keepsState, let folder = StatePlace.folder(settings.state) {
      // Before any device is opened: a second firmware must not disturb the first.
      (state, lock) = (folder, try StatePlace.lock(folder))
      kept = KeptContent(
        in: folder, keepsLedger: settings.settings.requests != nil, notices: notices, makeQuarantine: makeQuarantine)
    }
    watched = WatchedMusic(folders, notices: notices, store: kept?.listing, known: kept?.music)
    let silent = keepsState ? silentFolders.find(folders.map(\.path) + [chosen.cueFolder]) : []
    chosen.silent = silent
    let found = chosen.cueFiles
    cues = found.cues
    if let fault = found.fault {
      if !keepsState { throw fault }
      cueFaults = fault.lines.count
      remarks += fault.lines.map { "\($0); without it the rest plays" }
    }
    let music = watched.first(without: silent)
    // Whoever types a wrong name is there to put it right. What is missing below may come back.
    let typed = music.missing.first { missing in
      options.music.contains { FileName($0) == FileName(missing.folder) }
    }
    if let typed, !silent.contains(FileName(typed.folder)) {
      throw CommandError("jackdaw: \(typed.folder): \(typed.reason)")
    }
    library = music.tracks
    skipped = music.skipped
    missing = music.missing
    isMusicKept = music.isKept
  }

  /// One line for each missing folder, with the line of the settings that names it.
  var missingNotices: [String] { missing.map(\.notice) }
}

extension LibraryReport.Missing {
  /// What an operator is told of it. Where no settings name it, it stands below a folder of the command line.
  var notice: String {
    (setting.map { "\($0): " } ?? "") + "music: \(Wording.path(folder)): \(reason); it is taken in when it comes"
  }
}
