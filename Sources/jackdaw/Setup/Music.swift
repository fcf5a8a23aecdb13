import AudioSession
import Jukebox
import Storage
import TrackDecoding

/// A folder of music, and where it is named.
struct MusicFolder: Hashable {
  var path: String
  /// The line of the settings that names it, as `jackdaw.toml:12`; nil: the command line does.
  var setting: String?
}

/// The tracks of some folders, with the names for log and state file: their paths relative to the folder, which stay the
/// same when the folder is mounted elsewhere, with `\xe9` for a byte that is not UTF-8.
struct Music {
  private(set) var tracks = TrackList()
  /// When each was changed last, nanoseconds since 1970; 0 where it was known and not looked at.
  private(set) var modified: [Int] = []
  /// The files that were skipped, named in the same way.
  private(set) var skipped: [LibraryListing.Skipped] = []
  /// The folders that could not be listed.
  private(set) var missing: [LibraryReport.Missing] = []
  /// What the next start may know of the folders (X6).
  private(set) var kept = KeptListing()
  /// Some folder was not listed, as it was known.
  private(set) var isKept = false

  private init() {}

  /// What the storage does not give is skipped, and may be music. Throws where a folder cannot be listed.
  /// - Parameter visit: finds what is below a folder.
  init(
    _ folders: [String],
    visit: (String, (LibraryScan.Found) -> Void) throws(LibraryError) -> Void = LibraryScan.visit
  ) throws(CommandError) {
    for folder in folders {
      try CommandError.about { () throws(LibraryError) in
        try visit(folder) { found in
          add(found, of: folder)
          guard case .unreadable(let error) = found else { return }
          let path = Music.name(of: error.path, below: folder)
          skipped.append(LibraryListing.Skipped(path: path, reason: error.reason, isMusic: true))
        }
      }
    }
  }

  /// - Parameters:
  ///   - known: what need not be listed where the folder is still the same.
  ///   - silent: folders that do not answer.
  ///   - visiting: called with every folder before it is read.
  init(
    found folders: [MusicFolder], known: KeptListing = KeptListing(), silent: Set<FileName> = [],
    visiting: (String) -> Void = { _ in }
  ) {
    for folder in folders {
      if silent.contains(FileName(folder.path)) {
        missing.append(Self.missing(folder.path, of: folder, "the storage does not answer"))
        continue
      }
      var found = KeptListing.Folder(at: folder.path)
      do throws(LibraryError) {
        if let same = found.flatMap({ known.folder($0) }) {
          add(same)
          kept.folders.append(same)
          isKept = true
        } else {
          var music = Music()
          try LibraryScan.visit(folder.path) {
            if case .folder(let path) = $0 { visiting(path) }
            music.add($0, of: folder.path)
            if case .unreadable(let error) = $0 { missing.append(Self.missing(error.path, of: folder, error.reason)) }
          }
          add(music)
          found?.keep(music)
          if let found { kept.folders.append(found) }
        }
      } catch {
        missing.append(Self.missing(folder.path, of: folder, error.reason))
      }
    }
  }

  private static func missing(_ path: String, of folder: MusicFolder, _ reason: String) -> LibraryReport.Missing {
    LibraryReport.Missing(folder: path, setting: folder.setting, reason: reason)
  }

  private mutating func add(_ found: LibraryScan.Found, of folder: String) {
    switch found {
    case .folder, .unreadable: break
    case .track(let path, let stamp):
      let name = Music.name(of: path, below: folder)
      tracks.append(Track(path: path, name: name, version: Self.version(stamp.size, stamp.modified), folder: folder))
      modified.append(stamp.modified)
    case .skipped(var file):
      file.path = Music.name(of: file.path, below: folder)
      skipped.append(file)
    }
  }

  /// What is known of a folder.
  private mutating func add(_ known: KeptListing.Folder) {
    tracks.append(contentsOf: known.tracks)
    modified += repeatElement(0, count: known.tracks.count)
    skipped += known.unplayed.map { LibraryListing.Skipped(path: $0.name, reason: $0.reason, isMusic: true) }
  }

  private mutating func add(_ other: Music) {
    tracks.append(contentsOf: other.tracks)
    modified += other.modified
    skipped += other.skipped
  }

  private static func version(_ size: Int, _ modified: Int) -> Int { size &* 31 &+ modified }

  private static func name(of path: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    if path.hasPrefix(prefix) { return RawName.shown(String(path.utf8.dropFirst(prefix.utf8.count)) ?? path) }
    return RawName.shown(path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path)
  }
}
