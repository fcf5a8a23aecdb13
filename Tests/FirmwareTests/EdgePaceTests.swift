import AudioSession
import Board
import Testing

@testable import Firmware

@Suite struct EdgePaceTests {
  private func at(_ microseconds: Int) -> Instant { Instant(nanoseconds: Int64(microseconds) * 1_000) }

  @Test("a contact that bounces is read at every edge")
  func bounce() {
    var pace = EdgePace()
    for plug in 0..<10 {
      for edge in 0..<40 {
        pace.note(1, at: at(plug * 30_000 + edge * 500))
        #expect(pace.restsUntil == nil)
      }
    }
  }

  @Test("lines that chatter at 10 kHz are read 200 times a second, and at every edge again once they are calm")
  func storm() {
    var pace = EdgePace()
    var looks = 0
    var waiting = 0
    for tick in 0..<100_000 {
      let now = at(tick * 100)
      waiting += 12
      if let until = pace.restsUntil, now < until { continue }
      pace.note(waiting, at: now)
      waiting = 0
      looks += 1
    }
    #expect(looks <= 10 * 200 + EdgePace.maxEdges)
    let end = at(100_000 * 100)
    pace.note(waiting, at: end + EdgePace.pause)
    let later = end + EdgePace.pause + EdgePace.pause
    pace.note(0, at: later)
    #expect(pace.restsUntil == nil)
    pace.note(1, at: later)
    #expect(pace.restsUntil == nil)
  }

  @Test("reads that others cause meanwhile do not end the pause")
  func otherLooks() {
    var pace = EdgePace()
    pace.note(EdgePace.maxEdges + 1, at: at(0))
    #expect(pace.restsUntil == at(5_000))
    for time in 1..<5 { pace.note(10, at: at(time * 1_000)) }
    #expect(pace.restsUntil == at(5_000))
    pace.note(0, at: at(5_000))
    #expect(pace.restsUntil == at(10_000))
  }

  @Test("of many edges those are left that say when a line began to move, which way, and where it stands")
  func thinned() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let edges = (0..<500).map { time in
        let line = Int.random(in: 0..<3, using: &generator)
        return LineEdge(line: "\(line)", asserted: Bool.random(using: &generator), at: at(time))
      }
      let thin = EdgePace().thinned(edges)
      #expect(thin.count <= 3 * 3)
      for line in 0..<3 {
        let (all, left) = (edges.filter { $0.line == "\(line)" }, thin.filter { $0.line == "\(line)" })
        #expect(left.first == all.first)
        #expect(left.last == all.last)
        for level in [false, true] {
          #expect(left.first { $0.asserted == level } == all.first { $0.asserted == level })
        }
      }
    }
  }

  @Test("a few edges are left as they are")
  func few() {
    let edges = (0..<EdgePace.maxEdges).map { time in
      LineEdge(line: "a", asserted: time % 2 == 0, at: at(time))
    }
    #expect(EdgePace().thinned(edges) == edges)
  }
}
