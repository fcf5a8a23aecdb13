import Board
import Jukebox
import Storage
import TrackDecoding

/// A folder of music, and where it is named.
struct MusicFolder: Hashable {
  var path: String
  /// As `jackdaw.toml:12`; nil: on the command line.
  var setting: String?
}

/// The tracks of some folders, with the names for log and state file: their paths relative to the folder, which stay the
/// same when the folder is mounted elsewhere, with `\xe9` for a byte that is not UTF-8.
struct Music {
  private(set) var tracks: [Track] = []
  /// When each was changed last, nanoseconds since 1970.
  private(set) var modified: [Int] = []
  /// The files that were skipped, named in the same way.
  private(set) var skipped: [LibraryListing.Skipped] = []
  /// The folders that could not be listed.
  private(set) var missing: [LibraryReport.Missing] = []
  /// What the next start may know of the folders (X6).
  private(set) var kept = KeptListing()

  /// Throws where a folder cannot be listed.
  init(_ folders: [String]) throws(CommandError) {
    for folder in folders {
      add(try CommandError.about { () throws(LibraryError) in try LibraryScan.list([folder]) }, of: folder)
    }
  }

  /// - Parameters:
  ///   - known: what need not be listed where the folder is still the same.
  ///   - visiting: as of `LibraryScan.list`.
  init(
    found folders: [MusicFolder], known: KeptListing = KeptListing(), visiting: @escaping (String) -> Void = { _ in }
  ) {
    for folder in folders {
      var found = KeptListing.Folder(at: folder.path)
      do throws(LibraryError) {
        let same = found.flatMap { known.listing(of: $0) }
        let listing = if let same { same } else { try LibraryScan.list([folder.path], visiting: visiting) }
        add(listing, of: folder.path)
        found?.keep(listing)
        if let found { kept.folders.append(found) }
      } catch {
        missing.append(LibraryReport.Missing(folder: folder.path, setting: folder.setting, reason: error.reason))
      }
    }
  }

  private mutating func add(_ listing: LibraryListing, of folder: String) {
    for (path, stamp) in zip(listing.tracks, listing.stamps) {
      let version = stamp.size &* 31 &+ stamp.modified
      tracks.append(Track(path: path, name: Music.name(of: path, below: folder), version: version, folder: folder))
      modified.append(stamp.modified)
    }
    skipped += listing.skipped.map {
      LibraryListing.Skipped(path: Music.name(of: $0.path, below: folder), reason: $0.reason, isMusic: $0.isMusic)
    }
  }

  private static func name(of path: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    if path.hasPrefix(prefix) { return RawName.shown(String(path.dropFirst(prefix.count))) }
    return RawName.shown(path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path)
  }
}
