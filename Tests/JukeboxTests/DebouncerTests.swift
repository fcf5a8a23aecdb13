import AudioSession
import Testing

@testable import Jukebox

@Suite struct DebouncerTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  @Test("A level that holds counts, dated to its first edge", arguments: [false, true])
  func changes(level: Bool) {
    var debouncer = Debouncer(level: level, time: .milliseconds(30))
    #expect(debouncer.isSettled)
    debouncer.noteEdge(!level, at: at(1))
    debouncer.noteEdge(level, at: at(2))
    debouncer.noteEdge(!level, at: at(3))
    #expect(debouncer.level == level)
    #expect(!debouncer.isSettled)
    #expect(debouncer.settle() == .changed(firstEdge: at(1)))
    #expect(debouncer.level == !level)
    #expect(debouncer.isSettled)
  }

  @Test("A level that comes back was bounce, with its edges counted", arguments: [false, true])
  func bounces(level: Bool) {
    var debouncer = Debouncer(level: level, time: .milliseconds(30))
    debouncer.noteEdge(!level, at: at(1))
    debouncer.noteEdge(level, at: at(2))
    #expect(debouncer.settle() == .bounced(edges: 2))
    #expect(debouncer.level == level)
    debouncer.noteEdge(!level, at: at(9))
    #expect(debouncer.settle() == .changed(firstEdge: at(9)))
  }

  @Test("A line that never settles is reported once, and again only after it has settled")
  func endless() {
    var debouncer = Debouncer(level: false, time: .milliseconds(30))
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(0)) == nil)
    for edge in 0..<20_000 {
      debouncer.noteEdge(edge % 2 == 0, at: at(Int64(edge)))
      let reported = debouncer.endlessEdges(since: .seconds(15), at: at(Int64(edge)))
      #expect(reported == (edge == 15_000 ? 9_999 : nil))
    }
    _ = debouncer.settle()
    for edge in 0..<17 { debouncer.noteEdge(edge % 2 == 0, at: at(30_000)) }
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(44_999)) == nil)
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(45_000)) == 17)
  }

  @Test("A few edges with a sleep between them are no chatter")
  func slept() {
    var debouncer = Debouncer(level: false, time: .milliseconds(30))
    debouncer.noteEdge(true, at: at(0))
    debouncer.noteEdge(false, at: at(30_000))
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(30_000)) == nil)
  }

  @Test("R11, K4: time asleep is no time of chatter, and an edge still dates from when it was")
  func chatterThroughSleep() {
    var debouncer = Debouncer(level: false, time: .milliseconds(30))
    for edge in 0..<20 { debouncer.noteEdge(edge % 2 == 0, at: at(Int64(edge))) }
    debouncer.woke(at: at(60_000))
    debouncer.noteEdge(true, at: at(60_001))
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(60_001)) == nil)
    debouncer.noteEdge(false, at: at(75_000))
    #expect(debouncer.endlessEdges(since: .seconds(15), at: at(75_000)) != nil)
    debouncer.noteEdge(true, at: at(75_001))
    #expect(debouncer.settle() == .changed(firstEdge: at(0)))
  }

  @Test("Nothing settles that did not move")
  func nothingWaits() {
    var debouncer = Debouncer(level: true, time: .milliseconds(30))
    #expect(debouncer.settle() == nil)
    debouncer.noteEdge(true, at: at(1))
    #expect(debouncer.isSettled)
    #expect(debouncer.settle() == nil)
  }

  @Test("Only an asserted line that moves is in doubt")
  func doubt() {
    var asserted = Debouncer(level: true, time: .milliseconds(30))
    #expect(!asserted.isInDoubt)
    asserted.noteEdge(false, at: at(1))
    #expect(asserted.isInDoubt)
    asserted.noteEdge(true, at: at(2))
    #expect(asserted.isInDoubt)
    _ = asserted.settle()
    #expect(!asserted.isInDoubt)
    var released = Debouncer(level: false, time: .milliseconds(30))
    released.noteEdge(true, at: at(1))
    #expect(!released.isInDoubt)
  }

  @Test("A storm of edges does not overflow the count")
  func storm() {
    var debouncer = Debouncer(level: true, time: .milliseconds(30))
    for edge in 0..<20_001 { debouncer.noteEdge(edge % 2 == 1, at: at(Int64(edge))) }
    debouncer.noteEdge(true, at: at(99_999))
    #expect(debouncer.settle() == .bounced(edges: 9_999))
  }
}
