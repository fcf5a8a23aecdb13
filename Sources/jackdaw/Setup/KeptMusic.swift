import AudioSession
import Glibc
import Storage

extension KeptListing {
  /// What was listed of a folder, where that is still the same one: a stick that is not there has another.
  func folder(_ found: Folder) -> Folder? {
    folders.first {
      FileName($0.path) == FileName(found.path) && ($0.number, $0.modified) == (found.number, found.modified)
    }
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

  mutating func keep(_ music: Music) {
    tracks = music.tracks
    unplayed = music.skipped.filter(\.isMusic).map { KeptListing.Unplayed(name: $0.path, reason: $0.reason) }
  }
}
