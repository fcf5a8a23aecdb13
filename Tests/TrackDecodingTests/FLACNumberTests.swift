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

  @Test("P11: what was cut off leaves no silence: before the beginning, and in the middle")
  func cut() throws {
    for first in [1, frames.count / 2, frames.count - 1] {
      let (samples, _) = try play(file(head, Array(frames[first...])), rate: 8000)
      #expect(parting(samples, whole.suffix(samples.count)) == nil && !samples.isEmpty)
    }
    let (samples, _) = try play(file(head, Array(frames[..<2] + frames[4...])), rate: 8000)
    let wanted = Array(whole[..<(4 * 576)]) + Array(whole[(8 * 576)...])
    #expect(parting(samples, wanted) == nil)
  }

  @Test("P11: damage is silent for as long as it can have been music, and no longer")
  func damage() throws {
    var torn = frames
    torn[2] = [UInt8](repeating: 0, count: frames[2].count)
    #expect(try play(file(head, torn), rate: 8000).samples.count == whole.count)
    // Behind a few bytes of damage, a number that lies far ahead is no place.
    let (samples, _) = try play(file(head, [frames[0], [1, 2, 3]] + frames[20...]), rate: 8000)
    #expect(samples.count < whole.count)
  }

  @Test("P11.1: a file that begins within a frame begins with music")
  func cutWithin() throws {
    for first in [1, 2, 3, 9, frames.count / 2, frames.count - 2] {
      for kept in [1, 100, frames[first - 1].count - 20] {
        let torn = Array(frames[first - 1].suffix(kept))
        let path = file(head, [torn] + frames[first...])
        let samples = try play(path, rate: 8000).samples
        let wanted = whole[(2 * 576 * first)...]
        // A frame that is nearly whole may be one that was damaged.
        let heard = samples.drop { $0 == 0 }
        #expect(samples.count <= wanted.count + (first == 1 && kept > 200 ? 2 * 576 : 0), "\(first), \(kept)")
        #expect(parting(heard, wanted.drop { $0 == 0 }) == nil, "\(first), \(kept)")
        let track = try FileTrackOpener().open(path: path, rate: 8000)
        try track.seek(to: 100)
        #expect(try parting(next(track, 200), samples[200...].prefix(400)) == nil, "\(first), \(kept)")
      }
    }
  }

  @Test("P11.1: a seek in recordings that were joined finds what playing through to that frame gives")
  func seeks() throws {
    let (half, all) = (frames.count / 2, frames.count)
    var files = [frames + frames, frames + frames + frames]
    for (first, second) in [(half..<all, 0..<half), (0..<5, 0..<all), (0..<half, 3..<all), (0..<5, half..<all)] {
      files.append(Array(frames[first]) + Array(frames[second]))
    }
    for (index, joined) in files.enumerated() {
      for total in [0, 20_011] {
        let path = file(head(total: total), joined)
        let samples = try play(path, rate: 8000).samples
        for frame in scatter(samples.count / 2, 12) {
          let track = try FileTrackOpener().open(path: path, rate: 8000)
          try track.seek(to: frame)
          let wanted = samples[(2 * frame)...].prefix(400)
          // Behind the last frame of a file that announces more is an error.
          let found = (try? next(track, 200)) ?? []
          #expect(parting(found, wanted) == nil, "file \(index) from frame \(frame)")
        }
      }
    }
  }

  @Test("P11.1: a seek in FLAC in Ogg whose numbers begin again finds what playing through gives")
  func seeksInOgg() throws {
    let pages = TestPage.parse(contents(fixture("seek-flac.oga")))
    let path = folder.write("a.oga", (pages + pages[pages.headers...]).file)
    let samples = try play(path, rate: 8000).samples
    #expect(parting(samples, whole + whole) == nil)
    for frame in scatter(samples.count / 2, 12) {
      let track = try FileTrackOpener().open(path: path, rate: 8000)
      try track.seek(to: frame)
      #expect(try parting(next(track, 200), samples[(2 * frame)...].prefix(400)) == nil, "from frame \(frame)")
    }
  }

  @Test("P11.1: the lengths in a header that lie change nothing behind a cut within a frame")
  func cutWithinLying() throws {
    let first = frames.count / 2
    for (least, largest) in [(16, 65_535), (1152, 4608)] {
      let torn = Array(frames[first - 1].suffix(200))
      let path = file(head(least: least, largest: largest), [torn] + frames[first...])
      #expect(try parting(play(path, rate: 8000).samples, whole[(2 * 576 * first)...]) == nil)
    }
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

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 7 }
    }
  }
}
