import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Opening by path")
struct FilesTests {
  private func reason(_ path: String) -> String? {
    do {
      _ = try FileTrackOpener().open(path: path, rate: 44100)
      return nil
    } catch {
      #expect(error.path == path)
      #expect(error.operation == .open)
      return error.reason
    }
  }

  @Test("says what is wrong")
  func reasons() throws {
    let folder = try TemporaryFolder()
    #expect(reason(folder.path + "/none.mp3") == "no such file")
    #expect(reason("") == "no such file")
    #expect(reason(folder.write("file.mp3") + "/none.mp3") == "no such file")
    #expect(reason(folder.path) == "is a folder")
    #expect(reason("/dev/zero") == "is not a file")
    #expect(reason(folder.path + "/" + String(repeating: "n", count: 300)) == "name too long")
    symlink("round.mp3", folder.path + "/round.mp3")
    #expect(reason(folder.path + "/round.mp3") == "too many symbolic links")
    #expect(fileReason(EACCES) == "permission denied")
  }

  @Test("does not wait for a writer of a FIFO")
  func fifo() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path + "/pipe.mp3", 0o644) == 0)
    #expect(reason(folder.path + "/pipe.mp3") == "is not a file")
    #expect(folder.openDescriptors == 0)
  }

  @Test("does not stop at a NUL in the name")
  func nul() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", contents(fixture("cbr-128.mp3")))
    #expect(reason(path) == nil)
    #expect(reason(path + "\0.mp3") == "no such file")
  }

  @Test("reads the file byte for byte, forwards and backwards")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let all = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let file = try openTrackFile(folder.write("a", all))
    #expect(file.size == all.count)
    for offset in [0, 70_000, 69_990, 65_530, 200_000, 3, 299_990, 131_072] {
      #expect(file.bytes(at: offset, count: 5000) == Array(all[offset...].prefix(5000)))
    }
    #expect(file.bytes(at: 300_000, count: 10).isEmpty)
    file.limit = 100
    #expect(file.bytes(at: 90, count: 50).count == 10)
    file.limit = .max
    file.origin = 1000
    #expect(file.bytes(at: 0, count: 50) == Array(all[1000..<1050]))
    #expect(file.size == all.count - 1000)
    #expect(file.seek(by: -1, whence: SEEK_SET) == -1)
  }

  @Test("a seek leads to no place that no file has")
  func farSeeks() {
    #expect(seekTarget(1 << 60, SEEK_SET, from: 0, size: 5) == 1 << 60)
    #expect(seekTarget((1 << 60) + 1, SEEK_SET, from: 0, size: 5) == nil)
    #expect(seekTarget(.max, SEEK_CUR, from: 1, size: 5) == nil && seekTarget(-6, SEEK_END, from: 0, size: 5) == nil)
  }
}

@Suite("Tags")
struct TagTests {
  private func info(_ name: String) throws -> TrackInfo {
    try FileTrackOpener().inspect(path: fixture(name + ".mp3"))
  }

  @Test("come from ID3v2 in UTF-16 and UTF-8, and from ID3v1")
  func tags() throws {
    #expect(try info("tag-id3v23-utf16-picture").title == "Größe – 𝄞 Ωmega")
    #expect(try info("tag-id3v24-utf8-controls").title == "夜の烏 Галка")
    let old = try info("tag-id3v1")
    #expect([old.title, old.artist, old.album] == ["Only ID3v1", "Jackdaw", "Fixtures"])
    #expect(try info("tag-apev2").title == nil)
    #expect(try info("cbr-128").title == nil)
  }

  @Test("keep their control characters")
  func controls() throws {
    #expect(try info("tag-id3v24-utf8-controls").artist == "Jack\ndaw \u{1b}[31mred\u{1b}[0m")
  }

  @Test("of ID3v1 are UTF-8 where that is valid and Latin-1 elsewhere, without the filling")
  func oldTags() throws {
    func field(_ bytes: [UInt8], _ fill: UInt8) -> [UInt8] { bytes + [UInt8](repeating: fill, count: 30 - bytes.count) }
    let tag =
      Array("TAG".utf8) + field([0x47, 0xf6, 0x74, 0x7a], 0) + field(Array("Göta".utf8), 0x20) + field([], 0)
      + [UInt8](repeating: 0, count: 35)
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", contents(fixture("cbr-128.mp3")) + tag)
    let info = try FileTrackOpener().inspect(path: path)
    #expect([info.title, info.artist, info.album] == ["Götz", "Göta", nil])
    #expect(info.frames == 22050)
  }

  @Test("with several values or broken UTF-8 are made whole")
  func brokenTags() throws {
    func frame(_ id: String, _ text: [UInt8]) -> [UInt8] {
      Array(id.utf8) + [0, 0, 0, UInt8(text.count + 1), 0, 0, 3] + text
    }
    let frames = frame("TPE1", Array("A\0B".utf8)) + frame("TIT2", [0x61, 0xff, 0x62])
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
    let folder = try TemporaryFolder()
    let info = try FileTrackOpener().inspect(path: folder.write("a.mp3", tag + contents(fixture("cbr-128.mp3"))))
    #expect(info.artist == "A / B")
    #expect(info.title?.unicodeScalars.first == "a")
    #expect(info.title?.unicodeScalars.last == "b")
  }
}
