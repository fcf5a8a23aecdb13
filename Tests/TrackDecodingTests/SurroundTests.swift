import CDecoders
import TestSupport
import Testing

/// Files with more than two channels that do not say which is which.
@Suite struct SurroundTests {
  /// Where a channel of a file is heard.
  private enum Side { case left, right, both, nowhere }

  private static let formats: [(name: String, format: Int, sides: [Side])] = [
    ("a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, [.left, .both, .right, .left, .right, .nowhere]),
    ("a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, [.left, .right, .both, .nowhere, .left, .right]),
  ]

  /// A file of 5.1 channels of which only one sounds.
  private func make(_ path: String, format: Int, loud: Int) throws {
    var info = SF_INFO()
    info.samplerate = 44_100
    info.channels = 6
    info.format = CInt(format)
    let file = try #require(sf_open(path, CInt(SFM_WRITE), &info))
    defer { sf_close(file) }
    let frames = 22_050
    var samples = [Float](repeating: 0, count: frames * 6)
    for frame in 0..<frames { samples[frame * 6 + loud] = Float(chord([80], frame, rate: 44_100) / 40_000) }
    #expect(sf_writef_float(file, samples, sf_count_t(frames)) == sf_count_t(frames))
  }

  @Test("5.1 channels without a map are those of their format's own order", arguments: 0..<2, 0..<6)
  func order(format: Int, channel: Int) throws {
    let folder = try TemporaryFolder()
    let (name, format, sides) = Self.formats[format]
    try make("\(folder.path)/\(name)", format: format, loud: channel)
    let samples = try decode("\(folder.path)/\(name)", rate: 44_100)
    var peaks = [0, 0]
    for (index, sample) in samples.enumerated() { peaks[index % 2] = max(peaks[index % 2], abs(Int(sample))) }
    let heard: Side =
      switch (peaks[0] > 1_000, peaks[1] > 1_000) {
      case (true, true): .both
      case (true, false): .left
      case (false, true): .right
      case (false, false): .nowhere
      }
    #expect(heard == sides[channel], "\(peaks)")
  }
}
