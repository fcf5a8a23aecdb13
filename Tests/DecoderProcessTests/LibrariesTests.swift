import Board
import TestSupport
import Testing
import TrackDecoding

@testable import DecoderProcess

/// A process that decodes loads the libraries that it needs before it may no longer open files.
@Suite struct LibrariesTests {
  @Test(
    "the ending of a name shows what a file most likely needs",
    arguments: [
      ("a.MP3", .mpg123), ("/x.y/b.flac", .flac), ("c.ogg", .vorbisFile), ("d.opus", .opusFile),
      ("e.wav", .sndFile), ("f.aiff", .sndFile), ("g.txt", []), ("h", []), ("", []), ("i.", []),
    ] as [(String, DecoderLibraries)])
  func endings(path: String, expected: DecoderLibraries) {
    #expect(DecoderLibraries.likely(at: path) == expected)
  }

  @Test("only what is needed is loaded; a track that needs another library is heard whole, and so is the one beside it")
  func mixed() throws {
    let (opener, faults) = makeOpener()
    let (path, other) = (fixture("seek-vbr.mp3"), fixture("flac-44100-stereo.flac"))
    let track = try opener.open(path: path, rate: 44_100)
    var heard = try read(track, of: opener, frames: 10_000)
    #expect(opener.libraries == .mpg123)
    let first = try #require(opener.worker?.id)
    #expect((decode(opener, other, rate: 44_100) == decode(FileTrackOpener(), other, rate: 44_100)) == true)
    #expect(opener.libraries == [.mpg123, .flac])
    #expect(opener.worker?.id != first)
    heard += try read(track, of: opener)
    #expect((heard == decode(FileTrackOpener(), path, rate: 44_100).samples) == true)
    #expect(faults.faults.isEmpty)
  }

  @Test("a process that was started ahead decodes the first track that is like the one it was started for")
  func ahead() throws {
    let (opener, faults) = makeOpener()
    opener.startAhead(for: "another.mp3")
    let first = try #require(opener.worker?.id)
    let path = fixture("seek-vbr.mp3")
    #expect((decode(opener, path, rate: 44_100) == decode(FileTrackOpener(), path, rate: 44_100)) == true)
    #expect(opener.worker?.id == first && opener.libraries == .mpg123)
    #expect(faults.faults.isEmpty)
  }

  @Test("a name that misleads and a rate that has to be converted cost another process, and no frame")
  func surprises() throws {
    let (opener, faults) = makeOpener()
    let folder = try TemporaryFolder()
    let path = folder.write("music.mp3", try #require(readFile(fixture("seek-flac.flac"))))
    #expect((decode(opener, path, rate: 48_000) == decode(FileTrackOpener(), path, rate: 48_000)) == true)
    #expect(opener.libraries == [.mpg123, .flac, .soxr])
    #expect(faults.faults.isEmpty)
  }

  @Test("files of all kinds are inspected together, whatever libraries they need")
  func inspection() {
    let (opener, faults) = makeOpener()
    let paths = ["seek-vbr.mp3", "seek-flac.flac", "seek-vorbis.ogg", "seek-opus.opus", "flac-44100-stereo.flac"].map(
      fixture)
    var found: [TrackInfo?] = []
    opener.inspect(paths: paths + ["/none.mp3"]) { place, info in
      #expect(place == found.count)
      found.append(try? info.get())
    }
    let expected = paths.map { try? FileTrackOpener().inspect(path: $0) }
    #expect(expected.allSatisfy { $0 != nil })
    #expect(found == expected + [nil])
    #expect(opener.libraries == [.mpg123, .flac, .vorbisFile, .opusFile])
    #expect(faults.faults.isEmpty)
  }
}
