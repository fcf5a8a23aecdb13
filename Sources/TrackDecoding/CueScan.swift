import AudioSession
import Glibc

/// A sound file of a cue folder.
public struct CueFile: Hashable, Sendable {
  /// Without its ending.
  public var name: String
  public var path: String
}

/// Finds the cues in a folder, by name alone: no file is opened.
public enum CueScan {
  /// The sound files directly in `folder`, in natural order, without hidden files and links that lead out of the
  /// folder. If two names differ only in their ending, the first one counts. Any thread.
  /// - Throws: `LibraryError` where there is no such folder, or it cannot be read.
  public static func list(_ folder: String) throws(LibraryError) -> [CueFile] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var cues: [CueFile] = []
    let entries = try DirectoryHandle.entries(at: folder)
    let enclosure = Enclosure(folder)
    var taken: Set<FileName> = []
    for entry in entries {
      // One that is not UTF-8 could be neither typed nor written in a settings file.
      guard let stem = SoundFileName.stem(entry.name), RawName.shown(stem) == stem else { continue }
      let cue = CueFile(name: stem, path: prefix + entry.name)
      if entry.mayBeLink && enclosure?.reasonToSkip(cue.path) != nil { continue }
      var status = stat()
      guard stat(cue.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if taken.insert(FileName(stem)).inserted { cues.append(cue) }
    }
    return cues
  }
}
