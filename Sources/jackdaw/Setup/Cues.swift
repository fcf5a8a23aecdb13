import AudioSession
import BoardFiles
import Files
import Glibc
import Jukebox
import TrackDecoding

/// The cues of a kiosk: the files of its folder, and what the settings say about each.
enum Cues {
  /// - Parameters:
  ///   - fallback: the folder where the settings name none; it need not be there.
  ///   - file: the settings file, for errors.
  static func find(_ kiosk: KioskSettings, fallback: String, file: String) throws(CommandError) -> [Cue] {
    let folder = kiosk.cueFolder ?? fallback
    var files: [CueFile]?
    if kiosk.cueFolder != nil || access(folder, F_OK) == 0 {
      files = try CommandError.about { () throws(LibraryError) in try CueScan.list(folder) }
    }
    try CommandError.about { () throws(FileError) in
      try kiosk.checkCues(files?.map(\.name), in: folder, file: file)
    }
    return (files ?? []).map { found in
      let wish = kiosk.cues.first { $0.name == found.name }
      return Cue(
        name: found.name, path: found.path, client: wish?.client ?? SessionClient.cue.name, event: wish?.event,
        time: wish?.time)
    }
  }
}
