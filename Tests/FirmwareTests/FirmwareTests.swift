import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import FrontPanel
@testable import KioskTestSupport
@testable import Simulator
@testable import Threads

/// The firmware with its real threads, rings and clock, on virtual lines and a paced device. Every step waits for the
/// event before it, none for time.
@Suite(.serialized) struct FirmwareTests {
  /// Does something at the first event of each name, types what that gives, then waits for the next of its list; ends
  /// after the last, or where one does not come, which its log then shows.
  final class Script: Operator {
    private(set) var log: [Event] = []
    private(set) var notes: [String] = []
    /// What the supervisor was sent up to the events of the script.
    private(set) var received: [String] = []
    private let supervisor: NotifySocket?
    private var steps: ArraySlice<(event: EventName, act: () -> String?)>
    private var commands: [String] = []
    private let wake = Signal()
    private(set) var wantsToEnd = false
    private let givesUp = ContinuousClock.now + .seconds(60)
    private(set) var nextDraw: Instant?

    init(typing steps: [(event: EventName, act: () -> String?)], supervisor: NotifySocket? = nil) {
      self.steps = steps[...]
      self.supervisor = supervisor
    }

    convenience init(_ steps: [(event: EventName, act: () -> Void)]) {
      self.init(
        typing: steps.map { step in
          let act: () -> String? = {
            step.act()
            return nil
          }
          return (step.event, act)
        })
    }

    var pollDescriptors: [PollDescriptor] {
      [PollDescriptor(fileDescriptor: wake.fileDescriptor, events: CShort(POLLIN))]
    }

    func serve() { wake.clear() }
    func takeCommand() -> String? { commands.isEmpty ? nil : commands.removeFirst() }

    func log(_ event: Event, at now: Instant) {
      log.append(event)
      guard let step = steps.first, step.event == event.name else { return }
      received += supervisor?.receive() ?? []
      steps = steps.dropFirst()
      if let command = step.act() { commands.append(command) }
      wantsToEnd = steps.isEmpty
      wake.raise()
    }

    func note(_ text: String) { notes.append(text) }
    func draw(_ status: Status, at now: Instant) {
      if ContinuousClock.now >= givesUp { wantsToEnd = true }
      nextDraw = nextDraw ?? now + .seconds(60)
    }
    func resize() {}
    func end() {}
  }

  private struct Result {
    var log: [Event]
    var heard: [Int16]
  }

  private func run(state: String?, _ script: (VirtualLines, BoardDescription) -> [(EventName, () -> Void)]) throws
    -> Result
  {
    let folder = try TemporaryFolder()
    let board = ScenarioSetup.board()
    let clock = MonotonicClock(startsNow: true)
    let lines = VirtualLines(board: board, clock: clock)
    let wav = try WAVWriter(path: "\(folder.path)/heard.wav", rate: ScenarioSetup.rate)
    let tap = PortTap(port: .headphones, rate: ScenarioSetup.rate, wav: wav)
    let ports = board.ports.map(\.output.port)
    let boardOperator = Script(script(lines, board).map { (event: $0.0, act: $0.1) })
    var settings = Settings()
    settings.startVolume = 100
    let firmware = Firmware(
      Firmware.Parts(
        board: board, settings: settings, library: [Track(path: "a", name: "a"), Track(path: "b", name: "b")],
        clock: clock, lines: lines,
        devices: VirtualDevices(clock: clock, taps: Dictionary(uniqueKeysWithValues: ports.map { ($0, tap) })),
        tracks: CountingTracks(["a": 20 * ScenarioSetup.rate, "b": 20 * ScenarioSetup.rate]),
        cueFiles: CountingTracks([:]), outputs: [:],
        statePath: state,
        boardOperator: boardOperator))
    try firmware.run()
    try tap.finish(at: clock.now.frame(rate: ScenarioSetup.rate))
    let samples = try folder.wav("heard.wav")
    return Result(log: boardOperator.log, heard: stride(from: 0, to: samples.count, by: 2).map { samples[$0] })
  }

  @Test("P1, P3, Q1: plug, play, unplug and re-plug through threads and real time; what is heard joins up")
  func visitor() throws {
    let result = try run(state: nil) { lines, board in
      var controls = VirtualControls(board: board)
      func press(_ key: PanelKey) -> () -> Void { { lines.move(controls.makeEdges(for: key)) } }
      return [
        (.boot, press(.headphones)), (.routeChanged, press(.play)), (.trackStarted, press(.headphones)),
        (.promptShown, press(.headphones)), (.playbackResumed, press(.next)), (.trackStarted, {}),
      ]
    }
    let names = result.log.map(\.name)
    #expect(names.contains(.promptAnswered) && names.last == .shutdown)
    let paused = result.log.first { $0.name == .playbackPaused }?["frame"].flatMap { Int($0) }
    let resumed = result.log.first { $0.name == .playbackResumed }?["frame"].flatMap { Int($0) }
    // The first position in the log is estimated from the clock; the engine's own, a moment later, counts frames.
    #expect(abs((paused ?? -1) - (resumed ?? -100)) <= 1)
    let loudest = result.heard.max() ?? 0
    #expect(loudest > 0)
  }

  @Test("W1, W2: what was saved at the end is restored at the next start, silently")
  func restart() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    _ = try run(state: path) { lines, board in
      var controls = VirtualControls(board: board)
      func press(_ key: PanelKey) -> () -> Void { { lines.move(controls.makeEdges(for: key)) } }
      return [
        (.boot, press(.next)), (.buttonPressed, press(.volumeDown)), (.volumeChanged, press(.play)),
        (.trackStarted, {}),
      ]
    }
    let second = try run(state: path) { _, _ in [(.stateRestored, {})] }
    let restored = try #require(second.log.first { $0.name == .stateRestored })
    // With a gap between visits, the volume is the next visitor's (V5).
    #expect(restored["track"] == "2" && restored["volumes"] == "0")
    #expect(second.heard.allSatisfy { $0 == 0 })
  }

  /// Files whose storage does not answer.
  private final class HangingTracks: TrackOpener, Sendable {
    let isAsked = Signal()
    /// Readable once it does.
    let gate = Signal()

    func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
      isAsked.raise()
      var polled = pollfd(fd: gate.fileDescriptor, events: CShort(POLLIN), revents: 0)
      poll(&polled, 1, -1)
      throw TrackError(operation: .open, path: path, reason: "it is gone", isStorage: true)
    }
  }

  @Test("W1: music whose storage hangs holds the end for no longer than it may, and the state is saved all the same")
  func hangingMusic() throws {
    let folder = try TemporaryFolder()
    let state = folder.path(of: "state.toml")
    let (board, clock, tracks) = (ScenarioSetup.board(), MonotonicClock(startsNow: true), HangingTracks())
    defer { tracks.gate.raise() }
    let lines = VirtualLines(board: board, clock: clock)
    var controls = VirtualControls(board: board)
    func press(_ key: PanelKey) -> () -> Void { { lines.move(controls.makeEdges(for: key)) } }
    var ended = ContinuousClock.now
    let visitor = Script([
      (.boot, press(.headphones)), (.routeChanged, press(.play)), (.buttonPressed, press(.volumeDown)),
      (.volumeChanged, { ended = .now }),
    ])
    let taps = board.ports.map(\.output.port).map { ($0, PortTap(port: $0, rate: ScenarioSetup.rate, wav: nil)) }
    var parts = Firmware.Parts(
      board: board, settings: Settings(), library: [Track(path: "a", name: "a")], clock: clock, lines: lines,
      devices: VirtualDevices(clock: clock, taps: Dictionary(uniqueKeysWithValues: taps)), tracks: tracks,
      cueFiles: CountingTracks([:]), outputs: [:], statePath: state, boardOperator: visitor)
    parts.patience = .milliseconds(200)
    try Firmware(parts).run()
    #expect(ContinuousClock.now - ended < .seconds(5))
    #expect(isReady(tracks.isAsked.fileDescriptor) && folder.read("state.toml") != nil)
    #expect(!visitor.notes.contains { $0.contains("not saved") })
  }

  @Test("a broken state file is reported once, and the firmware starts all the same")
  func brokenState() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/state.toml"
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    #expect(write(file, "volumes = 7", 11) == 11)
    close(file)
    let result = try run(state: path) { _, _ in [(.stateUnreadable, {})] }
    let unreadable = try #require(result.log.first { $0.name == .stateUnreadable })
    #expect(unreadable["reason"]?.contains("state.toml:1: volumes") == true)
  }
}
