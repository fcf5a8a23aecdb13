import Glibc
import Storage
import TrackDecoding

extension KeptListing {
  /// What was listed of a folder, where that is still the same one: a stick that is not there has another.
  func folder(_ found: Folder) -> Folder? {
    folders.first { ($0.path, $0.number, $0.modified) == (found.path, found.number, found.modified) }
  }
}

extension KeptListing.Folder {
  /// A folder as it is now, without its files; nil: there is none.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    let modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    self.init(path: path, number: Int(truncatingIfNeeded: status.st_ino), modified: modified)
  }

  var prefix: String { path.hasSuffix("/") ? path : path + "/" }

  mutating func keep(_ listing: LibraryListing) {
    let length = prefix.utf8.count
    func below(_ path: String) -> String { String(path.utf8.dropFirst(length)) ?? path }
    files = zip(listing.tracks, listing.stamps).map {
      KeptListing.File(path: below($0), size: $1.size, modified: $1.modified)
    }
    unplayed = listing.skipped.filter(\.isMusic).map { KeptListing.Unplayed(path: below($0.path), reason: $0.reason) }
  }
}
