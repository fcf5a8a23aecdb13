import AudioSession
import Board
import BoardFiles
import Testing

@testable import jackdaw

/// Knobs in `jackdaw lines`: each counts as the kiosk would count it (G rows).
@Suite struct WatchedKnobTests {
  private static let board = """
    name = "a"
    rate = 44100
    chip = "c"
    [knobs.V]
    a = 5
    b = 6
    [knobs.DIAL]
    device = "knob"
    axis = "dial"
    steps = 3
    reversed = true
    [ports.speaker]
    sense = "always"
    priority = 1
    pcm = "out"
    """

  private func table(a: Bool = false, b: Bool = false) throws -> LineTable {
    let board = try BoardFile.parse(Array(Self.board.utf8), file: "a.toml")
    var knobs = WatchedKnobs(board)
    knobs.stand(["V.a": a, "V.b": b], at: .powerOn)
    let names = ["V.a", "V.b"].map { LineTable.Row(name: $0, role: LineTable.knob, place: "c", asserted: false) }
    let rows = ["V", "DIAL"].map { LineTable.Row(name: $0, role: LineTable.knob, place: "volume", asserted: nil) }
    return LineTable(rows: names + rows, knobs: knobs)
  }

  /// A detent up from a place where both are released, an edge each millisecond.
  private func turn(from first: Int) -> [LineEdge] {
    ["V.a", "V.b", "V.a", "V.b"].enumerated().map { index, line in
      LineEdge(line: line, asserted: index < 2, at: .powerOn + .milliseconds(first + index))
    }
  }

  private func note(_ table: LineTable, _ knob: String) -> String? { table.rows.first { $0.name == knob }?.note }

  @Test("G1: the first turn counts, without a rest before it")
  func first() throws {
    var table = try table()
    _ = table.take(turn(from: 1), since: .powerOn)
    #expect(note(table, "V") == "turned by +1")
  }

  @Test("G1: edges of the two contacts that were read one line after the other are taken in the order of their times")
  func sorted() throws {
    var table = try table()
    let edges = (0..<10).flatMap { turn(from: 1 + 4 * $0) }
    let byLine = edges.filter { $0.line == "V.b" } + edges.filter { $0.line == "V.a" }
    let texts = table.take(byLine, since: .powerOn)
    #expect(note(table, "V") == "turned by +10")
    #expect(texts.first == "0.001000 V.a asserted edges=1 V=0")
  }

  @Test("G7: of an axis nothing is dropped but what is left of a detent for whoever turns back, as at the kiosk")
  func axis() throws {
    var table = try table()
    var time = 0
    func count(_ counts: Int) -> String? {
      time += 1
      let turn = AxisTurn(axis: "DIAL", counts: counts, at: .powerOn + .milliseconds(time))
      return table.take(turn, since: .powerOn).flatMap { $0.split(separator: "=").last.map(String.init) }
    }
    #expect([-2, -2, -2].map(count) == ["0", "+1", "+2"])
    #expect([-2, 1, 1, 1].map(count) == ["+2", "+2", "+2", "+1"])
  }
}
