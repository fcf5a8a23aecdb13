import AudioSession
import Jukebox

/// The music folders as they were listed last. A start that has it need not read every folder before the first sample; it
/// lists them afterwards to see what has changed.
package struct KeptListing: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    /// The folder's path as the settings name it.
    @NameOfFile package var path: String
    /// The folder itself, not what lies in it: its inode number and when it was changed last, nanoseconds since 1970.
    package var number: Int
    package var modified: Int
    /// The tracks in the order of play; their versions show whether they have changed.
    package var tracks = TrackList()
    package var unplayed: [Unplayed] = []

    package init(path: String, number: Int, modified: Int) {
      self.path = path
      (self.number, self.modified) = (number, modified)
    }
  }

  /// Music of a format that is not played.
  package struct Unplayed: Hashable, Sendable {
    /// Below the folder, as it is shown.
    @NameOfFile package var name: String
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  package var folders: [Folder]

  package init(_ folders: [Folder] = []) { self.folders = folders }
}

/// Keeps the listing in a file. One thread at a time; every call blocks as long as the storage does.
package final class ListingStore {
  /// The most bytes of the file, and of the names in it.
  static let mostBytes = 1 << 26

  private let path: String
  private let storage: any Storage
  /// What the file begins with, its checksum among it; nil: nothing that can be read.
  private var kept: [UInt8]?

  package init(path: String, storage: any Storage = DiskStorage()) {
    self.path = path
    self.storage = storage
  }

  /// Returns nil where there is none, or none that can be read: then all is listed.
  package func read() -> KeptListing? {
    guard let bytes = try? storage.read(path, atMost: Self.mostBytes), let listing = KeptListing(bytes) else {
      return nil
    }
    kept = KeptListing.head(of: bytes)
    return listing
  }

  /// Writes it, unless the file holds it already. A storage that takes nothing is no harm: the next start takes longer.
  package func write(_ listing: KeptListing) {
    let bytes = listing.bytes
    let head = KeptListing.head(of: bytes)
    guard kept != head, bytes.count <= Self.mostBytes else { return }
    kept = nil
    do throws(StorageError) {
      try storage.replace(path, with: bytes)
      kept = head
    } catch {}
  }
}
