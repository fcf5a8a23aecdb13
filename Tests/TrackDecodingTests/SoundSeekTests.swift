import Board
import TestSupport
import Testing

@testable import TrackDecoding

private let exact = ["seek-flac.flac", "seek-vorbis.ogg", "vorbis-8000-stereo.ogg", "flac-192000-stereo.flac"]
private let opus = ["seek-opus.opus", "seek-opus-short.opus", "opus-16000-stereo.opus"]

@Suite("A seek in what libsndfile decodes")
struct SoundSeekTests {
  @Test("is exact to the last bit", arguments: exact)
  func native(name: String) throws {
    try check(name, within: 0)
  }

  /// The decoder's predictions carry on what came before, ever more softly.
  @Test("in Opus is exact but for the last step of rounding", arguments: opus)
  func converged(name: String) throws {
    try check(name, within: 1)
  }

  @Test("in WAV is exact to the last bit, at the end, too")
  func wav() throws {
    let folder = try TemporaryFolder()
    let samples = noise(20_000)
    let track = try FileTrackOpener().open(path: folder.write("a.wav", wave(bytes(samples))), rate: 44_100)
    for frame in scatter(20_000, 40) {
      try track.seek(to: frame)
      #expect(try parting(next(track, 500), samples[(2 * frame)...].prefix(1000)) == nil)
    }
  }

  @Test("at another rate is within two steps of an unbroken decode", arguments: exact + opus, [44_100, 47_999])
  func resampled(name: String, rate: Int) throws {
    let track = try FileTrackOpener().open(path: fixture(name), rate: rate)
    let whole = try rest(track)
    for frame in scatter(whole.count / 2, 3) {
      try track.seek(to: frame)
      let samples = try next(track, 500)
      let wanted = whole[(2 * frame)...].prefix(1000)
      #expect(samples.count == wanted.count, "at \(frame)")
      #expect(largestDifference(samples, wanted) <= 2, "at \(frame)")
    }
  }

  @Test("past the end ends, and before the beginning begins", arguments: exact + opus)
  func beyond(name: String) throws {
    for rate in [44_100, 48_000, 8_000] {
      let track = try FileTrackOpener().open(path: fixture(name), rate: rate)
      let start = try next(track, 100)
      for frame in [10_000_000, 1 << 40, .max] {
        try track.seek(to: frame)
        #expect(try next(track, 100).isEmpty)
      }
      try track.seek(to: -5)
      #expect(try parting(next(track, 100), start) == nil)
    }
  }

  private func check(_ name: String, within steps: Int) throws {
    let plain = plainSound(fixture(name))
    let track = try FileTrackOpener().open(path: fixture(name), rate: plain.rate)
    for frame in scatter(plain.samples.count / 2, 60) {
      try track.seek(to: frame)
      let samples = try next(track, 3000)
      let wanted = plain.samples[(2 * frame)...].prefix(6000)
      #expect(samples.count == wanted.count, "at \(frame)")
      #expect(largestDifference(samples, wanted) <= steps, "at \(frame)")
    }
    try track.seek(to: 100)
    #expect(try largestDifference(rest(track), plain.samples[200...]) <= steps)
  }
}
