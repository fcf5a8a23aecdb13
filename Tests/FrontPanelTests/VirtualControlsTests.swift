import AudioSession
import Board
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

  @Test("$ drops a coin at the first coin line, and a letter one at the next; a board without has neither")
  func coin() throws {
    let board = testBoard {
      $0.lines.append(LineDescription(name: "COIN", role: .coin(CoinLine()), debounce: .zero))
      $0.lines.append(LineDescription(name: "SLOT", role: .coin(CoinLine()), debounce: .zero))
    }
    var controls = VirtualControls(board: board)
    let letter = try #require(BoardKeys(board).entries.first { $0.does == "coin" }?.letter)
    for (key, name) in [(PanelKey.coin, "COIN"), (.letter(letter), "SLOT")] {
      #expect(controls.coinLine(of: key).map { board.lines[$0.index].name } == name)
      // It is no button, which is held down while its key repeats.
      #expect(controls.makeEdges(for: key) == [])
    }
    #expect(controls.coinLine(of: .play) == nil && VirtualControls(board: testBoard()).coinLine(of: .coin) == nil)
  }

  @Test("coins that drop at once, or one behind the other, are so many pulses of 50 ms, 50 ms apart")
  func manyCoins() {
    let clock = VirtualClock()
    let lines = VirtualLines(board: testBoard(), clock: clock)
    var edges: [LineEdge] = []
    for pause in [0, 0, 30, 30, 30] {
      clock.advance(to: clock.now + .milliseconds(pause))
      lines.dropCoin(LineID(2))
      lines.readEdges(into: &edges)
    }
    clock.advance(to: .powerOn + .seconds(1))
    lines.readEdges(into: &edges)
    #expect(edges.map(\.at) == (0..<10).map { .powerOn + .milliseconds(50 * $0) })
    #expect(edges.map(\.asserted) == (0..<10).map { $0 % 2 == 0 } && Set(edges.map(\.line)) == ["BTN_PLAY"])
    // Also where the pulse before it is over.
    lines.dropCoin(LineID(2))
    for time in [55, 200] {
      clock.advance(to: .powerOn + .milliseconds(1_000 + time))
      lines.readEdges(into: &edges)
      if time == 55 { lines.dropCoin(LineID(2)) }
    }
    #expect(edges.suffix(4).map(\.at) == (0..<4).map { .powerOn + .milliseconds(1_000 + 50 * $0) })
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
        let gone: [Line.Role] = [.button(.next), .button(.record), .button(.cue), .mute]
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
    var plan = PlannedEdges()
    #expect(plan.next == nil)
    plan.plan([edge(1, true, 0)], at: at(0))
    #expect(plan.makeDue(at: at(0)).count == 1 && plan.asserted == [LineID(1)])
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

  @Test("edges are appended in the order of time, behind those of the same instant")
  func appended() {
    var plan = PlannedEdges()
    for (line, times) in [[30, 10, 20], [20, 20, 5]].enumerated() {
      plan.append(
        times.enumerated().map {
          KeyEdge(line: LineID(line), asserted: $0.offset == 0, after: .milliseconds($0.element))
        }, at: .powerOn)
    }
    var taken: [(Int, Int, Bool)] = []
    while let edge = plan.takeDue(at: .powerOn + .seconds(1)) {
      taken.append((Int((edge.at - .powerOn).wholeNanoseconds / 1_000_000), edge.line.index, edge.asserted))
    }
    let expected = [
      (5, 1, false), (10, 0, false), (20, 0, false), (20, 1, true), (20, 1, false), (30, 0, true),
    ]
    #expect(taken.count == 6 && zip(taken, expected).allSatisfy { $0 == $1 }, "\(taken)")
  }
}
