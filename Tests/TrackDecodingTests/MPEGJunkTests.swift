import Board
import TestSupport
import Testing

@testable import TrackDecoding

/// Other data in an MPEG file: what is not a frame is not heard, wherever it is.
@Suite struct MPEGJunkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let music = [
    "rate-8000-mono.mp3", "rate-22050-stereo.mp3", "rate-48000-stereo.mp3", "cbr-128.mp3", "seek-vbr.mp3",
    "seek-mpeg25-8.mp3", "free-format-200.mp3",
  ]

  /// Bytes in which a sync word stands every few hundred, as in any data that is packed.
  private func junk(_ count: Int, seed: UInt64 = 3) -> [UInt8] {
    Array(bytes(noise(count / 4 + 1, seed: seed)).prefix(count))
  }

  private func heard(_ file: [UInt8], rate: Int) throws -> [Int16] {
    try decode(folder.write("a.mp3", file), rate: rate)
  }

  private func rate(_ name: String) throws -> Int { try FileTrackOpener().inspect(path: fixture(name)).rate }

  @Test("P11: data behind a track is not heard, and its padding is cut all the same", arguments: music)
  func behind(name: String) throws {
    let (music, rate) = (contents(fixture(name)), try rate(name))
    let alone = try heard(music, rate: rate)
    for tail in [junk(300_000), [UInt8](repeating: 0, count: 50_000), [UInt8](repeating: 0xff, count: 50_000)] {
      #expect(try parting(heard(music + tail, rate: rate), alone) == nil)
    }
  }

  @Test(
    "P11: data between two frames is not heard, and no frame beside it is lost", arguments: music.dropFirst().dropLast()
  )
  func within(name: String) throws {
    let (music, rate) = (contents(fixture(name)), try rate(name))
    let alone = try heard(music, rate: rate)
    let frames = MPEGFrames.starts(in: music)
    let place = frames[frames.count / 2]
    let path = folder.write("b.mp3", music[..<place] + junk(100_000) + music[place...])
    #expect(try parting(decode(path, rate: rate), alone) == nil)
    let track = try FileTrackOpener().open(path: path, rate: rate)
    for frame in [alone.count / 2 - 2000, 100, alone.count / 3] where frame >= 0 {
      try track.seek(to: frame)
      #expect(try parting(next(track, 500), alone[(2 * frame)...].prefix(1000)) == nil, "from frame \(frame)")
    }
    #expect(try FileTrackOpener().inspect(path: path).frames == alone.count / 2)
  }

  @Test("P11.2: data between frames of a free bit rate is not heard, and a seek over it is exact")
  func free() throws {
    let file = contents(fixture("free-format-200.mp3"))
    let first = try #require(file.indices.dropFirst(4).first { file[$0...].starts(with: [0xff, 0xfb]) })
    var last = first
    // 200 kbit/s.
    while last + 2 * 654 < file.count { last += file[last + 2] & 2 == 0 ? 653 : 654 }
    let music = Array(file[first..<last])
    let track = [[UInt8]](repeating: music, count: 9)
    let alone = try heard(Array(track.joined()), rate: 44_100)
    let (before, behind) = (track[..<2].joined(), track[2...].joined())
    let path = folder.write("b.mp3", before + junk(30_000) + behind + junk(100_000, seed: 9))
    #expect(try parting(decode(path, rate: 44_100), alone) == nil)
    let source = try FileTrackOpener().open(path: path, rate: 44_100)
    for frame in scatter(alone.count / 2, 10) {
      try source.seek(to: frame)
      #expect(try parting(next(source, 500), alone[(2 * frame)...].prefix(1000)) == nil, "from frame \(frame)")
    }
  }

  @Test("P11: what stands in the tags behind a track is not heard, even if it is music")
  func tags() throws {
    let music = contents(fixture("cbr-128.mp3"))
    let alone = try heard(music, rate: 44_100)
    let size = music.count
    let ape =
      ascii("APETAGEX") + little(2000, 4) + little(size + 32, 4) + little(1, 4) + little(0, 4)
      + [UInt8](repeating: 0, count: 8)
    let synchsafe = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
    let tail = ascii("3DI") + [4, 0, 0x10] + synchsafe
    let id3 = ascii("ID3") + [4, 0, 0x10] + synchsafe
    let first = ascii("TAG") + [UInt8](repeating: 65, count: 125)
    for (index, tag) in [music + ape, music + ape + first, id3 + music + tail, id3 + music + tail + first].enumerated()
    {
      let file = music + tag
      #expect(try parting(heard(file, rate: 44_100), alone) == nil, "tag \(index)")
    }
  }

  @Test("P11: tracks that were joined with the tags between them play on", arguments: [true, false])
  func joined(isLarge: Bool) throws {
    let music = contents(fixture("no-lame-tag.mp3"))
    let alone = try heard(music, rate: 44_100)
    let tag =
      ascii("ID3") + [4, 0, 0] + (isLarge ? [0, 4, 0, 0] : [0, 0, 4, 0])
      + junk(isLarge ? 1 << 16 : 1 << 9)
    #expect(
      try heard(music + ascii("TAG") + [UInt8](repeating: 65, count: 125) + tag + music, rate: 44_100).count >= 2
        * alone.count - 2 * 1152)
  }

  @Test("P11: a file of other data has no audio in it", arguments: 1...8)
  func alone(seed: UInt64) throws {
    let path = folder.write("a.mp3", junk(400_000, seed: seed))
    let refusal = TrackError(operation: .open, path: path, reason: "no audio in it")
    #expect(throws: refusal) { try FileTrackOpener().open(path: path, rate: 44_100) }
  }
}

/// The frames of an MPEG file whose bit rate is not free.
private enum MPEGFrames {
  static func starts(in file: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var place = file.indices.first { MPEGHeader(file[$0...].prefix(4)) != nil } ?? 0
    while let header = MPEGHeader(file[place...].prefix(4)) {
      starts.append(place)
      place += header.size
      guard place + 4 <= file.count else { break }
    }
    return starts
  }
}
