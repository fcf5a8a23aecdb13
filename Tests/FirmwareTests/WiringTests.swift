import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware

/// What the lines report, as the brain gets it.
@Suite struct WiringTests {
  /// Lines of which a headset comes and reports its volume.
  private final class Lines: LineSet {
    var volumes: [LineVolume] = []
    var sets: [LineVolume] = []

    var pollDescriptors: [PollDescriptor] { [] }
    var state: [String: Bool] = [:]
    var turns: [AxisTurn] = []
    var failure: LineError?
    func levels() throws(LineError) -> [String: Bool] {
      if let failure { throw failure }
      return state
    }
    func takeTurns() -> [AxisTurn] { turns }
    var waiting = [LineEdge(line: "bluetooth", asserted: true, at: .powerOn)]
    func readEdges(into edges: inout [LineEdge]) {
      edges += waiting
      waiting = []
    }
    func takeVolumes() -> [LineVolume] { volumes }
    func setVolume(of line: String, to level: Int) { sets.append(LineVolume(line: line, level: level)) }
    var driven: [String: Bool] = [:]
    var refusals: [String: CInt] = [:]
    /// Whether a bus holds each call that it refuses.
    var isHolding = false
    var tried: [String] = []
    var tries: Int { tried.count }
    func set(_ line: String, asserted: Bool) throws(LineError) {
      tried.append(line)
      if let code = refusals[line] {
        var error = LineError(operation: .set, subject: line, code: code, message: "broken")
        error.isHeld = isHolding
        throw error
      }
      driven[line] = asserted
    }
    func close() {}
  }

  @Test("B6: a headset's volume comes before its plug, for its port, and is set on its line")
  func volumes() throws {
    let file = repositoryPath("Tests/SimulatorTests/Scenarios/B6-the-headset's-own-volume.board.toml")
    let lines = Lines()
    lines.volumes = [LineVolume(line: "bluetooth", level: 64), LineVolume(line: "another", level: 1)]
    let wiring = Wiring(lines, of: try BoardFile.read(file))
    let inputs = wiring.takeEdges()
    #expect(inputs.first == .headsetVolume(.bluetooth, level: 64))
    #expect(inputs.count == 2)
    wiring.setVolume(of: .bluetooth, to: 30)
    wiring.setVolume(of: .speaker, to: 40)
    #expect(lines.sets == [LineVolume(line: "bluetooth", level: 30)])
  }

  @Test("K1.1: of a key every press reaches the brain, however many come at once; of a contact that chatters few do")
  func keys() throws {
    let text = """
      name = "a"
      rate = 44100
      chip = "c"
      [lines.KEY]
      role = "volume-up"
      device = "knob"
      code = "volumeup"
      [lines.CONTACT]
      role = "play"
      offset = 1
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "out"
      """
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(text.utf8), file: "a.toml"))
    lines.waiting = (0..<200).map { index in
      LineEdge(line: index % 4 < 2 ? "KEY" : "CONTACT", asserted: index % 2 == 0, at: .powerOn)
    }
    let inputs = wiring.takeEdges()
    #expect(inputs.count { if case .edge(LineID(0), _, _) = $0 { true } else { false } } == 100)
    #expect(inputs.count { if case .edge(LineID(1), _, _) = $0 { true } else { false } } == 3)
  }

  @Test("J3: every edge of a coin line reaches the brain, in one input for each line, also in a storm on another one")
  func coins() throws {
    let text = """
      name = "a"
      rate = 44100
      chip = "c"
      [lines.COIN]
      role = "coin"
      offset = 1
      [lines.CONTACT]
      role = "play"
      offset = 2
      [lines.SLOT]
      role = "coin"
      offset = 3
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "out"
      """
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(text.utf8), file: "a.toml"))
    let names = ["COIN", "CONTACT", "SLOT", "CONTACT"]
    lines.waiting = (0..<400).map { index in
      LineEdge(
        line: names[index % 4], asserted: index % 8 < 4, at: Instant(nanoseconds: Int64(index)),
        followsLoss: index == 202)
    }
    let inputs = wiring.takeEdges()
    for (line, first) in [(0, 0), (2, 2)] {
      let edges = (0..<100).map { index in
        let place = first + 4 * index
        return CoinEdge(place % 8 < 4, at: Instant(nanoseconds: Int64(place)), followsLoss: place == 202)
      }
      #expect(inputs.contains(.coin(LineID(line), edges)))
    }
    #expect(inputs.count == 5 && inputs.count { if case .edge(LineID(1), _, _) = $0 { true } else { false } } == 3)
  }

  @Test("lines that chatter: the thread sleeps behind what it has handled, and handles few edges of each line then")
  func storm() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    func chatter(_ count: Int) {
      lines.waiting = (0..<count).map { LineEdge(line: "PLAY", asserted: $0 % 2 == 0, at: .powerOn) }
    }
    chatter(EdgePace.maxEdges)
    #expect(wiring.takeEdges().count == EdgePace.maxEdges)
    wiring.noteHandled(at: .powerOn)
    #expect(wiring.nextLook == nil)
    chatter(1)
    _ = wiring.takeEdges()
    // A slow processor has taken longer than a pause.
    let handled = Instant.powerOn + EdgePace.pause + EdgePace.pause
    wiring.noteHandled(at: handled)
    #expect(wiring.nextLook == handled + EdgePace.pause)
    chatter(10)
    #expect(wiring.takeEdges().count == 3)
  }

  private static let knobs = """
    name = "a"
    rate = 44100
    chip = "c"
    [lines.PLAY]
    role = "play"
    offset = 1
    [knobs.V]
    a = 5
    b = 6
    [knobs.DIAL]
    device = "knob"
    axis = "dial"
    [ports.speaker]
    sense = "always"
    priority = 1
    pcm = "out"
    """

  @Test("G8.1: edges of a knob are never thinned out; those that follow each other are one input, in the order of all")
  func knobs() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    func edge(_ line: String, _ time: Int) -> LineEdge {
      LineEdge(line: line, asserted: time % 4 < 2, at: Instant(nanoseconds: Int64(time)))
    }
    lines.waiting = (0..<300).map { edge($0 % 2 == 0 ? "V.a" : "V.b", $0) } + [edge("PLAY", 301)]
    lines.waiting += (302..<400).map { edge($0 % 2 == 0 ? "V.a" : "V.b", $0) }
    let inputs = wiring.takeEdges()
    #expect(inputs.count == 3)
    guard case .knob(KnobID(0), .edges(let first, isComplete: true))? = inputs.first,
      case .knob(KnobID(0), .edges(let last, isComplete: true))? = inputs.last
    else {
      Issue.record("\(inputs.count)")
      return
    }
    #expect(first.count == 300 && last.count == 98)
    #expect(first.first == KnobEdge(.a, asserted: true, at: .powerOn))
    #expect(inputs[1] == .edge(LineID(0), asserted: true, at: Instant(nanoseconds: 301)))
  }

  @Test("G2: where the kernel has lost edges of a knob, all that came with them are positions")
  func lostEdges() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.waiting = [
      LineEdge(line: "V.a", asserted: true, at: .powerOn),
      LineEdge(line: "V.b", asserted: true, at: .powerOn, followsLoss: true),
    ]
    #expect(
      wiring.takeEdges() == [
        .knob(
          KnobID(0),
          .edges(
            [KnobEdge(.a, asserted: true, at: .powerOn), KnobEdge(.b, asserted: true, at: .powerOn)],
            isComplete: false))
      ])
    lines.state = ["V.a": true, "V.b": false, "PLAY": true]
    #expect(wiring.asserted() == [LineID(0)])
    #expect(wiring.knobPositions(at: .powerOn) == [.knob(KnobID(0), .position(a: true, b: false, at: .powerOn))])
  }

  @Test("G2: where lines cannot be read at a wake, it is not known where the knobs stand")
  func unreadable() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.state = ["V.a": true, "V.b": false]
    _ = wiring.asserted()
    lines.failure = LineError(operation: .read, subject: "V.a", code: 5, message: "broken")
    #expect(wiring.asserted() == [] && wiring.failure == lines.failure)
    #expect(wiring.knobPositions(at: .powerOn) == [])
  }

  @Test("R1.1: an output that cannot be driven is driven every second, to what it should be by then, and told of once")
  func undriven() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.refusals = ["LAMP": 5]
    wiring.drive("LAMP", asserted: true)
    wiring.drive("OTHER", asserted: true)
    wiring.drive("LAMP", asserted: false)
    wiring.drive("LAMP", asserted: true)
    #expect(lines.tries == 2 && lines.driven == ["OTHER": true] && wiring.failure == nil)
    #expect(wiring.takeNotices() == ["set line LAMP: broken; tried again every second"])
    #expect(wiring.nextLook == .powerOn, "the next round says when")
    wiring.noteHandled(at: .powerOn + .seconds(3))
    #expect(wiring.nextLook == .powerOn + .seconds(4) && lines.tries == 2)
    wiring.noteHandled(at: .powerOn + .seconds(4))
    #expect(wiring.nextLook == .powerOn && lines.tries == 3, "the second counts from the end of a try")
    wiring.noteHandled(at: .powerOn + .seconds(4))
    #expect(wiring.nextLook == .powerOn + .seconds(5) && lines.tries == 3)
    lines.refusals = [:]
    wiring.noteHandled(at: .powerOn + .milliseconds(4_999))
    #expect(lines.tries == 3)
    wiring.noteHandled(at: .powerOn + .seconds(5))
    #expect(lines.driven["LAMP"] == true && wiring.nextLook == nil)
    #expect(wiring.takeNotices() == ["line LAMP can be driven again"])
    wiring.drive("LAMP", asserted: false)
    #expect(lines.driven["LAMP"] == false)
  }

  @Test("R1.1: outputs that a bus holds are tried in turn, one a second from the end of the last try")
  func held() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    (lines.refusals, lines.isHolding) = (["A": EIO, "B": EIO], true)
    for line in ["A", "B"] { wiring.drive(line, asserted: true) }
    func tried(atSecond second: Int) -> [String] {
      lines.tried = []
      wiring.noteHandled(at: .powerOn + .seconds(second))
      return lines.tried
    }
    #expect((0...6).map { tried(atSecond: $0) } == [[], ["A"], [], ["B"], [], ["A"], []])
    #expect(wiring.nextLook == .powerOn + .seconds(7))
    lines.refusals = ["A": EIO]
    #expect(tried(atSecond: 7) == ["B", "A"] && lines.driven == ["B": true])
  }

  @Test("R1.1: outputs that fail at once are all tried every second: those of a dead expander delay no amplifier")
  func failingAtOnce() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.refusals = ["A": EIO, "B": EIO, "MUTE": EIO]
    for line in ["A", "B", "MUTE"] { wiring.drive(line, asserted: false) }
    lines.refusals["MUTE"] = nil
    lines.tried = []
    for second in 0...1 { wiring.noteHandled(at: .powerOn + .seconds(second)) }
    #expect(lines.driven == ["MUTE": false] && lines.tried == ["A", "B", "MUTE"])
  }

  @Test("R1.1: at the end an output that could not be driven is tried once more, the amplifier first")
  func lastTry() throws {
    let lines = Lines()
    let text = Self.knobs + "\n[lines.MUTE]\nrole = \"amp-mute\"\noffset = 2\n"
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(text.utf8), file: "a.toml"))
    lines.refusals = ["BUS": EIO, "MUTE": EIO]
    wiring.drive("BUS", asserted: true)
    wiring.muteAmplifier(true)
    lines.refusals = ["BUS": EIO]
    wiring.close()
    #expect(lines.driven == ["MUTE": true] && lines.tried == ["BUS", "MUTE", "MUTE", "BUS"])
  }

  @Test("R1.1: an output whose chip is gone ends the firmware: what is open of it stays useless")
  func goneOutput() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.refusals = ["LAMP": ENODEV]
    wiring.drive("LAMP", asserted: true)
    #expect(wiring.failure?.code == ENODEV)
  }

  @Test("G8.2: what an axis counts in one direction in one read is one input, and a storm of it rests as one of edges")
  func axisStorm() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.waiting = []
    func turn(_ counts: Int, _ time: Int) -> AxisTurn {
      AxisTurn(axis: "DIAL", counts: counts, at: Instant(nanoseconds: Int64(time)))
    }
    lines.turns = (0..<60).map { turn(2, $0) } + [turn(-1, 60), turn(-1, 61), turn(3, 62)]
    #expect(
      wiring.takeEdges() == [
        .knob(KnobID(1), .counts(120, at: Instant(nanoseconds: 59))),
        .knob(KnobID(1), .counts(-2, at: Instant(nanoseconds: 61))),
        .knob(KnobID(1), .counts(3, at: Instant(nanoseconds: 62))),
      ])
    wiring.noteHandled(at: .powerOn)
    #expect(wiring.nextLook == nil)
    lines.turns = (0..<65).map { turn($0 % 2 == 0 ? 1 : -1, 70 + $0) }
    _ = wiring.takeEdges()
    wiring.noteHandled(at: .powerOn + .milliseconds(1))
    #expect(wiring.nextLook != nil)
  }

  @Test("G7: what an axis has counted is a turn of its knob")
  func axis() throws {
    let lines = Lines()
    let wiring = Wiring(lines, of: try BoardFile.parse(Array(Self.knobs.utf8), file: "a.toml"))
    lines.waiting = []
    lines.turns = [AxisTurn(axis: "DIAL", counts: -2, at: .powerOn)]
    #expect(wiring.takeEdges() == [.knob(KnobID(1), .counts(-2, at: .powerOn))])
  }
}
