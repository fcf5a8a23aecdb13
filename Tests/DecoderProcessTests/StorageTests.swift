import Board
import Glibc
import TestSupport
import Testing
import Threads
import TrackDecoding

@testable import DecoderProcess

/// What tells storage that cannot be read from a file that is bad (X4, P11).
@Suite struct StorageTests {
  /// A file whose every read fails with EIO: nothing is mapped where it is read.
  private static func unreadable() throws(TrackError) -> OpenFile {
    let descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TrackError(operation: .open, path: "", reason: "no /proc/self/mem") }
    return OpenFile(adopting: descriptor, size: 100_000)
  }

  private func failure(_ body: () throws -> Void) throws -> TrackError {
    try #require(throws: TrackError.self) { try body() }
  }

  @Test("X4: a read that the storage refuses is its fault, in this process and in another")
  func readFails() throws {
    let here = try failure { _ = try FileTrackOpener().open(Self.unreadable(), path: "a", rate: 44_100) }
    #expect(here.isStorage && here.reason == "the storage cannot be read")
    let opener = ProcessTrackOpener(
      program: program, openFile: { _ throws(TrackError) in try Self.unreadable() })
    let there = try failure { _ = try read(opener.open(path: "a", rate: 44_100), of: opener) }
    #expect(there.isStorage && there.reason == "the storage cannot be read")
  }

  @Test("X4, P11: a file that is missing beside others is bad, one whose folder is gone or empty waits for its storage")
  func folderGone() throws {
    let folder = try TemporaryFolder()
    let music = folder.path(of: "music")
    func isStorage() throws -> Bool {
      try failure { _ = try FileTrackOpener().open(path: "\(music)/a.mp3", rate: 44_100) }.isStorage
    }
    #expect(try isStorage())
    #expect(mkdir(music, 0o755) == 0)
    #expect(try isStorage())
    folder.write("music/b.mp3", "x")
    #expect(try !isStorage())
  }

  @Test("P11: a file that is no audio is not its storage's fault, in this process and in another")
  func badFile() throws {
    let path = repositoryPath("Package.swift")
    let (opener, _) = makeOpener()
    #expect(try !failure { _ = try read(opener.open(path: path, rate: 44_100), of: opener) }.isStorage)
    #expect(try !failure { _ = try FileTrackOpener().open(path: path, rate: 44_100) }.isStorage)
  }

  @Test("P13: a file that is decoded to its end is reported then, and none that is left before")
  func end() throws {
    let ended = Locked<[String]>([])
    let opener = ProcessTrackOpener(program: program, onEnd: { path in ended.withLock { $0.append(path) } })
    let path = fixture("seek-flac.flac")
    let track = try opener.open(path: path, rate: 44_100)
    defer { track.close() }
    _ = try read(track, of: opener, frames: 100)
    #expect(ended.withLock { $0.isEmpty })
    _ = try read(track, of: opener)
    #expect(ended.withLock { $0 } == [path])
  }
}
