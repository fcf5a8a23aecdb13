import Board
import Files
import Glibc
import Testing
import TrackDecoding

@testable import DecoderProcess

/// What another process decodes is what this one would.
@Suite struct SameFramesTests {
  private static let names = FileAccess.names(in: fixtures).filter { $0.contains(".") && !$0.hasSuffix(".md") }

  @Test("every fixture gives the same frames, the same description and the same error as in this process")
  func whole() {
    let (opener, faults) = makeOpener()
    #expect(Self.names.count > 70)
    for name in Self.names {
      for rate in [44_100, 48_000] {
        let (found, expected) = (
          decode(opener, fixture(name), rate: rate), decode(FileTrackOpener(), fixture(name), rate: rate)
        )
        // Not the arrays: a difference of theirs takes minutes to print.
        #expect((found == expected) == true, "\(name) at \(rate) Hz: \(found.reason ?? "frames")")
      }
    }
    #expect(faults.faults.isEmpty)
  }

  @Test(
    "seeks land on the same frame, also beyond the end",
    arguments: [
      "seek-vbr.mp3", "seek-flac.flac", "seek-vorbis.ogg", "seek-opus.opus", "chain-vorbis.ogg",
      "flac-44100-stereo.flac",
    ])
  func seeks(name: String) {
    let (opener, _) = makeOpener()
    for rate in [44_100, 32_000] {
      for frame in [1, 5_000, 44_100, 10_000_000] {
        let (found, expected) = (
          decode(opener, fixture(name), rate: rate, from: frame, frames: 9_000),
          decode(FileTrackOpener(), fixture(name), rate: rate, from: frame, frames: 9_000)
        )
        #expect((found == expected) == true, "\(name) at \(rate) Hz from \(frame)")
      }
    }
  }

  @Test("a track's own gain is applied in the process", arguments: ReplayGain.allCases)
  func gain(_ gain: ReplayGain) {
    let (opener, _) = makeOpener(gain: gain)
    let path = fixture("tag-flac.flac")
    #expect(
      (decode(opener, path, rate: 44_100) == decode(FileTrackOpener(replayGain: gain), path, rate: 44_100)) == true)
  }

  @Test("several tracks at once are read in turns, each without a gap")
  func turns() throws {
    let (opener, _) = makeOpener()
    let paths = ["seek-vbr.mp3", "seek-flac.flac", "seek-vorbis.ogg"].map(fixture)
    let tracks = try paths.map { try opener.open(path: $0, rate: 44_100) }
    var heard: [[Int16]] = [[], [], []]
    for _ in 0..<20 {
      for (index, track) in tracks.enumerated() { heard[index] += try read(track, of: opener, frames: 5_000) }
    }
    for (index, path) in paths.enumerated() {
      #expect((heard[index] == decode(FileTrackOpener(), path, rate: 44_100, frames: 100_000).samples) == true)
    }
  }

  @Test("a scan finds the same tags, lengths and errors as in this process")
  func inspected() {
    let (opener, faults) = makeOpener()
    let paths = Self.names.map(fixture) + ["/nowhere", "/tmp", "/dev/null"]
    var count = 0
    opener.inspect(paths: paths) { place, found in
      let same = Result { () throws(TrackError) in try FileTrackOpener().inspect(path: paths[place]) }
      #expect("\(found)" == "\(same)")
      count += 1
    }
    #expect(count == paths.count)
    #expect(faults.faults.isEmpty)
  }

  @Test("a text of a file is cut at a KiB, at the end of a character")
  func texts() throws {
    let frames = try #require(SharedFrames())
    for (text, cut) in [
      ("plain", 5), (String(repeating: "x", count: 3_000), 1_024), ("x" + String(repeating: "é", count: 600), 1_023),
    ] {
      let count = frames.write(text, at: 1)
      #expect(count == Int64(cut))
      #expect(frames.text(at: 1, count: count) == String(decoding: Array(text.utf8.prefix(cut)), as: UTF8.self))
    }
    #expect(frames.text(at: 1, count: -1) == nil && frames.text(at: 1, count: 1_025) == nil)
  }
}
