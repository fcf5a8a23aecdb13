import AudioSession
import BoardFiles
import Jukebox
import Testing

@testable import FrontPanel
@testable import KioskTestSupport
@testable import Simulator

@Suite struct VirtualControlsTests {
  @Test(
    "a button key moves its line: down at once, up 80 ms later",
    arguments: [
      (.play, 2), (.stop, 3), (.volumeUp, 4), (.volumeDown, 5), (.next, 6), (.previous, 7),
      (.record, 8), (.cue, 9),
    ] as [(PanelKey, Int)])
  func press(key: PanelKey, line: Int) throws {
    var controls = VirtualControls(board: testBoard())
    let edges = controls.makeEdges(for: key)
    #expect(Set(edges.map(\.line)) == [LineID(line)])
    #expect(edges.first == KeyEdge(line: LineID(line), asserted: true, after: .zero))
    let up = try #require(edges.first { $0.after >= .milliseconds(80) })
    #expect(up == KeyEdge(line: LineID(line), asserted: false, after: .milliseconds(80)))
    #expect(edges.last?.asserted == false)
    #expect(edges.allSatisfy { $0.after <= .milliseconds(83) })
    #expect(edges.last { $0.after < .milliseconds(80) }?.asserted == true)
  }

  @Test("$ makes a pulse of 50 ms on the first coin line, and a letter one on the next; a board without has neither")
  func coin() throws {
    let board = testBoard {
      $0.lines.append(LineDescription(name: "COIN", role: .coin(CoinLine()), debounce: .zero))
      $0.lines.append(LineDescription(name: "SLOT", role: .coin(CoinLine()), debounce: .zero))
    }
    var controls = VirtualControls(board: board)
    let letter = try #require(BoardKeys(board).entries.first { $0.does == "coin" }?.letter)
    for (key, name) in [(PanelKey.coin, "COIN"), (.letter(letter), "SLOT")] {
      let edges = controls.makeEdges(for: key)
      #expect(Set(edges.map { board.lines[$0.line.index].name }) == [name])
      #expect(edges.last { $0.after < .milliseconds(50) }?.asserted == true)
      #expect(edges.first { $0.after >= .milliseconds(50) }?.after == .milliseconds(50))
      #expect(edges.last?.asserted == false)
    }
    #expect(VirtualControls.line(of: .coin, on: testBoard()) == nil)
  }

  @Test("a press outlasts the debounce time of its line")
  func slowContact() {
    var controls = VirtualControls(board: testBoard { $0.lines[2].debounce = .seconds(1) })
    let up = controls.makeEdges(for: .play).first { $0.after > .milliseconds(3) }
    #expect(up?.after == .milliseconds(1_050))
  }

  @Test("Play held is down for longer than a second")
  func held() {
    var controls = VirtualControls(board: testBoard())
    let up = controls.makeEdges(for: .playHeld).first { $0.after > .milliseconds(3) }
    #expect(up == KeyEdge(line: LineID(2), asserted: false, after: .milliseconds(1_230)))
  }

  @Test("h and d move their sockets in and out, and a plug that is in at power on comes out first")
  func plugs() {
    var controls = VirtualControls(board: testBoard(), closed: [LineID(1)])
    let levels = [PanelKey.headphones, .dock, .headphones, .dock].map { controls.makeEdges(for: $0).last }
    #expect(levels.map { $0?.line } == [LineID(0), LineID(1), LineID(0), LineID(1)])
    #expect(levels.map { $0?.asserted } == [true, false, false, true])
    #expect(controls.closed == [LineID(1)])
  }

  @Test("g and m close their contacts and open them again, as a plug goes in and out")
  func contacts() {
    var controls = VirtualControls(board: testBoard())
    let levels = [PanelKey.page, .mute, .page, .mute].map { controls.makeEdges(for: $0).last }
    #expect(levels.map { $0?.line } == [LineID(10), LineID(11), LineID(10), LineID(11)])
    #expect(levels.map { $0?.asserted } == [true, true, false, false])
    #expect(controls.closed.isEmpty)
    _ = controls.makeEdges(for: .mute)
    #expect(controls.closed == [LineID(11)])
  }

  @Test("contacts bounce, each time in another way, and the same keys always in the same way")
  func bounce() {
    func run() -> [[KeyEdge]] {
      var controls = VirtualControls(board: testBoard())
      return [PanelKey.headphones, .headphones, .play].map { controls.makeEdges(for: $0) }
    }
    let edges = run()
    #expect(run() == edges)
    #expect(edges[0].count > 1)
    #expect(edges[0].map(\.after) != edges[1].map(\.after))
  }

  @Test("keys without a line on the board, and keys of the panel itself, move nothing")
  func absent() {
    var controls = VirtualControls(
      board: testBoard {
        let gone: [Line.Role] = [.button(.next), .button(.record), .button(.cue(nil)), .mute]
        $0.lines.removeAll { gone.contains($0.role) }
        // The contact of another client, which no key moves.
        for index in $0.lines.indices where $0.lines[index].name == "PAGE" {
          $0.lines[index].role = .interrupter("fire-alarm")
        }
        $0.ports.removeAll { $0.output.port == .lineOut }
        $0.ports[0].output.sense = .always
      })
    for key in [PanelKey.next, .dock, .headphones, .record, .cue, .page, .mute, .help, .redraw, .quit] {
      #expect(controls.makeEdges(for: key).isEmpty)
    }
  }

  @Test("a key that repeats holds its button down until 80 ms after its last")
  func repeating() {
    var controls = VirtualControls(board: testBoard())
    var plan = PlannedEdges()
    var changes: [PlannedEdges.Edge] = []
    for step in 0..<10 {
      let now = Instant.powerOn + .milliseconds(33 * step)
      changes += plan.makeDue(at: now)
      plan.plan(controls.makeEdges(for: .volumeUp), at: now)
    }
    changes += plan.makeDue(at: .powerOn + .seconds(1))
    let releases = changes.filter { !$0.asserted && $0.at >= .powerOn + .milliseconds(33 * 9 + 4) }
    #expect(releases.first?.at == .powerOn + .milliseconds(33 * 9 + 80))
    // The contact only bounces for 3 ms at each key press and is steady in between.
    #expect(changes.allSatisfy { $0.at.nanoseconds % 33_000_000 <= 3_000_000 || $0.at > .powerOn + .milliseconds(300) })
    #expect(plan.asserted.isEmpty)
  }

  @Test("planned edges come at their time, once, and only where they change a level")
  func planned() {
    func edge(_ line: Int, _ asserted: Bool, _ milliseconds: Int) -> KeyEdge {
      KeyEdge(line: LineID(line), asserted: asserted, after: .milliseconds(milliseconds))
    }
    func at(_ milliseconds: Int) -> Instant { .powerOn + .milliseconds(milliseconds) }
    var plan = PlannedEdges(asserted: [LineID(1)])
    #expect(plan.next == nil)
    plan.plan([edge(0, true, 0), edge(0, false, 20)], at: at(5))
    plan.plan([edge(1, true, 0), edge(1, false, 10)], at: at(5))
    #expect(plan.next == at(5))
    #expect(plan.makeDue(at: at(4)) == [])
    #expect(plan.makeDue(at: at(14)) == [PlannedEdges.Edge(line: LineID(0), asserted: true, at: at(5))])
    #expect(plan.asserted == [LineID(0), LineID(1)])
    #expect(plan.next == at(15))
    #expect(plan.makeDue(at: at(99)).map(\.line) == [LineID(1), LineID(0)])
    #expect(plan.next == nil)
    #expect(plan.asserted.isEmpty)
  }
}
