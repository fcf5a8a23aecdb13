import Board
import Files
import TestSupport
import TrackDecoding

/// Any bytes behind a track of MPEG audio, within it, and alone: what is no frame is not heard, and takes nothing of the
/// track.
enum JunkData {
  /// A track of frames of 192 bytes each.
  private static let music = (path: "Tests/TrackDecodingTests/Fixtures/rate-48000-stereo.mp3", frame: 192, rate: 48_000)
  /// More than the largest frame, so that no false header reaches the music.
  private static let gap = [UInt8](repeating: 0, count: 3_000)

  static func check(_ bytes: [UInt8]) throws {
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

  /// Whether three headers of one kind stand in it, which may follow one another as frames; or the beginning of another
  /// format or of a tag, behind which the music goes on.
  private static func mayHoldFrames(_ bytes: [UInt8]) -> Bool {
    var kinds: [UInt32: Int] = [:]
    for index in bytes.indices.dropLast(3) where bytes[index] == 0xff {
      let word = bytes[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      kinds[word & 0xfffe_0c00, default: 0] += 1
    }
    let others = ["RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS", "caff", ".snd", "riff", "ID3"]
    return kinds.values.contains { $0 > 2 } || others.contains { bytes.starts(with: Array($0.utf8)) }
  }

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
