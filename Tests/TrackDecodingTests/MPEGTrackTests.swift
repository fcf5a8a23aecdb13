import Board
import TestSupport
import Testing

@testable import TrackDecoding

private let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
private let whole = [
  "abr-128", "cbr-128", "free-format-200", "gapless-1", "gapless-2", "no-lame-tag", "tag-apev2", "tag-id3v1",
  "tag-id3v23-utf16-picture", "tag-id3v24-utf8-controls", "vbr-v2", "bad-junk-first-8k", "bad-truncated",
]
// Not where it is used: a closure in the arguments of a test makes the compiler of Swift 6.0 crash.
private let everyRateAndWhole = rates.flatMap { ["rate-\($0)-mono", "rate-\($0)-stereo"] } + whole

@Suite("An MPEG track")
struct MPEGTrackTests {
  @Test(
    "gives at its own rate what libmpg123 gives for the whole file",
    arguments: everyRateAndWhole)
  func native(name: String) throws {
    let path = fixture(name + ".mp3")
    let parts = plainDecode(path)
    try #require(parts.count == 1)
    #expect(try parting(decode(path, rate: parts[0].rate), parts[0].samples) == nil)
  }

  @Test("gives the same whatever the size of the reads", arguments: [1, 7, 576, 1151, 1152, 5000])
  func blocks(size: Int) throws {
    for (name, rate) in [("gapless-1", 44100), ("rate-22050-mono", 48000)] {
      let opener = FileTrackOpener()
      let path = fixture(name + ".mp3")
      let whole = try rest(opener.open(path: path, rate: rate), block: 100_000)
      #expect(try parting(rest(opener.open(path: path, rate: rate), block: size), whole) == nil)
    }
  }

  @Test("knows rate, channels and length", arguments: rates)
  func info(rate: Int) throws {
    let frames = rate * 3 / 10 + 7
    for (channels, kind) in [(1, "mono"), (2, "stereo")] {
      let path = fixture("rate-\(rate)-\(kind).mp3")
      #expect(
        try FileTrackOpener().inspect(path: path)
          == TrackInfo(rate: rate, channels: channels, frames: frames))
      let track = try FileTrackOpener().open(path: path, rate: 48000)
      let wanted = Resampler.length(frames, from: rate, to: 48000)
      #expect(track.info.frames == wanted)
      #expect(try rest(track).count == 2 * wanted)
    }
  }

  @Test("gives mono in both channels")
  func mono() throws {
    let samples = try decode(fixture("rate-44100-mono.mp3"), rate: 44100)
    #expect(samples.contains { abs(Int($0)) > 5000 })
    #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == samples[$0 + 1] })
  }

  @Test("joins to the next without a gap")
  func gapless() throws {
    let first = try decode(fixture("gapless-1.mp3"), rate: 44100)
    let second = try decode(fixture("gapless-2.mp3"), rate: 44100)
    #expect(first.count == 2 * 20000)
    #expect(second.count == 2 * 21000)
    let joined = first + second
    for (side, frequencies) in [[440.0, 550, 660], [330, 495, 880]].enumerated() {
      let worst = (19000..<22000).map { abs(Double(joined[2 * $0 + side]) - chord(frequencies, $0)) }.max()
      #expect(try #require(worst) < 12)
    }
  }

  @Test("ends once and for all")
  func ends() throws {
    let track = try FileTrackOpener().open(path: fixture("cbr-128.mp3"), rate: 44100)
    #expect(try rest(track).count == 2 * 22050)
    #expect(try next(track, 100).isEmpty)
    #expect(try next(track, 100).isEmpty)
  }

  @Test("refuses to go on once it is closed, and closes its file")
  func close() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", contents(fixture("cbr-128.mp3")))
    let track = try FileTrackOpener().open(path: path, rate: 44100)
    #expect(folder.openDescriptors == 1)
    track.close()
    #expect(folder.openDescriptors == 0)
    #expect(throws: TrackError(operation: .read, path: path, reason: "closed")) { try next(track, 1) }
    #expect(throws: TrackError(operation: .seek, path: path, reason: "closed")) { try track.seek(to: 0) }
  }
}

func chord(_ frequencies: [Double], _ frame: Int, rate: Double = 44100) -> Double {
  frequencies.reduce(0) { $0 + 32767 * 0.2 * sine(2 * Double.pi * $1 * Double(frame) / rate) }
}
