import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// One decoder for all ports that play the same.
@Suite struct SharedTracksTests {
  /// A port that reads, and knows which frame comes next.
  private final class Reader {
    let source: any TrackSource
    var frame: Int

    init(_ tracks: SharedTracks, _ path: String = "a", at frame: Int = 0) throws {
      source = try tracks.open(path: path, rate: 48_000)
      self.frame = frame
      if frame > 0 { try source.seek(to: frame) }
    }

    /// Reads until it has this many, or the track is over; expects them to be those of the track. Returns how many
    /// came.
    @discardableResult
    func read(_ frames: Int) throws -> Int {
      var samples = [Int16](repeating: 0, count: frames * 2)
      var count = 0
      while count < frames {
        while !source.isReady() {}
        let more = try samples.withUnsafeMutableBufferPointer {
          try source.read(into: try #require($0.baseAddress), frames: frames - count)
        }
        if more == 0 { break }
        let areRight = (0..<more).allSatisfy { samples[$0 * 2] == CountingTracks.left(frame + $0) }
        #expect(areRight, "at \(frame)")
        count += more
        frame += more
      }
      return count
    }
  }

  private let files = OpenTracks(CountingTracks(["a": 100_000, "b": 50_000, "bad": 30_000], breaks: ["bad": 20_000]))
  private let tracks: SharedTracks

  init() {
    tracks = SharedTracks(over: files)
    tracks.frames = 10_000
    tracks.isWanted.store(true, ordering: .relaxed)
  }

  @Test("S6: a track is decoded once for all ports, also where one is a little behind", arguments: [false, true])
  func once(isSlow: Bool) throws {
    files.isSlow = isSlow
    let readers = try (0..<3).map { _ in try Reader(tracks) }
    for _ in 0..<20 {
      for (reader, frames) in zip(readers, [4_096, 1_000, 3_000]) { try reader.read(frames) }
      for reader in readers { try reader.read((4_096 - reader.frame % 4_096) % 4_096) }
    }
    #expect(files.opened == 1)
    readers[0].source.close()
    readers[0].source.close()
    readers[1].source.close()
    #expect(files.open == ["a"])
    try readers[2].read(10)
    readers[2].source.close()
    #expect(files.open.isEmpty)
  }

  @Test("S6: whoever joins in at a frame that was decoded a moment ago needs no decoder")
  func joins() throws {
    let first = try Reader(tracks)
    try first.read(50_000)
    let near = try Reader(tracks, at: 41_000)
    try near.read(20_000)
    #expect(files.opened == 1)
    // Too far behind, before the first frame, and not begun yet.
    for frame in [20_000, 0, 90_000] {
      let opened = files.opened
      let far = try Reader(tracks, at: frame)
      try far.read(5_000)
      #expect(files.opened == opened + 1)
      far.source.close()
    }
    #expect(files.open == ["a"])
  }

  @Test("S6: a port that falls far behind gets a decoder of its own, at its frame")
  func fallsBehind() throws {
    let (first, second) = (try Reader(tracks), try Reader(tracks))
    try second.read(1_000)
    try first.read(40_000)
    try second.read(500)
    #expect(files.open == ["a", "a"])
    first.source.close()
    #expect(files.open == ["a"])
    #expect(try second.read(200_000) == 98_500)
    #expect(try second.read(10) == 0)
  }

  @Test("a place that only one port needs is sought in its own decoder, and a track of another rate is another one")
  func alone() throws {
    let reader = try Reader(tracks, at: 60_000)
    try reader.read(5_000)
    #expect(files.opened == 1)
    _ = try tracks.open(path: "a", rate: 44_100)
    _ = try Reader(tracks, "b")
    #expect(files.opened == 3)
  }

  @Test("P11: what ends a track early ends it for all ports at the same frame, and whoever comes later tries anew")
  func breaks() throws {
    let (first, second) = (try Reader(tracks, "bad"), try Reader(tracks, "bad"))
    for reader in [first, second, first, second] { try reader.read(8_000) }
    for reader in [first, second] { #expect(throws: TrackError.self) { try reader.read(8_000) } }
    #expect(first.frame == 20_000 && second.frame == 20_000)
    let third = try Reader(tracks, "bad")
    try third.read(100)
    #expect(files.opened == 2)
    #expect(throws: TrackError.self) { try Reader(tracks, "missing") }
  }

  @Test("a file that is gone when a port needs a decoder of its own is an error of that port alone")
  func gone() throws {
    let (first, second) = (try Reader(tracks), try Reader(tracks))
    try first.read(40_000)
    files.isGone = true
    #expect(throws: TrackError.self) { try second.read(500) }
    try first.read(10_000)
  }

  @Test("X1: once the music was listed anew, a path is opened anew: another file may lie there")
  func listedAnew() throws {
    let before = try Reader(tracks)
    try before.read(1_000)
    tracks.noteListing()
    for _ in 0..<2 { try Reader(tracks).read(1_000) }
    try before.read(1_000)
    #expect(files.opened == 2)
  }

  @Test("without a multi-route nothing is shared")
  func notWanted() throws {
    tracks.isWanted.store(false, ordering: .relaxed)
    for reader in [try Reader(tracks), try Reader(tracks)] { try reader.read(30_000) }
    #expect(files.opened == 2)
  }

  @Test("S6: whatever ports do, each reads its own frames", arguments: 0..<40)
  func random(seed: Int) throws {
    var generator = SplitMix64(state: UInt64(seed))
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    files.isSlow = seed % 2 == 1
    var readers: [Reader] = []
    for _ in 0..<400 {
      switch pick(10) {
      case 0, 1:
        let near = readers.isEmpty ? 0 : max(0, readers[pick(readers.count)].frame - pick(12_000))
        if readers.count < 5 { readers.append(try Reader(tracks, at: [0, near, pick(100_000)][pick(3)])) }
      case 2: if !readers.isEmpty { readers.remove(at: pick(readers.count)).source.close() }
      default: if !readers.isEmpty { try readers[pick(readers.count)].read(pick(4_097)) }
      }
      #expect(files.open.count <= max(1, readers.count))
    }
    for reader in readers { reader.source.close() }
    #expect(files.open.isEmpty)
  }
}
