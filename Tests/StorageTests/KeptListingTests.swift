import Jukebox
import Testing

@testable import Storage

@Suite struct KeptListingTests {
  /// Names that have something in common with the one before, all of it, or nothing; one that is opened as another path.
  private static var listing: KeptListing {
    var album = KeptListing.Folder(path: "/music", number: 12, modified: 1_700_000_000_000_000_001)
    let names = ["1 Träume\n.mp3", "1 Träume\n.mp3", "a/aaa.mp3", "a/aaaa.mp3", "a/a.mp3", "", "x", "\u{10FEE9}y"]
    for (index, name) in names.enumerated() {
      album.tracks.append(name: name, version: index == 1 ? .min : .max - index, folder: "/music")
    }
    album.tracks.append(Track(path: "/music/caf\u{10FEE9}.ogg", name: "caf\\xe9.ogg", version: -1, folder: "/music"))
    album.unplayed = [KeptListing.Unplayed(name: "c.m4a", reason: "AAC")]
    return KeptListing([album, KeptListing.Folder(path: "/stick", number: 1, modified: .min)])
  }

  private let disk = JournalStorage([:])

  private func read() -> KeptListing? {
    (try? ListingStore(KeptDatabase(on: JournalStorage(disk.content))).read()) ?? nil
  }

  @Test("X6: what is kept is read again, whatever names the files have")
  func roundTrip() {
    #expect(read() == nil)
    ListingStore(KeptDatabase(on: disk)).write(Self.listing)
    let found = read()
    #expect(found == Self.listing)
    #expect(found?.folders.first.map { Array($0.tracks) } == Self.listing.folders.first.map { Array($0.tracks) })
  }

  @Test("X6: a listing of which a part is missing is none, or one of the rest that can be played")
  func misfits() throws {
    let database = KeptDatabase(on: disk)
    ListingStore(database).write(Self.listing)
    for change in [
      "UPDATE paths SET track = 99", "UPDATE folders SET ends = versions", "DELETE FROM folders WHERE place = 0",
    ] {
      try database.use { (connection) throws(DatabaseError) in try connection.execute(change) }
      for folder in read()?.folders ?? [] { #expect(Array(folder.tracks) == []) }
    }
  }

  @Test("X6: the storage is written when something has changed, and only then")
  func writing() throws {
    let store = ListingStore(KeptDatabase(on: disk))
    #expect(try store.read() == nil)
    store.write(Self.listing)
    let written = disk.operations.count
    #expect(written > 0)
    store.write(Self.listing)
    #expect(disk.operations.count == written)
    let next = ListingStore(KeptDatabase(on: disk))
    #expect(try next.read() == Self.listing)
    next.write(Self.listing)
    #expect(disk.operations.count == written)
    next.write(KeptListing())
    #expect(disk.operations.count > written && read() == nil)
  }
}
