import Board
import Testing

@testable import TrackDecoding

/// Layer III at its lowest and its highest bit rate: the smaller the frames, the farther back the bit reservoir
/// reaches.
private let files = ["seek-cbr-32", "seek-cbr-320", "seek-vbr", "seek-mpeg25-8"]

/// Frames all over a track of `count`: both ends, the neighbourhood of frame borders, and a scatter that never changes.
private func places(_ count: Int) -> [Int] {
  var state: UInt64 = 7
  let scatter = (0..<40).map { _ -> Int in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
  let borders = [47, 80, 81].flatMap { [$0 * 1152 - 1105, $0 * 1152 - 1106, $0 * 576] }
  return scatter + borders.filter { $0 < count } + [0, 1, count - 1, count, count - 600, 0, count / 2]
}

@Suite("A seek")
struct SeekTests {
  @Test("at the file's own rate is exact to the last bit", arguments: files)
  func native(name: String) throws {
    let path = fixture(name + ".mp3")
    let plain = try #require(plainDecode(path).first)
    let track = try FileTrackOpener().open(path: path, rate: plain.rate)
    let count = plain.samples.count / 2
    try #require(count > 90 * 576)
    for frame in places(count) {
      try track.seek(to: frame)
      let wanted = plain.samples[(2 * frame)...].prefix(6000)
      #expect(try parting(next(track, 3000), wanted) == nil, "at \(frame)")
    }
    try track.seek(to: 40_000)
    #expect(try parting(rest(track), plain.samples[80_000...]) == nil)
  }

  @Test("at another rate is within two steps of an unbroken decode", arguments: files, [48000, 22050])
  func resampled(name: String, rate: Int) throws {
    let path = fixture(name + ".mp3")
    let track = try FileTrackOpener().open(path: path, rate: rate)
    let whole = try rest(track)
    for frame in places(whole.count / 2) {
      try track.seek(to: frame)
      let samples = try next(track, 3000)
      let wanted = whole[(2 * frame)...].prefix(6000)
      #expect(samples.count == wanted.count, "at \(frame)")
      #expect(largestDifference(samples, wanted) <= 2, "at \(frame)")
    }
  }

  @Test("past the end ends, and before the beginning begins", arguments: [44100, 48000])
  func beyond(rate: Int) throws {
    let track = try FileTrackOpener().open(path: fixture("seek-vbr.mp3"), rate: rate)
    let start = try next(track, 100)
    for frame in [10_000_000, 400_000, 1 << 40, .max] {
      try track.seek(to: frame)
      #expect(try next(track, 100).isEmpty)
    }
    try track.seek(to: -5)
    #expect(try parting(next(track, 100), start) == nil)
  }

  @Test("works after the end and in short files")
  func short() throws {
    let track = try FileTrackOpener().open(path: fixture("cbr-128.mp3"), rate: 44100)
    let whole = try rest(track)
    for frame in [0, 22049, 5000, 22050, 12345] {
      try track.seek(to: frame)
      #expect(try parting(rest(track), whole[(2 * frame)...]) == nil)
    }
  }
}
