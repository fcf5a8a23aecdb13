import AudioSession
import BoardFiles
import Files
import Glibc
import Jukebox
import TrackDecoding

/// The cues of a kiosk: the files of its folder, each with its settings, and those that the settings name and that are not
/// there.
struct CueFiles {
  private(set) var cues: [Cue] = []
  /// Why there are not all that the settings name; nil: they are there.
  private(set) var fault: CommandError?

  /// Where none is to be looked for.
  init(_ kiosk: KioskSettings, fault: CommandError) {
    self.fault = fault
    cues = Self.cues([], kiosk)
  }

  /// - Parameters:
  ///   - fallback: the folder for settings that name none; it need not exist.
  ///   - file: the settings file, for errors.
  init(_ kiosk: KioskSettings, fallback: String, file: String) {
    let folder = kiosk.cueFolder ?? fallback
    // Where the folder cannot be listed.
    cues = Self.cues([], kiosk)
    do throws(CommandError) {
      var files: [CueFile]?
      if kiosk.cueFolder != nil || access(folder, F_OK) == 0 {
        files = try CommandError.about { () throws(LibraryError) in try CueScan.list(folder) }
      }
      cues = Self.cues(files ?? [], kiosk)
      try CommandError.about { () throws(FileError) in
        try kiosk.checkCues(files?.map(\.name), in: folder, file: file)
      }
    } catch {
      fault = error
    }
  }

  private static func cues(_ files: [CueFile], _ kiosk: KioskSettings) -> [Cue] {
    let names = files.map(\.name)
    let found = files.map { found in
      let entry = kiosk.cues.first { FileName.meant(by: $0.name, of: names).fileName == FileName(found.name) }
      return Cue(
        name: found.name, path: found.path, client: entry?.client ?? .cue, event: entry?.event)
    }
    let missing = kiosk.cues.filter { FileName.index(meantBy: $0.name, of: names) == nil }
    return found + missing.map { Cue(name: $0.name, path: "", client: $0.client, event: $0.event) }
  }
}
