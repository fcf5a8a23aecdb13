import Testing

@testable import Storage

@Suite struct KeptListingTests {
  private static var listing: KeptListing {
    var album = KeptListing.Folder(path: "/music", number: 12, modified: 1_700_000_000_000_000_001)
    album.files.append("1 Träume\n.mp3", size: 5_000_000, modified: -1)
    album.files.append("b/\u{10FEE9}.ogg", size: 0, modified: .max)
    album.unplayed = [KeptListing.Unplayed(path: "c.m4a", reason: "AAC")]
    return KeptListing([album, KeptListing.Folder(path: "/stick", number: 1, modified: .min)])
  }

  @Test("X6: what is kept is read again, whatever names the files have")
  func roundTrip() {
    #expect(KeptListing(Self.listing.bytes) == Self.listing)
    let first = KeptListing.File(path: "1 Träume\n.mp3", size: 5_000_000, modified: -1)
    #expect(KeptListing(Self.listing.bytes)?.folders.first?.files.first { _ in true } == first)
    #expect(KeptListing(KeptListing().bytes) == KeptListing())
  }

  @Test("X6: a damaged file is no listing: any byte changed, missing or added")
  func damage() {
    let bytes = Self.listing.bytes
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(KeptListing(changed) == nil, "byte \(index)")
      #expect(KeptListing(Array(bytes.prefix(index))) == nil, "\(index) bytes")
    }
    #expect(KeptListing(bytes + [0]) == nil)
  }

  @Test("X6: the storage is written when something has changed, and only then")
  func writing() {
    let disk = JournalStorage([:])
    let store = ListingStore(path: "music.list", storage: disk)
    #expect(store.read() == nil)
    store.write(Self.listing)
    let written = disk.operations.count
    #expect(written > 0)
    store.write(Self.listing)
    #expect(disk.operations.count == written)
    let next = ListingStore(path: "music.list", storage: disk)
    #expect(next.read() == Self.listing)
    next.write(Self.listing)
    #expect(disk.operations.count == written)
    next.write(KeptListing())
    #expect(next.read() == KeptListing())
  }
}
