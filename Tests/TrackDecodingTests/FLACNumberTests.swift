import Board
import TestSupport
import Testing

@testable import TrackDecoding

/// FLAC files whose headers and frame numbers are not those of one whole recording: every frame in them is music.
@Suite struct FLACNumberTests {
  private let folder: TemporaryFolder
  private let whole: [Int16]
  /// Up to the first frame.
  private let head: [UInt8]
  private let frames: [[UInt8]]

  init() throws {
    folder = try TemporaryFolder()
    whole = plainSound(fixture("seek-flac.flac")).samples
    let file = contents(fixture("seek-flac.flac"))
    let starts = FLACFrames.starts(in: file)
    head = Array(file[..<(try #require(starts.first))])
    frames = zip(starts, starts.dropFirst() + [file.count]).map { Array(file[$0..<$1]) }
  }

  private func file(_ head: [UInt8], _ frames: [[UInt8]]) -> String { folder.write("a.flac", head + frames.joined()) }

  /// The header with other block sizes, or another total.
  private func head(least: Int? = nil, largest: Int? = nil, total: Int? = nil) -> [UInt8] {
    var head = head
    if let least { head.replaceSubrange(8..<10, with: little(least, 2).reversed()) }
    if let largest { head.replaceSubrange(10..<12, with: little(largest, 2).reversed()) }
    if let total { head.replaceSubrange(22..<26, with: little(total, 4).reversed()) }
    return head
  }

  @Test(
    "P11: the block sizes in the header need not be those of the frames",
    arguments: [(16, 65_535), (1152, 4608), (0, 0)])
  func blockSizes(least: Int, largest: Int) throws {
    let path = file(head(least: least, largest: largest), frames)
    #expect(try parting(play(path, rate: 8000).samples, whole) == nil)
    let track = try FileTrackOpener().open(path: path, rate: 8000)
    for frame in scatter(whole.count / 2, 20) {
      try track.seek(to: frame)
      #expect(try parting(next(track, 200), whole[(2 * frame)...].prefix(400)) == nil, "from frame \(frame)")
    }
  }

  @Test(
    "P11: a total that is too small ends nothing, and one that is missing or too large changes no frame",
    arguments: [1, 5000, 20_010, 0, 60_000])
  func total(_ total: Int) throws {
    let path = file(head(total: total), frames)
    let (samples, reason) = try play(path, rate: 8000)
    #expect(parting(samples, whole) == nil)
    #expect((reason != nil) == (total > 20_011))
    let track = try FileTrackOpener().open(path: path, rate: 8000)
    for frame in [7000, 20_000, 300, 19_000] {
      try track.seek(to: frame)
      #expect(try parting(next(track, 200), whole[(2 * frame)...].prefix(400)) == nil, "from frame \(frame)")
    }
    #expect(try FileTrackOpener().inspect(path: path).frames == 20_011)
  }

  @Test("P11: numbers that begin again are no reason for silence", arguments: [0, 20_011, 40_022])
  func joined(total: Int) throws {
    let path = file(head(total: total), frames + frames)
    #expect(try parting(play(path, rate: 8000).samples, whole + whole) == nil)
    let half = frames.count / 2
    #expect(
      try play(file(head, Array(frames[half...] + frames[..<half])), rate: 8000).samples.count == whole.count)
  }

  @Test("P11: where a file of another rate was joined, the track breaks off, instead of going on at a wrong pitch")
  func rates() throws {
    let (first, second) = (fixture("flac-44100-stereo.flac"), fixture("flac-48000-stereo.flac"))
    let path = folder.write("b.flac", contents(first) + [contents(second), contents(second)].joined())
    let (samples, reason) = try play(path, rate: 44_100)
    #expect(try parting(samples, decode(first, rate: 44_100)) == nil)
    #expect(reason == "its rate changes from 44100 to 48000 Hz")
    let track = try FileTrackOpener().open(path: path, rate: 44_100)
    #expect(throws: TrackError.self) { try rest(track) }
    try track.seek(to: 0)
    #expect(try parting(next(track, 1000), samples.prefix(2000)) == nil)
  }

  @Test("P11: a place that is sought behind where a file of another rate was joined is not played at a wrong pitch")
  func ratesSought() throws {
    let frames = (0..<16).map { FLACFrames.constant([1, 1], number: $0, rate: $0 < 8 ? 4 : 5) }
    let track = try FileTrackOpener().open(path: file(FLACFrames.head, frames), rate: 8000)
    // Within a frame: libFLAC's own search misses its beginning here, and decodes all that is before it.
    let place = 12 * FLACFrames.block + 96
    #expect(throws: TrackError.self) {
      try track.seek(to: place)
      _ = try rest(track)
    }
    // Where no frame has the rate of the header, all are played at that.
    let other = (0..<16).map { FLACFrames.constant([1, 1], number: $0, rate: 5) }
    let alike = try FileTrackOpener().open(path: file(FLACFrames.head, other), rate: 8000)
    try alike.seek(to: place)
    #expect(try rest(alike).count == 2 * (4 * FLACFrames.block - 96))
  }

  @Test("P11: what was cut off leaves no silence: before the beginning, and in the middle")
  func cut() throws {
    for first in [1, frames.count / 2, frames.count - 1] {
      let (samples, _) = try play(file(head, Array(frames[first...])), rate: 8000)
      #expect(parting(samples, whole.suffix(samples.count)) == nil && !samples.isEmpty)
    }
    let (samples, _) = try play(file(head, Array(frames[..<2] + frames[4...])), rate: 8000)
    #expect(samples.count < whole.count)
    #expect(samples.suffix(2000).elementsEqual(whole.suffix(2000)))
  }

  @Test("P11: damage is silent for as long as it can have been music, and no longer")
  func damage() throws {
    var torn = frames
    torn[2] = [UInt8](repeating: 0, count: frames[2].count)
    #expect(try play(file(head, torn), rate: 8000).samples.count == whole.count)
    // After a few bytes of damage, a number that lies far ahead is not a place.
    let (samples, _) = try play(file(head, [frames[0], [1, 2, 3]] + frames[20...]), rate: 8000)
    #expect(samples.count < whole.count)
  }

  @Test("P11: a side that is silent silences no other")
  func silentSide() throws {
    let blocks: [[Int16]] = [[0, 7], [7, 0], [0, 0], [5, 5]]
    let frames = blocks.enumerated().map { FLACFrames.constant($1, number: UInt8($0)) }
    let (samples, _) = try play(file(FLACFrames.head, frames), rate: 8000)
    #expect(samples == blocks.flatMap { Array(repeatElement($0, count: FLACFrames.block).joined()) })
  }
}

/// The frames of a FLAC file.
enum FLACFrames {
  /// Where frames begin: at a header with the right checksum.
  static func starts(in file: [UInt8]) -> [Int] {
    file.indices.filter { start in
      guard file[start] == 0xff, start + FLACFrameHeader.longest < file.count,
        let header = FLACFrameHeader(Array(file[start..<start + FLACFrameHeader.longest]))
      else { return false }
      return checksum(file[start..<start + header.length]) == file[start + header.length]
    }
  }

  /// Samples of each side in a frame of `constant`.
  static let block = 192
  /// What precedes such frames: the header for stereo of 16 bits at 8 kHz.
  static let head: [UInt8] =
    Array("fLaC".utf8) + [0x80, 0, 0, 34, 0, 192, 0, 192, 0, 0, 0, 0, 0, 0, 0x01, 0xf4, 0x02, 0xf0]
    + [UInt8](repeating: 0, count: 20)

  /// A frame in which all samples of a side have the same value.
  /// - Parameter rate: by its code, which is 4 for 8 kHz and 5 for 16 kHz.
  static func constant(_ values: [Int16], number: UInt8, rate: UInt8 = 4) -> [UInt8] {
    let header: [UInt8] = [0xff, 0xf8, 0x10 | rate, 0x18, number]
    let sides = values.flatMap { value -> [UInt8] in
      [0, UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    let frame = header + [checksum(header[...])] + sides
    let sum = frame.reduce(UInt16(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
    }
    return frame + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 7 }
    }
  }
}
