import AudioSession
import Board
import Glibc
import Testing

@testable import GPIOLines

/// A chip behind a bus, as an expander, that does not answer for a moment.
@Suite struct UnreadableLineTests {
  private final class Hand: BoardClock, @unchecked Sendable {
    private(set) var now = Instant(nanoseconds: 1_000_000_000_000)
    func pass(_ duration: Duration) { now = now + duration }
  }

  private let jack = FakeLine(input: "JACK_SENSE")
  private let dock = FakeLine(input: "DOCK_SENSE")
  private let clock = Hand()
  private var set: GPIOLineSet { GPIOLineSet([jack, dock], clock: clock) }

  private func edges(_ set: GPIOLineSet) throws -> [LineEdge] {
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    return edges
  }

  /// A bus holds each call of the line for a second.
  private func hold(_ line: FakeLine, _ note: @escaping (String) -> Void = { _ in }) {
    line.duringCall = { [clock, name = line.name] in
      note(name)
      clock.pass(.seconds(1))
    }
  }

  private let failed = "read line JACK_SENSE: Input/output error; its last level counts; tried again every second"
  private let readable = "line JACK_SENSE can be read again"

  @Test("R1.1, R11: a level that cannot be read at a wake is the last one, and is read again a second later")
  func wake() throws {
    let set = set
    jack.asserted = true
    _ = try set.levels()
    (jack.asserted, dock.asserted, jack.levelFailure) = (false, true, SystemFailure(code: EIO))
    #expect(try set.levels() == ["JACK_SENSE": true, "DOCK_SENSE": true])
    #expect(set.takeNotices() == [failed] && set.nextLook == clock.now + .seconds(1))
    jack.levelFailure = nil
    clock.pass(.milliseconds(999))
    #expect(try edges(set) == [])
    clock.pass(.milliseconds(1))
    #expect(
      try edges(set) == [LineEdge(line: "JACK_SENSE", asserted: false, at: clock.now, followsLoss: true)])
    #expect(set.takeNotices() == [readable] && set.nextLook == nil)
  }

  @Test("R1.1: a level that cannot be read at the start is none, and an edge when it is known")
  func start() throws {
    let set = set
    jack.levelFailure = SystemFailure(code: EREMOTEIO)
    #expect(try set.levels() == ["DOCK_SENSE": false])
    jack.levelFailure = nil
    clock.pass(.seconds(1))
    #expect(try edges(set).map(\.asserted) == [false])
  }

  @Test("R3: behind edges that may have been lost it is read every second until it can be, and told of once")
  func behindLoss() throws {
    let set = set
    for time in 0..<20 { jack.edge(at: UInt64(time), asserted: time % 2 == 0) }
    (jack.asserted, jack.levelFailure) = (true, SystemFailure(code: EIO))
    #expect(try edges(set).count == 20)
    for _ in 0..<3 {
      clock.pass(.seconds(1))
      #expect(try edges(set) == [] && set.nextLook == clock.now + .seconds(1))
    }
    jack.levelFailure = nil
    #expect(try edges(set) == [], "it is not time yet")
    clock.pass(.seconds(1))
    #expect(try edges(set).map(\.asserted) == [true])
    #expect(set.takeNotices() == [failed, readable] && set.nextLook == nil)
  }

  @Test("a line that cannot be read and chatters is not looked at all the time")
  func chatter() throws {
    let set = set
    jack.levelFailure = SystemFailure(code: EIO)
    _ = try set.levels()
    clock.pass(.seconds(1))
    // More than one call reads.
    for time in 0..<300 { jack.edge(at: UInt64(time), asserted: time % 2 == 0) }
    #expect(try edges(set).count == 256 && set.nextLook == clock.now + .seconds(1))
    #expect(try edges(set).count == 44)
  }

  @Test("R1.1: levels that a bus holds are read in turn, also first, one a second from the end of the last reading")
  func held() throws {
    let set = set
    _ = try set.levels()
    var read: [String] = []
    for line in [jack, dock] {
      line.levelFailure = SystemFailure(code: EIO)
      hold(line) { read.append($0) }
    }
    _ = try set.levels()
    for count in 1...4 {
      #expect(read.count == count && set.nextLook == clock.now + .seconds(1))
      #expect(try edges(set) == [] && read.count == count)
      clock.pass(.seconds(1))
      #expect(try edges(set) == [])
    }
    // Either of them may be the second.
    #expect(read[0] == "JACK_SENSE" && read[1] != read[2] && read[2] != read[3] && read[3] != read[4])
    for line in [jack, dock] { (line.levelFailure, line.asserted) = (nil, true) }
    clock.pass(.seconds(1))
    #expect(try edges(set).count == 2 && read.count == 7 && set.nextLook == nil)
  }

  @Test("O7, R1.1: a call that a bus holds at power on costs the level of its line, a second one those of the others")
  func heldAtPowerOn() throws {
    let lines = ["A", "B", "C"].map { FakeLine(input: $0) }
    for line in lines { line.asserted = true }
    func refuse(_ line: FakeLine) {
      line.levelFailure = SystemFailure(code: ETIMEDOUT)
      hold(line)
    }
    refuse(lines[0])
    let set = GPIOLineSet(lines, clock: clock)
    #expect(try set.levels() == ["B": true, "C": true])
    lines[0].levelFailure = nil
    clock.pass(.seconds(1))
    #expect(try edges(set).map(\.line) == ["A"], "the others have been closed all the time")
    refuse(lines[0])
    refuse(lines[1])
    let start = clock.now
    #expect(try GPIOLineSet(lines, clock: clock).levels() == [:] && clock.now == start + .seconds(2))
  }

  @Test("R1.1: a level delays no other one where it fails at once, nor that of another chip where a bus holds it")
  func undelayed() throws {
    let other = FakeLine(input: "OTHER", chip: "gpiochip1")
    let set = GPIOLineSet([jack, dock, other], clock: clock)
    for line in [jack, dock, other] {
      (line.asserted, line.levelFailure) = (true, SystemFailure(code: EIO))
      // So that they are read again in this order.
      line.duringCall = { [clock] in clock.pass(.milliseconds(1)) }
    }
    #expect(try set.levels() == [:])
    dock.levelFailure = nil
    clock.pass(.seconds(1))
    #expect(try edges(set).map(\.line) == ["DOCK_SENSE"])
    hold(jack)
    other.levelFailure = nil
    clock.pass(.seconds(1))
    #expect(try edges(set).map(\.line) == ["OTHER"])
  }

  @Test("R1.1: chips behind one bus that holds their calls are read in turn, with a second between two calls")
  func sharedBus() throws {
    let others = ["A", "B"].map { FakeLine(input: $0, chip: "gpiochip-\($0)") }
    let lines = [jack] + others
    let set = GPIOLineSet(lines, clock: clock)
    _ = try set.levels()
    var called: [String] = []
    for line in lines {
      line.levelFailure = SystemFailure(code: ETIMEDOUT)
      hold(line) { called.append($0) }
    }
    _ = try set.levels()
    #expect(called == ["JACK_SENSE", "A", "B"])
    called = []
    for _ in 0..<6 {
      let next = try #require(set.nextLook)
      #expect(next == clock.now + .seconds(1))
      clock.pass(.seconds(1))
      _ = try edges(set)
    }
    #expect(called == ["JACK_SENSE", "A", "B", "JACK_SENSE", "A", "B"])
  }

  @Test("R1.1: behind a bus that holds a call no other line of its chip is called for a second; those elsewhere are")
  func heldOutputs() throws {
    let lamps = ["A", "B", "C", "D"].map { FakeLine(output: $0) }
    let mute = FakeLine(output: "AMP_MUTE", chip: "gpiochip1")
    let lines = lamps + [mute]
    let set = GPIOLineSet(lines, clock: clock)
    var called: [String] = []
    for lamp in lamps {
      lamp.failure = SystemFailure(code: ETIMEDOUT)
      hold(lamp) { called.append($0) }
    }
    for lamp in lamps.dropLast() {
      let error = lineError { try set.set(lamp.name, asserted: true) }
      #expect(error?.subject == lamp.name && error?.code == ETIMEDOUT)
    }
    try set.set("AMP_MUTE", asserted: true)
    #expect(called == ["A"] && mute.asserted)
    // One that has failed is called whenever its turn comes, as it does at the end.
    lamps[1].failure = nil
    try set.set("B", asserted: true)
    #expect(called == ["A", "B"] && lamps[1].asserted)
    // The chip has answered, so no other line of it waits.
    lamps[3].failure = nil
    try set.set("D", asserted: true)
    #expect(called == ["A", "B", "D"] && lamps[3].asserted)
  }
}
