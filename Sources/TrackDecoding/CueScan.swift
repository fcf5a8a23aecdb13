import Glibc

/// A sound file of a cue folder.
public struct CueFile: Hashable, Sendable {
  /// Without its ending.
  public var name: String
  public var path: String

  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

/// Finds the cues in a folder, by name alone: no file is opened.
public enum CueScan {
  /// The sound files that lie in `folder` itself, hidden ones left out, in natural order. Of two that differ in their
  /// ending only, the first. Any thread.
  /// - Throws: `LibraryError` where there is no such folder, or it cannot be read.
  public static func list(_ folder: String) throws(LibraryError) -> [CueFile] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var cues: [CueFile] = []
    var names: [String] = []
    for name in try Folder.names(at: folder) {
      // A name that is not UTF-8 cannot be written in a settings file.
      if case .text(let text) = name { names.append(text) }
    }
    var taken: Set<String> = []
    for name in names.sorted(by: NaturalOrder.precedes) {
      guard let stem = SoundFileName.stem(name) else { continue }
      let cue = CueFile(name: stem, path: prefix + name)
      var status = stat()
      guard stat(cue.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if taken.insert(stem).inserted { cues.append(cue) }
    }
    return cues
  }
}
