import Board
import TestSupport
import Testing

@testable import TrackDecoding

/// Places that only decoding from the beginning finds: a piece of the way at a time.
@Suite struct ApproachTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file whose parts were joined.
  private func joined(_ name: String) throws -> String {
    let file = contents(fixture(name))
    let all = Array([[UInt8]](repeating: file, count: 4).joined())
    return folder.write(name, all)
  }

  /// How many pieces it takes.
  private func approach(_ track: any FileTrackSource, _ most: Int) throws -> Int {
    var memory = [Int16](repeating: 0, count: 2 * 1000)
    var pieces = 1
    while try !memory.withUnsafeMutableBufferPointer({ memory in
      try track.approach(frames: most, using: #require(memory.baseAddress), 1000)
    }) { pieces += 1 }
    return pieces
  }

  @Test(
    "P11: a seek in a file that was joined goes there in pieces, and what follows is what an unbroken decode gives",
    arguments: ["seek-vbr.mp3", "seek-flac.flac"], [8000, 48_000])
  func joined(name: String, rate: Int) throws {
    let track = try FileTrackOpener().open(OpenFile(path: joined(name)), path: name, rate: rate)
    let whole = try rest(track)
    let last = whole.count / 2 - 1000
    for frame in [last, last / 2] {
      try track.seek(to: frame)
      let pieces = try approach(track, 5000)
      // Frames are the file's or the track's.
      #expect(pieces > min(frame, frame * track.info.rate / rate) / 5000 / 2, "to \(frame)")
      #expect(try largestDifference(next(track, 500), whole[(2 * frame)...].prefix(1000)) <= 2, "from \(frame)")
    }
    try track.seek(to: last + 5000)
    _ = try approach(track, 5000)
    #expect(try next(track, 100).isEmpty)
    try track.seek(to: 0)
    #expect(try approach(track, 5000) == 1)
    #expect(try parting(next(track, 500), whole.prefix(1000)) == nil)
  }

  @Test(
    "a place that is found without that is there at once",
    arguments: ["seek-vbr.mp3", "seek-flac.flac", "seek-opus.opus"])
  func found(name: String) throws {
    let track = try FileTrackOpener().open(OpenFile(path: fixture(name)), path: name, rate: 48_000)
    let whole = try rest(track)
    let frame = whole.count / 2 - 1000
    try track.seek(to: frame)
    #expect(try approach(track, 100_000) == 1)
    #expect(try largestDifference(next(track, 500), whole[(2 * frame)...].prefix(1000)) <= 2)
  }
}
