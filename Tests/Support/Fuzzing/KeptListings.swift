import Jukebox
import Storage

/// Any bytes as the music that was listed last: they are refused, or are a listing that is the same after it is written
/// again, and whose tracks can be played.
enum KeptListings {
  static func check(_ bytes: [UInt8]) throws {
    try checkFile(bytes)
    // Adds the version and the right checksum, which a fuzzer would not guess.
    try checkFile(KeptListing.sealed(bytes))
  }

  private static func checkFile(_ bytes: [UInt8]) throws {
    guard let listing = KeptListing(bytes) else { return }
    try hold(KeptListing(listing.bytes) == listing, "\(listing) comes back as another")
    for folder in listing.folders {
      let library = Library(folder.tracks)
      try hold(library.tracks.map(\.folder).allSatisfy { $0 == folder.path }, "a track lies in another folder")
    }
  }
}
