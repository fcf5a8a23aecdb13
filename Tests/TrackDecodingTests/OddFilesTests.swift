import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Of odd files")
struct OddFilesTests {
  @Test(
    "what is no audio is refused in plain words, and closed",
    arguments: [
      ("bad-empty", "empty file"), ("bad-text", "no audio in it"), ("bad-jpeg", "no audio in it"),
      ("bad-only-id3v2", "no audio in it"),
    ])
  func refused(name: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", contents(fixture(name + ".mp3")))
    let refusal = TrackError(operation: .open, path: path, reason: reason)
    #expect(throws: refusal) { try FileTrackOpener().open(path: path, rate: 44100) }
    #expect(throws: refusal) { try FileTrackOpener().inspect(path: path) }
    #expect(folder.openDescriptors == 0)
  }

  @Test(
    "what is damaged plays to its end, without what damage only made look like another format",
    arguments: [
      // Frames at the first rate, and how many of them come before the first damage.
      ("bad-random-middle", 21935 + 11520, 21935), ("bad-flipped-headers", 56 * 1152, 5 * 1152),
      ("bad-junk-first-8k", 22050, 22050), ("bad-junk-first-64k", 22050, 22050), ("bad-truncated", 20783, 20783),
      // Announces ten times too many frames: plays to the real end with the padding, which then is not recognised.
      ("bad-frame-count", 44975, 44975),
      // The tag claims to be longer than the file.
      ("bad-id3v2-size", 22050, 22050),
    ])
  func played(name: String, frames: Int, good: Int) throws {
    let path = fixture(name + ".mp3")
    let samples = try decode(path, rate: 44100)
    #expect(samples.count == 2 * frames)
    if let plain = plainDecode(path).first, plain.samples.count >= 2 * good {
      #expect(parting(samples[..<(2 * good)], plain.samples[..<(2 * good)]) == nil)
    }
    #expect(try FileTrackOpener().inspect(path: path).frames == frames)
    let resampled = Resampler.length(frames, from: 44100, to: 48000)
    #expect(try decode(path, rate: 48000).count == 2 * resampled)
  }

  @Test("a header that announces too few frames costs no music")
  func tooFew() throws {
    var bytes = contents(fixture("cbr-128.mp3"))
    let tag = try #require((0..<200).first { bytes[$0...].starts(with: Array("Info".utf8)) })
    // Frame count: after the name and four bytes of flags.
    bytes.replaceSubrange(tag + 8..<tag + 12, with: [0, 0, 0, 9])
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", bytes)
    let honest = try decode(fixture("cbr-128.mp3"), rate: 44100)
    let samples = try decode(path, rate: 44100)
    #expect(samples.count >= honest.count)
    #expect(parting(samples[..<honest.count], honest) == nil)
    #expect(try FileTrackOpener().inspect(path: path).frames == samples.count / 2)
    // The library's own gapless decode loses the padding's length in the middle.
    #expect(plainDecode(path)[0].samples.count < samples.count)
  }

  @Test("a change of rate and channels is converted, part by part")
  func change() throws {
    let path = fixture("bad-format-change.mp3")
    let parts = plainDecode(path)
    #expect(parts.map(\.rate) == [44100, 22050])
    #expect(parts.map { $0.samples.count } == [2 * 24192, 2 * 12672])
    let samples = try decode(path, rate: 44100)
    #expect(samples.count == 2 * (24192 + 2 * 12672))
    #expect(parting(samples[..<(2 * 24192)], parts[0].samples) == nil)
    // Every other frame of the second part is where a frame of the file was.
    let second = stride(from: 2 * 24192 + 4000, to: samples.count - 4000, by: 4).map { samples[$0] }
    let wanted = stride(from: 2000, to: parts[1].samples.count - 2000, by: 2).map { parts[1].samples[$0] }
    #expect(second.count == wanted.count)
    #expect(largestDifference(second, wanted) < 100)
    #expect(try decode(path, rate: 22050).count == 2 * (12096 + 12672))
    #expect(try FileTrackOpener().inspect(path: path).frames == 24192 + 2 * 12672)
  }

  @Test("seeks in what is stitched together land where an unbroken decode would", arguments: [44100, 48000])
  func stitched(rate: Int) throws {
    for name in ["bad-format-change", "bad-flipped-headers", "bad-random-middle", "bad-frame-count"] {
      let track = try FileTrackOpener().open(path: fixture(name + ".mp3"), rate: rate)
      let all = try rest(track)
      for frame in [all.count / 2 - 100, 0, 24100, 12000, 30000, 7000] {
        try track.seek(to: frame)
        let wanted = Array(all[(2 * frame)...].prefix(200))
        #expect(try largestDifference(next(track, 100), wanted) <= 2, "\(name) at \(frame)")
      }
    }
  }

  @Test("seeks to either side of a change of rate land there", arguments: [44100, 48000])
  func aroundChange(rate: Int) throws {
    let folder = try TemporaryFolder()
    let first = Array(repeatElement(contents(fixture("no-lame-tag.mp3")), count: 4).joined())
    let path = folder.write("a.mp3", first + contents(fixture("seek-mpeg25-8.mp3")))
    let track = try FileTrackOpener().open(path: path, rate: rate)
    let whole = try rest(track)
    let change = Resampler.length(4 * 24192, from: 44100, to: rate)
    #expect(whole.count / 2 == change + Resampler.length(61632, from: 8000, to: rate))
    for step in [-12_000, -3000, -100, 0, 1, 100, 3000, 12_000, 40_000] {
      try track.seek(to: change + step)
      let wanted = whole[(2 * (change + step))...].prefix(1000)
      #expect(try largestDifference(next(track, 500), wanted) <= 2, "\(step) after the change")
    }
  }

  @Test("MPEG audio in a RIFF file plays, but not what only looks like it in PCM")
  func riff() throws {
    let music = contents(fixture("cbr-128.mp3"))
    let folder = try TemporaryFolder()
    func wave(_ format: UInt8) -> String {
      let chunk = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, format, 0]
      let rest = [UInt8](repeating: 0, count: 14) + Array("data".utf8) + [0, 0, 0, 0]
      return folder.write("\(format).mp3", chunk + rest + music)
    }
    #expect(try decode(wave(0x55), rate: 44100).count == 2 * 22050)
    #expect(throws: TrackError.self) { try decode(wave(1), rate: 44100) }
  }

  @Test("a file of one frame plays", arguments: [false, true])
  func oneFrame(tagged: Bool) throws {
    let bytes = contents(fixture("no-lame-tag.mp3"))
    let size = try #require((4..<2000).first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xfb })
    let tag = tagged ? Array("TAG".utf8) + [UInt8](repeating: 0, count: 125) : []
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", Array(bytes[..<size]) + tag)
    #expect(try decode(path, rate: 44100).count == 2 * 1152)
    #expect(try FileTrackOpener().inspect(path: path).frames == 1152)
  }

  @Test("the search for a first frame is bounded")
  func bounded() throws {
    let folder = try TemporaryFolder()
    let music = contents(fixture("cbr-128.mp3"))
    let near = folder.write("near.mp3", [UInt8](repeating: 7, count: MPEGProbe.searchBound - 4000) + music)
    #expect(try decode(near, rate: 44100).count == 2 * 22050)
    let far = folder.write("far.mp3", [UInt8](repeating: 7, count: MPEGProbe.searchBound + 4000) + music)
    #expect(throws: TrackError(operation: .open, path: far, reason: "no audio in it")) {
      try FileTrackOpener().open(path: far, rate: 44100)
    }
  }

  @Test("noise is refused though it is full of false syncs")
  func noise() throws {
    let folder = try TemporaryFolder()
    var state: UInt64 = 1
    for round in 0..<20 {
      let bytes = (0..<50_000).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // One byte in eight is the first of a sync, one the second.
        return state >> 61 == 0 ? 0xff : state >> 61 == 1 ? 0xfb : UInt8(truncatingIfNeeded: state >> 33)
      }
      let path = folder.write("\(round).mp3", bytes)
      #expect(throws: TrackError.self) { try FileTrackOpener().open(path: path, rate: 44100) }
    }
    #expect(folder.openDescriptors == 0)
  }

  @Test("a file cut off while it plays ends")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", Array(repeatElement(contents(fixture("no-lame-tag.mp3")), count: 40).joined()))
    let track = try FileTrackOpener().open(path: path, rate: 44100)
    #expect(try next(track, 1000).count == 2000)
    #expect(truncate(path, 100_000) == 0)
    #expect(try rest(track).count < 2 * 40 * 24192)
    #expect(try next(track, 10).isEmpty)
  }
}
