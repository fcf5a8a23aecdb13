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
