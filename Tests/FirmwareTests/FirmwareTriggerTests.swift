import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import Synchronization
import Testing

@testable import Firmware
@testable import FrontPanel
@testable import KioskTestSupport
@testable import Simulator
@testable import Threads

/// What reaches the firmware from the machine rather than from lines and keys: the calendar and a sleep; and what
/// leaves it for the amplifier. Every step waits for the event before it, none for time.
@Suite(.serialized) struct FirmwareTriggerTests {
  /// The clock of a machine that sleeps on command.
  private final class SleepyClock: BoardClock {
    private let clock = MonotonicClock(startsNow: true)
    private let slept = Atomic<Int64>(0)

    var now: Instant { clock.now }
    var boot: Instant { Instant(nanoseconds: clock.now.nanoseconds + slept.load(ordering: .relaxed)) }

    func sleep(seconds: Int64) { slept.add(seconds * 1_000_000_000, ordering: .relaxed) }
  }

  /// Virtual lines that also change without an edge, and that remember what they were driven to.
  private final class ChangingLines: LineSet {
    let virtual: VirtualLines
    private let wake = Signal()
    private var changed: Set<String> = []
    private(set) var driven: [LineEdge] = []

    init(_ virtual: VirtualLines) { self.virtual = virtual }

    var pollDescriptors: [PollDescriptor] {
      virtual.pollDescriptors + [PollDescriptor(fileDescriptor: wake.fileDescriptor, events: CShort(POLLIN))]
    }

    /// As while the system sleeps.
    func change(_ line: String) {
      changed.insert(line)
      wake.raise()
    }

    func levels() -> [String: Bool] { virtual.levels().merging(changed.map { ($0, true) }) { $1 } }

    func readEdges(into edges: inout [LineEdge]) {
      wake.clear()
      virtual.readEdges(into: &edges)
    }

    func set(_ line: String, asserted: Bool) {
      driven.append(LineEdge(line: line, asserted: asserted, at: .powerOn))
    }

    func close() { virtual.close() }

    /// What a line was driven to, in order.
    func levels(of line: String) -> [Bool] { driven.filter { $0.line == line }.map(\.asserted) }
  }

  private struct TriggerBench {
    let clock = SleepyClock()
    let wallClock = StillWallClock()
    let lines: ChangingLines
    let board: BoardDescription

    init() {
      var board = ScenarioSetup.board()
      board.lines.append(LineDescription(name: "AMP_MUTE", role: .ampMute))
      self.board = board
      lines = ChangingLines(VirtualLines(board: board, clock: clock))
    }

    func run(
      cues: [Cue] = [], timetable: [TimetableEntry] = [], _ steps: [(event: EventName, act: () -> Void)]
    ) throws -> [Event] {
      var settings = Settings()
      settings.timetable = timetable
      let tap = PortTap(port: .speaker, rate: ScenarioSetup.rate, wav: nil)
      let taps = Dictionary(uniqueKeysWithValues: board.ports.map { ($0.output.port, tap) })
      let boardOperator = FirmwareTests.Script(steps)
      let firmware = Firmware(
        Firmware.Parts(
          board: board, settings: settings, cues: cues, library: [Track(path: "a", name: "a")], clock: clock,
          lines: lines, devices: VirtualDevices(clock: clock, taps: taps),
          tracks: CountingTracks(["a": 20 * ScenarioSetup.rate]), cueFiles: CountingTracks([:]), outputs: [:],
          statePath: nil,
          boardOperator: boardOperator,
          wallClock: wallClock))
      try firmware.run()
      return boardOperator.log
    }
  }

  @Test("R11: after a sleep the lines are read again, and what was plugged in meanwhile is a plug")
  func sleep() throws {
    let bench = TriggerBench()
    let plug = {
      bench.clock.sleep(seconds: 3_600)
      bench.lines.change("JACK_SENSE")
    }
    let log = try bench.run([(.boot, plug), (.routeChanged, {}), (.portConnected, {})])
    let changes = log.filter { $0.name == .routeChanged }
    #expect(changes.first?["reason"] == "wake-from-sleep")
    #expect(log.first { $0.name == .portConnected }?["port"] == "headphones")
  }

  @Test("R11: without a sleep the levels are not read again")
  func awake() throws {
    let bench = TriggerBench()
    var controls = VirtualControls(board: bench.board)
    let play = {
      bench.lines.change("JACK_SENSE")
      bench.lines.virtual.move(controls.makeEdges(for: .play))
    }
    let log = try bench.run([(.boot, play), (.trackStarted, {})])
    #expect(log.allSatisfy { $0.name != .routeChanged && $0.name != .portConnected })
  }

  @Test("a cue is triggered at its time of the day")
  func daily() throws {
    let bench = TriggerBench()
    let time = TimeOfDay(hour: bench.wallClock.now.hour, minute: bench.wallClock.now.minute)
    let cues = [Cue(name: "bell", path: "bell"), Cue(name: "closing", path: "closing", client: "page")]
    let entry = TimetableEntry(.cue("closing"), .at([time]))
    let log = try bench.run(cues: cues, timetable: [entry], [(.sessionActivated, {})])
    #expect(log.first { $0.name == .sessionActivated }?["client"] == "page")
  }

  @Test("the amplifier is opened for sound and left muted at the end")
  func amplifier() throws {
    let bench = TriggerBench()
    var controls = VirtualControls(board: bench.board)
    let play = { bench.lines.virtual.move(controls.makeEdges(for: .play)) }
    _ = try bench.run([(.boot, play), (.trackStarted, {})])
    let levels = bench.lines.levels(of: "AMP_MUTE")
    #expect(levels.contains(false))
    #expect(levels.last == true)
  }
}
