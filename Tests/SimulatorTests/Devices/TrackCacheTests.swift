import Board
import Testing

@testable import Simulator

@Suite struct TrackCacheTests {
  /// A track of a hundred frames that count up. Counts how often it is opened and read.
  private final class Ramp: TrackOpener, TrackSource {
    var opened = 0
    var breaksAt = 100
    var info = TrackInfo(title: "Ramp", rate: 44_100, channels: 2, frames: 100)
    private var next = 0

    func open(path: String, rate: Int) -> any TrackSource {
      opened += 1
      next = 0
      return self
    }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      if next >= breaksAt && breaksAt < 100 { throw TrackError(operation: .read, path: "a", reason: "damaged") }
      let count = min(frames, breaksAt - next)
      for frame in 0..<count * 2 { samples[frame] = Int16(next * 2 + frame) }
      next += count
      return count
    }

    func seek(to frame: Int) { next = frame }

    func close() {}
  }

  private let ramp = Ramp()

  /// The rest of a track, read in pieces of odd lengths.
  private func rest(of track: any TrackSource) throws -> [Int16] {
    var all: [Int16] = []
    var piece = [Int16](repeating: 0, count: 14)
    while true {
      let count = try piece.withUnsafeMutableBufferPointer { buffer in
        try buffer.baseAddress.map { try track.read(into: $0, frames: 7) } ?? 0
      }
      if count == 0 { return all }
      all += piece.prefix(count * 2)
    }
  }

  @Test("a track that was read to its end is not decoded again")
  func kept() throws {
    let memory = TrackCache(over: ramp)
    let first = try rest(of: memory.open(path: "a", rate: 44_100))
    #expect(first == (0..<200).map { Int16($0) })
    let again = try memory.open(path: "a", rate: 44_100)
    #expect(ramp.opened == 1)
    #expect(again.info == ramp.info)
    #expect(try rest(of: again) == first)
    try again.seek(to: 90)
    #expect(try rest(of: again) == Array(first[180...]))
    try again.seek(to: 1_000)
    #expect(try rest(of: again) == [])
    _ = try memory.open(path: "b", rate: 44_100)
    #expect(ramp.opened == 2)
  }

  @Test("what was not read from beginning to end is decoded again")
  func leapt() throws {
    let memory = TrackCache(over: ramp)
    let track = try memory.open(path: "a", rate: 44_100)
    try track.seek(to: 10)
    #expect(try rest(of: track).count == 180)
    ramp.breaksAt = 50
    #expect(throws: TrackError.self) { try rest(of: memory.open(path: "a", rate: 44_100)) }
    _ = try memory.open(path: "a", rate: 44_100)
    #expect(ramp.opened == 3)
  }

  @Test("a resampled track is decoded again: a seek in it is not exact")
  func resampled() throws {
    let memory = TrackCache(over: ramp)
    _ = try rest(of: memory.open(path: "a", rate: 48_000))
    _ = try memory.open(path: "a", rate: 48_000)
    #expect(ramp.opened == 2)
  }

  @Test("what there is no room for is decoded again")
  func full() throws {
    let memory = TrackCache(over: ramp, frames: 150)
    _ = try rest(of: memory.open(path: "a", rate: 44_100))
    #expect(try rest(of: memory.open(path: "b", rate: 44_100)).count == 200)
    _ = try memory.open(path: "a", rate: 44_100)
    #expect(ramp.opened == 2)
    _ = try memory.open(path: "b", rate: 44_100)
    #expect(ramp.opened == 3)
  }
}
