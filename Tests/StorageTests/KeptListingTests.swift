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

  @Test("X6: what is kept is read again, whatever names the files have")
  func roundTrip() {
    #expect(KeptListing(Self.listing.bytes) == Self.listing)
    let tracks = KeptListing(Self.listing.bytes)?.folders.first?.tracks
    #expect(tracks.map { Array($0) } == Self.listing.folders.first.map { Array($0.tracks) })
    #expect(KeptListing(KeptListing().bytes) == KeptListing())
  }

  @Test("X6: a damaged file is no listing: any byte changed, missing or added")
  func damage() {
    let bytes = Self.listing.bytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(KeptListing(changed) == nil, "bit \(bit) of byte \(index)")
      }
      #expect(KeptListing(Array(bytes.prefix(index))) == nil, "\(index) bytes")
    }
    #expect(KeptListing(bytes + [0]) == nil)
    #expect(KeptListing(bytes + bytes) == nil)
  }

  @Test("X6: a file whose fields do not fit together is no listing, or one that can be kept")
  func misfits() throws {
    let fields = Array(Self.listing.bytes.dropFirst(20))
    #expect(KeptListing.sealed(fields) == Self.listing.bytes)
    for index in fields.indices {
      for byte in [0, 1, 0x7F, 0x80, 0xFF, fields[index] &+ 1, fields[index] &- 1] {
        var changed = fields
        changed[index] = byte
        guard let read = KeptListing(KeptListing.sealed(changed)) else { continue }
        #expect(KeptListing(read.bytes) == read, "\(byte) as byte \(index)")
        // What lies outside of its folder's names would end the program.
        for folder in read.folders { _ = Array(folder.tracks) }
      }
      #expect(KeptListing(KeptListing.sealed(Array(fields.prefix(index)))) == nil, "\(index) bytes of fields")
    }
    #expect(KeptListing(KeptListing.sealed(fields + [0])) == nil)
  }

  @Test("X6: a file of another version is no listing")
  func version() {
    let bytes = Self.listing.bytes
    #expect(bytes.starts(with: "jackdaw music 2\n".utf8))
    #expect(KeptListing(Array("jackdaw music 3\n".utf8) + bytes.dropFirst(16)) == nil)
    let former: [UInt8] = ["jackdaw music 1", "0", "1104745215"].flatMap { Array($0.utf8) + [0] }
    #expect(KeptListing(former) == nil)
  }

  @Test("X6: of a track that a start knows, it reads little: its version, and what its name alone has")
  func size() {
    var album = KeptListing.Folder(path: "/music", number: 12, modified: 0)
    for number in 1000..<2000 {
      album.tracks.append(name: "An artist/An album/\(number) A track.mp3", version: number, folder: "/music")
    }
    #expect(KeptListing([album]).bytes.count < 1000 * (8 + 3 + 2))
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
