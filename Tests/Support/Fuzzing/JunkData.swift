import Board
import Files
import TestSupport
import TrackDecoding

/// Any bytes after a track of MPEG audio, within it, and alone: what is not a frame is not heard, and takes nothing of
/// the track.
enum JunkData {
  /// A track of frames of 192 bytes each.
  private static let music = (path: "Tests/TrackDecodingTests/Fixtures/rate-48000-stereo.mp3", frame: 192, rate: 48_000)
  /// More than the largest frame, so that no false header reaches the music.
  private static let gap = [UInt8](repeating: 0, count: 3_000)

  /// - Parameter input: the bytes, or up to eight bytes that stand for many that look random.
  static func check(_ input: [UInt8]) throws {
    let bytes = input.count > 8 ? input : noise(input)
    // What begins where a frame is expected, as one does, is taken for one.
    guard bytes.first != 0xff, !mayHoldFrames(bytes) else { return }
    let track = try FileAccess.read(repositoryPath(music.path))
    let alone = try samples(track)
    let place = track.count / music.frame / 2 * music.frame
    let junk = bytes + gap
    try hold(try samples(track + junk) == alone, "\(bytes.count) bytes behind a track change what is heard of it")
    try hold(
      try samples(track[..<place] + junk + track[place...]) == alone,
      "\(bytes.count) bytes within a track change what is heard of it")
    do {
      try hold(try samples(junk).allSatisfy { $0 == 0 }, "\(bytes.count) bytes of no music are heard")
    } catch let error as TrackError {
      try hold(!error.reason.isEmpty, "refused without a reason")
    }
  }

  /// 200 kB in which headers are as frequent as in any packed data.
  private static func noise(_ seed: [UInt8]) -> [UInt8] {
    var state = seed.reduce(UInt64(seed.count)) { $0 << 8 | UInt64($1) }
    return (0..<200_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  /// Whether it has three headers each of which begins where the frame before ends; or the beginning of another
  /// format or of a tag, after which the music goes on.
  private static func mayHoldFrames(_ bytes: [UInt8]) -> Bool {
    var free: [UInt32: Int] = [:]
    for start in bytes.indices.dropLast(3) where bytes[start] == 0xff {
      guard let frame = self.frame(bytes, start) else { continue }
      guard let size = frame.size else {
        free[frame.kind, default: 0] += 1
        continue
      }
      guard let second = self.frame(bytes, start + size) else { continue }
      guard let rest = second.size, self.frame(bytes, start + size + rest) == nil else { return true }
    }
    let others = ["RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS", "caff", ".snd", "riff", "ID3"]
    // Frames of a free bit rate are as long as the way from one to the next.
    return free.values.contains { $0 > 2 } || others.contains { bytes.starts(with: Array($0.utf8)) }
  }

  /// The kind and the size in bytes of the frame whose header is there; no size if the bit rate is free.
  private static func frame(_ bytes: [UInt8], _ place: Int) -> (kind: UInt32, size: Int?)? {
    guard place + 4 <= bytes.count else { return nil }
    let word = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let (version, layer, bits) = (Int(word >> 19 & 3), 4 - Int(word >> 17 & 3), Int(word >> 12 & 15))
    guard word >> 21 == 0x7ff, version != 1, layer < 4, bits < 15, word >> 10 & 3 < 3 else { return nil }
    let kind = word & 0xfffe_0c00
    guard bits > 0 else { return (kind, nil) }
    let rate = [44_100, 48_000, 32_000][Int(word >> 10 & 3)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let bitRate = 1000 * bitRates[version == 3 ? layer - 1 : layer == 1 ? 3 : 4][bits - 1]
    let padding = Int(word >> 9 & 1)
    if layer == 1 { return (kind, (12 * bitRate / rate + padding) * 4) }
    return (kind, (layer == 3 && version != 3 ? 72 : 144) * bitRate / rate + padding)
  }

  /// Layers I to III of MPEG 1, then layer I and the others of MPEG 2, in kbit/s (ISO 11172-3, 2.4.2.3; 13818-3).
  private static let bitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  private static func samples(_ file: some Sequence<UInt8>) throws -> [Int16] {
    let folder = try TemporaryFolder()
    let track = try FileTrackOpener().open(path: folder.write("track", Array(file)), rate: music.rate)
    var all: [Int16] = []
    var block = [Int16](repeating: 0, count: 2 * 4096)
    while true {
      let count = try block.withUnsafeMutableBufferPointer { buffer in
        try buffer.baseAddress.map { try track.read(into: $0, frames: 4096) } ?? 0
      }
      if count == 0 { return all }
      all += block[..<(2 * count)]
    }
  }
}
