import Board
import Jukebox
import TrackDecoding

/// The tracks of some folders, with the names for log and state file: their paths relative to the folder, which stay the
/// same when the folder is mounted elsewhere, with `\xe9` for a byte that is not UTF-8.
struct Music {
  private(set) var tracks: [Track] = []
  /// The files that were skipped, named in the same way.
  private(set) var skipped: [LibraryListing.Skipped] = []

  init(_ folders: [String]) throws(CommandError) {
    for folder in folders {
      let listing = try CommandError.about { () throws(LibraryError) in try LibraryScan.list([folder]) }
      tracks += listing.tracks.map { Track(path: $0, name: Music.name(of: $0, below: folder)) }
      skipped += listing.skipped.map {
        LibraryListing.Skipped(
          path: Music.name(of: $0.path, below: folder), reason: $0.reason, isMusic: $0.isMusic)
      }
    }
  }

  private static func name(of path: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    if path.hasPrefix(prefix) { return RawName.shown(String(path.dropFirst(prefix.count))) }
    return RawName.shown(path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path)
  }
}
