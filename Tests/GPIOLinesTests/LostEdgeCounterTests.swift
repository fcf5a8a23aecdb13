import Board
import CGPIOD
import Testing

@testable import GPIOLines

@Suite struct LostEdgeCounterTests {
  private func lost(_ edges: [(sequence: UInt32, asserted: Bool)]) -> Int {
    var counter = LostEdgeCounter()
    for edge in edges { counter.note(cgpiod_edge(nanoseconds: 0, sequence: edge.sequence, asserted: edge.asserted)) }
    return counter.takeLost()
  }

  @Test("gaps in the kernel's count are lost edges, from the first on and over its largest number")
  func gaps() {
    #expect(lost([(1, true), (2, false), (3, true)]) == 0)
    #expect(lost([(1, true), (5, true), (7, true)]) == 4)
    #expect(lost([(4, true), (5, false)]) == 3)
    #expect(lost([(.max - 1, true), (.max, false), (0, true), (1, false), (3, false)]) == Int(UInt32.max) - 2 + 1)
  }

  @Test("without a count, two edges of one direction in a row have lost the one between them")
  func directions() {
    #expect(lost([(0, true), (0, false), (0, true)]) == 0)
    #expect(lost([(0, true), (0, true), (0, true), (0, false)]) == 2)
  }

  @Test("a set adds up the losses of its lines, and reports each once")
  func set() throws {
    let jack = FakeLine(input: "JACK_SENSE")
    let dock = FakeLine(input: "DOCK_SENSE")
    let set = GPIOLineSet([jack, dock])
    jack.edge(at: 1, sequence: 1)
    jack.edge(at: 2, asserted: false, sequence: 4)
    dock.edge(at: 3, sequence: 2)
    var edges: [LineEdge] = []
    try set.readEdges(into: &edges)
    #expect(edges.count == 3)
    #expect(set.takeLostEdges() == 3)
    #expect(set.takeLostEdges() == 0)
  }
}
