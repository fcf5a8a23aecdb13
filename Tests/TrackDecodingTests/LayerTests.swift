import Board
import TestSupport
import Testing

@testable import TrackDecoding

/// MPEG 1 layer I at 384 kbit/s, layer II at 192, or MPEG 2 layer II at 64.
struct Layer {
  var header: UInt32
  /// The bytes that allocate a few bits to the lower bands of both channels, and the number of bytes that allocate
  /// none.
  var bands: [UInt8]
  var silent: Int
  /// Bytes a frame.
  var size: Int
  var rate: Int
  /// Samples a frame.
  var samples: Int

  /// The bands are followed by scale factors and samples, for which any bits are valid.
  func stream(frames: Int) -> [UInt8] {
    let head =
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: header >> $0) } + bands + [UInt8](repeating: 0, count: silent)
    var state: UInt64 = 3
    var all: [UInt8] = []
    for _ in 0..<frames {
      all += head
      for _ in head.count..<size {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        all.append(UInt8(truncatingIfNeeded: state >> 40))
      }
    }
    return all
  }
}

@Suite("Layers I and II")
struct LayerTests {
  @Test(
    "decode and seek as libmpg123 gives them, to the last bit",
    arguments: [
      Layer(
        header: 0xffff_c000, bands: .init(repeating: 0x33, count: 8), silent: 24, size: 416, rate: 44100, samples: 384),
      Layer(
        header: 0xfffd_a000, bands: .init(repeating: 0x55, count: 8), silent: 16, size: 626, rate: 44100, samples: 1152),
      Layer(
        header: 0xfff5_8400, bands: .init(repeating: 0x55, count: 4), silent: 15, size: 384, rate: 24000, samples: 1152),
    ])
  func layers(layer: Layer) throws {
    let (rate, samples) = (layer.rate, layer.samples)
    let folder = try TemporaryFolder()
    let path = folder.write("a.mpa", layer.stream(frames: 200))
    let plain = try #require(plainDecode(path).first)
    #expect(plain.rate == rate)
    #expect(plain.samples.count == 2 * 200 * samples)
    #expect(plain.samples.contains { abs(Int($0)) > 1000 })
    let track = try FileTrackOpener().open(path: path, rate: rate)
    #expect(track.info == TrackInfo(rate: rate, channels: 2, frames: 200 * samples))
    #expect(try parting(rest(track), plain.samples) == nil)
    for step in 0..<40 {
      let frame = step * 79_193 % (199 * samples)
      try track.seek(to: frame)
      let wanted = plain.samples[(2 * frame)...].prefix(2000)
      #expect(try parting(next(track, 1000), wanted) == nil, "at \(frame)")
    }
  }

  @Test("layer II without a bit rate is refused: libmpg123 plays it as noise")
  func freeLayerTwo() throws {
    let layer = Layer(
      header: 0xfffd_0000, bands: .init(repeating: 0x55, count: 8), silent: 16, size: 640, rate: 44100, samples: 1152)
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp2", layer.stream(frames: 20))
    let refusal = TrackError(
      operation: .open, path: path, reason: "MPEG layer II without a bit rate (free format) cannot be played")
    #expect(throws: refusal) { try FileTrackOpener().open(path: path, rate: 44100) }
    // The other free formats are played.
    #expect(try decode(fixture("free-format-200.mp3"), rate: 44100).count == 2 * 22050)
  }

  @Test("mono and stereo frames in one stream all play", arguments: [0, 1], [1, 2, 3])
  func alternating(first: Int, run: Int) throws {
    let kinds = try ["mono", "stereo"].map { try frames(fixture("rate-44100-\($0).mp3")) }
    let count = 2 * min(kinds[0].count, kinds[1].count)
    let music = (0..<count).flatMap { index in kinds[(index / run + first) % 2][index / 2] }
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", music)
    let track = try FileTrackOpener().open(path: path, rate: 44100)
    #expect(track.info.frames == count * 1152)
    #expect(track.info.channels == (first == 0 ? 1 : 2))
    #expect(try rest(track).count == 2 * count * 1152)
  }

  /// The frames of a file behind its LAME tag.
  private func frames(_ path: String) throws -> [ArraySlice<UInt8>] {
    let bytes = contents(path)
    var (place, frames): (Int, [ArraySlice<UInt8>]) = (0, [])
    while place < bytes.count, let header = MPEGHeader(bytes[place...]) {
      frames.append(bytes[place..<min(bytes.count, place + header.size)])
      place += header.size
    }
    return Array(frames.dropFirst())
  }
}
