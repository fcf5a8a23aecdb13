import AudioSession
import Board
import CGPIOD
import Glibc
import Testing

@testable import GPIOLines

/// The set over lines that the test controls. Edges, levels, bias and polarity of a real chip are tested on the
/// emulated board.
@Suite struct GPIOLineSetTests {
  let jack = FakeLine(input: "JACK_SENSE")
  let dock = FakeLine(input: "DOCK_SENSE")
  let mute = FakeLine(output: "AMP_MUTE")

  func read(_ set: GPIOLineSet) throws -> [String] {
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    return edges.map(text)
  }

  func text(_ edge: LineEdge) -> String {
    "\(edge.at.nanoseconds) \(edge.line) \(edge.asserted ? "asserted" : "released")"
  }

  @Test("edges of several lines come oldest first, with the kernel's time stamps")
  func oldestFirst() throws {
    let set = GPIOLineSet([jack, mute, dock])
    dock.edge(at: 20)
    dock.edge(at: 40, asserted: false)
    jack.edge(at: 10)
    jack.edge(at: 30, asserted: false)
    #expect(
      try read(set) == [
        "10 JACK_SENSE asserted", "20 DOCK_SENSE asserted", "30 JACK_SENSE released", "40 DOCK_SENSE released",
      ])
  }

  @Test("an edge that comes while a later line is read still goes before younger ones")
  func edgeDuringRead() throws {
    let set = GPIOLineSet([jack, dock])
    dock.edge(at: 5)
    dock.duringNextRead = { [jack, dock] in
      jack.edge(at: 10)
      dock.edge(at: 20)
    }
    #expect(try read(set) == ["5 DOCK_SENSE asserted", "10 JACK_SENSE asserted", "20 DOCK_SENSE asserted"])
  }

  @Test("reading appends, and returns at once when no edge waits")
  func appends() throws {
    let set = GPIOLineSet([jack])
    jack.edge(at: 1)
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    try set.readEdges(into: &edges)
    jack.edge(at: 2, asserted: false)
    try set.readEdges(into: &edges)
    #expect(edges.map(text) == ["1 JACK_SENSE asserted", "2 JACK_SENSE released"])
  }

  @Test("a line that chatters without end is left for the next poll, and nothing is lost")
  func chatter() throws {
    let set = GPIOLineSet([jack])
    jack.asserted = true
    for time in 0..<1_000 { jack.edge(at: UInt64(time)) }
    let first = try read(set)
    #expect(first.count == 256)
    var all = first
    for _ in 0..<3 { all += try read(set) }
    #expect(all == (0..<1_000).map { "\($0) JACK_SENSE asserted" })
  }

  @Test("the level replaces an edge that the kernel dropped last, once no edge waits any more")
  func droppedLast() throws {
    let set = GPIOLineSet([jack, dock])
    jack.asserted = true
    for time in 0..<300 { jack.edge(at: UInt64(time), asserted: time % 2 == 0) }
    // The last of those was a release, but the edge after it did not fit.
    var first: [LineEdge] = []
    try set.readEdges(into: &first)
    #expect(first.count == 256)
    var rest: [LineEdge] = []
    try set.readEdges(into: &rest)
    #expect(rest.count == 45)
    #expect(rest.last?.line == "JACK_SENSE" && rest.last?.asserted == true)
    #expect(rest.last.map { $0.at.nanoseconds > 300 } == true)
    #expect(try read(set).isEmpty)
  }

  @Test("R3: a queue of libgpiod 1.6 that is just full may have lost the edge after its last")
  func justFull() throws {
    let set = GPIOLineSet([jack])
    jack.mostAtOnce = 16
    for time in 0..<16 { jack.edge(at: UInt64(time), asserted: time % 2 == 0) }
    jack.asserted = true
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    #expect(edges.count == 17 && edges.last?.asserted == true)
    // The level is known now.
    #expect(try read(set).isEmpty)
  }

  @Test("after a few edges no level is read")
  func fewEdges() throws {
    let set = GPIOLineSet([jack])
    jack.asserted = true
    for time in 0..<15 { jack.edge(at: UInt64(time), asserted: time % 2 == 1) }
    #expect(try read(set).count == 15)
  }

  @Test("10 kHz on twelve lines at once come in order, whole, and leave every line as it is")
  func storm() throws {
    let lines = (0..<12).map { FakeLine(input: "L\($0)") }
    let set = GPIOLineSet(lines)
    for time in 0..<250 {
      for (index, line) in lines.enumerated() { line.edge(at: UInt64(time * 100 + index), asserted: time % 2 == 0) }
    }
    for (index, line) in lines.enumerated() { line.asserted = index % 2 == 0 }
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    #expect(zip(edges, edges.dropFirst()).allSatisfy { $0.at <= $1.at })
    // For every second line, the last level is known only by reading it again.
    #expect(edges.count == 12 * 250 + 6)
    for (index, line) in lines.enumerated() {
      #expect(edges.last { $0.line == line.name }?.asserted == (index % 2 == 0))
    }
  }

  @Test("edges of the other lines survive a line that fails, and the error names that line")
  func failingLine() throws {
    let set = GPIOLineSet([jack, dock])
    jack.edge(at: 1)
    jack.failure = SystemFailure(code: ENODEV)
    dock.edge(at: 2)
    var edges: [LineEdge] = []
    let error = lineError { try set.readEdges(into: &edges) }
    #expect(error?.description == "read edges JACK_SENSE: not a GPIO chip, or gone")
    #expect(error?.code == ENODEV)
    #expect(edges.map(text) == ["2 DOCK_SENSE asserted"])
  }

  @Test("levels are those of the inputs, by name; a chip that is gone is a failure that names its line")
  func levels() throws {
    let set = GPIOLineSet([jack, dock, mute])
    dock.asserted = true
    #expect(try set.levels() == ["JACK_SENSE": false, "DOCK_SENSE": true])
    dock.failure = SystemFailure(code: ENODEV)
    let error = lineError { try set.levels() }
    #expect(error?.description == "read line DOCK_SENSE: not a GPIO chip, or gone")
  }

  @Test("outputs are driven by name; anything else is refused with the names there are")
  func outputs() throws {
    let set = GPIOLineSet([jack, mute])
    try set.set("AMP_MUTE", asserted: true)
    #expect(mute.asserted)
    let error = lineError { try set.set("JACK_SENSE", asserted: true) }
    #expect(error?.description == "set line JACK_SENSE: not an open output, expected one of: AMP_MUTE")
    #expect(!jack.asserted)
  }

  @Test("inputs alone are polled, for reading")
  func polled() throws {
    let set = GPIOLineSet([mute, jack])
    let descriptor = try #require(jack.descriptor)
    #expect(set.pollDescriptors == [PollDescriptor(fileDescriptor: descriptor, events: CShort(POLLIN))])
  }

  @Test("closing lets every line go and leaves a set that is empty, however often")
  func closing() throws {
    weak var line: FakeLine?
    let set: GPIOLineSet
    do {
      let made = FakeLine(input: "BTN_PLAY")
      line = made
      set = GPIOLineSet([made])
    }
    #expect(line != nil)
    set.close()
    set.close()
    #expect(line == nil)
    #expect(set.pollDescriptors.isEmpty)
    #expect(try set.levels().isEmpty)
    #expect(try read(set).isEmpty)
  }

  @Test("edges of one instant keep the order in which they were read")
  func ties() {
    func edge(_ line: String, _ asserted: Bool, _ nanoseconds: Int64) -> LineEdge {
      LineEdge(line: line, asserted: asserted, at: Instant(nanoseconds: nanoseconds))
    }
    var edges = [
      edge("b", true, 7), edge("b", false, 7), edge("a", true, 7), edge("c", true, 3),
    ]
    let read = edges
    sortOldestFirst(&edges)
    #expect(edges == [read[3], read[0], read[1], read[2]])
  }
}
