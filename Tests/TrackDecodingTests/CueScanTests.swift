import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Listing cues")
struct CueScanTests {
  @Test("takes the sound files that lie in the folder itself, in natural order, by their names without the ending")
  func names() throws {
    let folder = try TemporaryFolder()
    let taken = ["10 bye.wav", "2 hello.MP3", "welcome.MP3"].map { folder.write($0) }
    for name in ["welcome.mp3", "welcome.ogg", ".hidden.mp3", ".mp3", "notes.txt"] { folder.write(name) }
    for name in ["deep.mp3", "more"] { folder.makeFolder(name) }
    folder.write("more/inside.mp3")
    let cues = try CueScan.list(folder.path)
    #expect(cues.map(\.name) == ["2 hello", "10 bye", "welcome"])
    #expect(cues.map(\.path) == [taken[1], taken[0], taken[2]])
    #expect(try CueScan.list(folder.path + "/") == cues)
    #expect(folder.openDescriptors == 0)
  }

  @Test("follows no link out of the folder, and takes no name that cannot be typed")
  func enclosed() throws {
    let folder = try TemporaryFolder()
    folder.write("welcome.mp3")
    symlink("welcome.mp3", folder.path + "/hello.mp3")
    symlink("/etc/passwd", folder.path + "/passwd.mp3")
    symlink("../../../etc/hostname", folder.path + "/hostname.wav")
    let broken = (Array((folder.path + "/").utf8) + [0xFF] + Array(".mp3".utf8) + [0]).map(CChar.init(bitPattern:))
    close(creat(broken, 0o644))
    #expect(try CueScan.list(folder.path).map(\.name) == ["hello", "welcome"])
  }

  @Test("D1: two names that look alike are two cues")
  func alike() throws {
    let folder = try TemporaryFolder()
    for name in ["caf\u{e9}.mp3", "cafe\u{301}.mp3"] { folder.write(name) }
    let found = try CueScan.list(folder.path).map { Array($0.name.utf8) }
    #expect(Set(found) == [Array("caf\u{e9}".utf8), Array("cafe\u{301}".utf8)])
  }

  @Test("a folder without a cue has none; one that is not there is an error")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(try CueScan.list(folder.path).isEmpty)
    let path = "\(folder.path)/nowhere"
    #expect(throws: LibraryError(path: path, reason: "no such file or folder")) { try CueScan.list(path) }
  }
}
