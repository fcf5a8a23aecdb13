import RealtimeAudio
import Testing

@Suite struct FrameRingTests {
  /// Frames that name their own index.
  private func frames(_ range: Range<Int>) -> [Int16] {
    range.flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: -$0)] }
  }

  private func write(_ ring: FrameRing, _ range: Range<Int>) {
    ring.write(frames(range), frames: range.count)
  }

  @Test("what was read stays until it is released, and can be read again")
  func history() {
    let ring = FrameRing(capacity: 8)
    write(ring, 0..<8)
    #expect(ring.writable == 0)
    #expect(Array(ring.run(from: 2, limit: 4)) == frames(2..<6))
    ring.release(upTo: 4)
    #expect(ring.writable == 4)
    #expect(Array(ring.run(from: 4, limit: 9)) == frames(4..<8))
    ring.release(upTo: 3)
    #expect(ring.writable == 4)
  }

  @Test("a run ends where the storage wraps, and the next one goes on there")
  func wrap() {
    let ring = FrameRing(capacity: 8)
    write(ring, 0..<6)
    ring.release(upTo: 6)
    write(ring, 6..<13)
    #expect(Array(ring.run(from: 6, limit: 7)) == frames(6..<8))
    #expect(Array(ring.run(from: 8, limit: 7)) == frames(8..<13))
    #expect(ring.run(from: 13, limit: 7).isEmpty)
  }

  @Test("frames are put in their place where there is room for all of them in one piece, and count when published")
  func space() throws {
    let ring = FrameRing(capacity: 8)
    write(ring, 0..<3)
    #expect(ring.space(for: 6) == nil)
    let space = try #require(ring.space(for: 5))
    for (index, sample) in frames(3..<7).enumerated() { space[index] = sample }
    #expect(ring.written == 3)
    ring.publish(4)
    #expect(Array(ring.run(from: 0, limit: 8)) == frames(0..<7))
    // One frame is free before the end of the storage, and none before it is released at its beginning.
    #expect(ring.space(for: 2) == nil)
    ring.release(upTo: 4)
    #expect(ring.space(for: 2) == nil)
    #expect(ring.space(for: 1) != nil)
    write(ring, 7..<8)
    #expect(ring.space(for: 5) == nil)
    #expect(ring.space(for: 4) != nil)
  }

  @Test("two threads: every frame arrives once, in order, whole, while the reader goes back now and then")
  func threads() {
    let ring = FrameRing(capacity: 512)
    let count = 100_000
    var wrong = 0
    together({
      var next = 0
      while next < count {
        let amount = min(37, min(ring.writable, count - next))
        if amount == 0 { continue }
        let part = (next..<next + amount).flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: -$0)] }
        ring.write(part, frames: amount)
        next += amount
      }
    }) {
      var cursor = 0
      var turn = 0
      while cursor < count {
        let run = ring.run(from: cursor, limit: 29)
        for frame in 0..<run.count / 2 {
          let expected = Int16(truncatingIfNeeded: cursor + frame)
          if run[frame * 2] != expected || run[frame * 2 + 1] != 0 &- expected { wrong += 1 }
        }
        cursor += run.count / 2
        ring.release(upTo: cursor - 100)
        turn += 1
        if turn % 50 == 0 && cursor < count { cursor = max(0, cursor - 60) }
      }
    }
    #expect(wrong == 0)
  }
}
