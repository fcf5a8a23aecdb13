import AudioSession
import BoardFiles
import Files
import Glibc
import Jukebox
import TrackDecoding

/// Finds the cues of a kiosk: the files of its folder, each with its settings.
enum CueFiles {
  /// - Parameters:
  ///   - fallback: the folder for settings that name none; it need not exist.
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
    let names = (files ?? []).map(\.name)
    return (files ?? []).map { found in
      let entry = kiosk.cues.first { FileName.meant(by: $0.name, of: names).fileName == FileName(found.name) }
      return Cue(
        name: found.name, path: found.path, client: entry?.client ?? .cue, event: entry?.event)
    }
  }
}
