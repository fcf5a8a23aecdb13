import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Listing music")
struct LibraryScanTests {
  @Test("goes by natural order, whatever the case")
  func order() {
    let names = [
      "10 a", "2 b", "Abba", "abba 2", "ABBA 10", "a", "02 c", "2 a", "été", "Zoo", "x9999999999999999999999", "x1",
    ]
    let sorted = [
      "2 a", "2 b", "02 c", "10 a", "a", "Abba", "abba 2", "ABBA 10", "x1", "x9999999999999999999999", "Zoo", "été",
    ]
    #expect(names.sorted(by: NaturalOrder.precedes) == sorted)
    #expect(names.reversed().sorted(by: NaturalOrder.precedes) == sorted)
    #expect(NaturalOrder.precedes("A", "a"))
    #expect(!NaturalOrder.precedes("a", "A"))
    #expect(NaturalOrder.precedes("01", "1"))
    #expect(!NaturalOrder.precedes("1", "1"))
  }

  @Test("takes sound files by their names' endings and says what it leaves out")
  func endings() throws {
    let folder = try TemporaryFolder()
    let taken = ["1.mp3", "2.MP2", "3.mp1", "4.mpga", "5.Mpa", "6.bit", "7.WAV", "8.flac", "9.ogg", "9.opus", "10.mp3"]
      .map { folder.write($0) }
    let left = ["cover.jpg", "mp3", "x.mp3.txt"].map { folder.write($0) }
    folder.write(".hidden.mp3")
    let listing = try LibraryScan.list([folder.path])
    #expect(listing.tracks == taken)
    #expect(listing.skipped == left.map { .init(path: $0, reason: "not a sound file name") })
    #expect(try LibraryScan.list([folder.path]) == listing)
    #expect(folder.openDescriptors == 0)
  }

  @Test("goes into folders in order, but not into hidden ones")
  func folders() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "B2", "a.mp3", ".git"] { folder.makeFolder(name) }
    let tracks = ["a.mp3/z.mp3", "aa.mp3", "b/1.mp3", "b/2.mp3", "B2/1.mp3"].map { folder.write($0) }
    folder.write(".git/1.mp3")
    #expect(try LibraryScan.list([folder.path + "/"]).tracks == tracks)
    #expect(
      try LibraryScan.list([folder.path + "/b", folder.path + "/a.mp3"]).tracks == [tracks[2], tracks[3], tracks[0]])
  }

  @Test(
    "X1: what was deleted is neither listed nor watched, in whatever case its folder is written",
    arguments: [
      "$RECYCLE.BIN", "$Recycle.Bin", "RECYCLER", "recycled", "#recycle", "@Recycle", "@eaDir", ".Trash-1000",
      ".Trashes", "LOST.DIR", "Lost.Dir", "lost+found", "System Volume Information", "FOUND.000", "__MACOSX",
    ])
  func deleted(name: String) throws {
    let folder = try TemporaryFolder()
    let kept = [folder.write("Found.mp3"), folder.write("music/Recycler.mp3"), folder.write("Recycle/1.mp3")]
    for place in ["", "music/"] {
      folder.write("\(place)\(name)/1.mp3")
      folder.write("\(place)\(name)/deep/2.mp3")
    }
    var visited: [String] = []
    try LibraryScan.visit(folder.path) { if case .folder(let path) = $0 { visited.append(path) } }
    #expect(visited.allSatisfy { !$0.contains("/" + name) })
    #expect(try LibraryScan.list([folder.path]).tracks.sorted() == kept.sorted())
    #expect(try LibraryScan.list([folder.path]).skipped.isEmpty)
  }

  @Test("X1: every folder is told before it is read, and every track has a stamp that changes with its file")
  func visits() throws {
    let folder = try TemporaryFolder()
    folder.write("m/a.mp3", "a")
    folder.write("m/n/b.mp3", "bb")
    var visited: [String] = []
    try LibraryScan.visit(folder.path(of: "m")) { if case .folder(let path) = $0 { visited.append(path) } }
    let before = try LibraryScan.list([folder.path(of: "m")])
    #expect(visited == ["m", "m/n"].map(folder.path(of:)))
    #expect(before.stamps.map(\.size) == [1, 2])
    folder.write("m/n/b.mp3", "bbb")
    let after = try LibraryScan.list([folder.path(of: "m")])
    #expect(after.tracks == before.tracks)
    #expect(after.stamps[0] == before.stamps[0] && after.stamps[1] != before.stamps[1])
  }

  @Test("X2, X4: a folder below that the storage does not give now is told apart from one that may not be read")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { folder.write("\(name)/1.mp3") }
    var found: [String] = []
    let entries = { (path: String) throws(LibraryError) in
      if path.hasSuffix("/a") { throw LibraryError(path: path, code: EIO) }
      if path.hasSuffix("/b") { throw LibraryError(path: path, code: EACCES) }
      return try DirectoryHandle.entries(at: path)
    }
    try LibraryScan.visit(folder.path, entries: entries) { one in
      switch one {
      case .folder: break
      case .track(let path, _): found.append(path)
      case .skipped(let file): found.append("\(file.path): \(file.reason)")
      case .unreadable(let error): found.append("unreadable: \(error)")
      }
    }
    #expect(
      found == [
        "unreadable: \(folder.path)/a: the storage cannot be read", "\(folder.path)/b: permission denied",
        "\(folder.path)/c/1.mp3",
      ])
  }

  @Test("takes a file given as that one track")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("anything.wav")
    #expect(try LibraryScan.list([path]).tracks == [path])
  }

  @Test("says which folder is missing")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/none"
    #expect(throws: LibraryError(path: path, reason: "no such file or folder")) { try LibraryScan.list([path]) }
    mkfifo(path, 0o644)
    #expect(throws: LibraryError(path: path, reason: "is neither a file nor a folder")) {
      try LibraryScan.list([folder.path, path])
    }
  }

  @Test("follows links, but not round in circles")
  func links() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("a")
    let track = folder.write("a/1.mp3")
    symlink("..", folder.path + "/a/loop")
    symlink("a", folder.path + "/again")
    symlink("a/1.mp3", folder.path + "/linked.mp3")
    symlink("nowhere.mp3", folder.path + "/lost.mp3")
    let listing = try LibraryScan.list([folder.path])
    #expect(listing.tracks == [track, folder.path + "/linked.mp3"])
    #expect(
      listing.skipped == [
        .init(path: folder.path + "/a/loop", reason: "folder already listed"),
        .init(path: folder.path + "/again", reason: "folder already listed"),
        .init(path: folder.path + "/lost.mp3", reason: "no such file"),
      ])
  }

  @Test("stops 64 folders down")
  func depth() throws {
    let folder = try TemporaryFolder()
    var path = ""
    var tracks: [String] = []
    for level in 1...66 {
      path += level == 1 ? "d" : "/d"
      folder.makeFolder(path)
      let track = folder.write(path + "/a.mp3")
      if level <= 64 { tracks.append(track) }
    }
    let listing = try LibraryScan.list([folder.path])
    #expect(listing.tracks == tracks)
    #expect(listing.skipped.map(\.reason) == ["more than 64 folders deep"])
  }

  @Test("follows no link out of the folder, but whatever the folder itself is a link to")
  func enclosed() throws {
    let outside = try TemporaryFolder()
    outside.write("secret.mp3")
    let folder = try TemporaryFolder()
    let track = folder.write("mine.mp3")
    symlink(outside.path, folder.path + "/all")
    symlink(outside.path + "/secret.mp3", folder.path + "/one.mp3")
    let name = try #require(outside.path.split(separator: "/").last)
    symlink("../\(name)/secret.mp3", folder.path + "/up.mp3")
    // A folder whose name begins with this folder's name is not inside it.
    symlink(folder.path + "-besides", folder.path + "/besides")
    mkdir(folder.path + "-besides", 0o755)
    defer { rmdir(folder.path + "-besides") }
    let left = ["all", "besides", "one.mp3", "up.mp3"]
    let listing = try LibraryScan.list([folder.path])
    #expect(listing.tracks == [track])
    #expect(
      listing.skipped
        == left.map { .init(path: "\(folder.path)/\($0)", reason: "is a link that leads out of the folder") })
    symlink(folder.path, outside.path + "/root")
    #expect(try LibraryScan.list([outside.path + "/root"]).tracks == [outside.path + "/root/mine.mp3"])
  }

  @Test("takes names in every script and those that are not UTF-8, each by its own name")
  func names() throws {
    let folder = try TemporaryFolder()
    let names: [[UInt8]] = [
      Array("\u{E9}.mp3".utf8), Array("e\u{301}.mp3".utf8), Array("音楽 🎵.mp3".utf8), Array("a\tb\u{1B}[31m.mp3".utf8),
      [0x61, 0xFF] + Array(".mp3".utf8), [0xC3, 0x28] + Array(".mp3".utf8), [0xED, 0xA0, 0x80] + Array(".mp3".utf8),
      // The scalar that replaces a byte which is not UTF-8 may itself be in a name.
      Array("a\u{10FEFF}.mp3".utf8),
    ]
    let sound = contents(fixture("cbr-128.mp3"))
    for name in names {
      let path = (Array((folder.path + "/").utf8) + name + [0]).map(CChar.init(bitPattern:))
      let file = open(path, O_WRONLY | O_CREAT, 0o644)
      write(file, sound, sound.count)
      close(file)
    }
    mkfifo(folder.path + "/pipe.mp3", 0o644)
    let listing = try LibraryScan.list([folder.path])
    #expect(listing.skipped == [.init(path: folder.path + "/pipe.mp3", reason: "is not a file")])
    let found = listing.tracks.map { Array(RawName.bytes(of: $0).dropFirst(folder.path.utf8.count + 1)) }
    #expect(Set(found) == Set(names))
    for track in listing.tracks {
      #expect(throws: Never.self) { try FileTrackOpener().open(path: track, rate: 44_100).close() }
    }
    #expect(RawName.shown(RawName.text([0x61, 0xFF])) == "a\\xff")
    #expect(RawName.shown("音楽") == "音楽")
  }
}
