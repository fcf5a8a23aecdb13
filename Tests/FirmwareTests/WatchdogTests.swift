import AudioSession
import Board
import CLinux
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import FrontPanel
@testable import KioskTestSupport
@testable import Simulator
@testable import Threads

/// The firmware with its real threads under a supervisor that wants signs of life.
@Suite(.serialized) struct WatchdogTests {
  private static let watchdog = Duration.milliseconds(40)

  /// Lets the audio thread hang in a call, as a broken driver does.
  private final class Gate: @unchecked Sendable {
    /// Raised once the thread hangs.
    let reached = Signal()
    private let opened = eventfd(0, CInt(EFD_CLOEXEC))
    private let isShut = WorkerThread.Flag()

    deinit { close(opened) }

    func shut() { isShut.raise() }

    func open() {
      var one: UInt64 = 1 << 32
      _ = write(opened, &one, 8)
    }

    func pass() {
      guard isShut.isRaised else { return }
      reached.raise()
      var count: UInt64 = 0
      _ = read(opened, &count, 8)
      // Open for good.
      _ = write(opened, &count, 8)
    }
  }

  private final class GatedDevice: PCM {
    private let base: any PCM
    private let gate: Gate

    init(_ base: any PCM, _ gate: Gate) {
      self.base = base
      self.gate = gate
    }

    var format: PCMFormat { base.format }
    var pollDescriptors: [PollDescriptor] { base.pollDescriptors }
    func status() throws(PCMError) -> PCMStatus { try base.status() }
    func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(PCMError) -> Int {
      gate.pass()
      return try base.write(samples, frames: frames)
    }
    func rewind(_ frames: Int, isUrgent: Bool) -> Int { base.rewind(frames, isUrgent: isUrgent) }
    func start() throws(PCMError) { try base.start() }
    func stop() throws(PCMError) { try base.stop() }
    func recover() throws(PCMError) { try base.recover() }
    func close() { base.close() }
  }

  private final class GatedDevices: PCMOpener {
    private let base: VirtualDevices
    private let gate: Gate

    init(_ base: VirtualDevices, _ gate: Gate) {
      self.base = base
      self.gate = gate
    }

    func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
      GatedDevice(try base.open(port: port, name: name, rate: rate, buffer: buffer), gate)
    }
  }

  /// Plays, hangs the audio thread, watches for a while, and lets it go again.
  private final class Onlooker: Operator {
    enum Stage { case starting, playing, hanging, freed }

    private let gate: Gate
    private let other: NotifySocket
    private let play: () -> Void
    private(set) var stage = Stage.starting
    private(set) var received: [Stage: [String]] = [:]
    private(set) var notes: [String] = []
    private(set) var wantsToEnd = false
    private let givesUp = ContinuousClock.now + .seconds(30)
    private var watchesUntil: Instant?

    init(gate: Gate, other: NotifySocket, play: @escaping () -> Void) {
      self.gate = gate
      self.other = other
      self.play = play
    }

    var nextDraw: Instant? { watchesUntil }

    var pollDescriptors: [PollDescriptor] {
      [gate.reached.fileDescriptor, other.descriptor].map {
        PollDescriptor(fileDescriptor: $0, events: CShort(POLLIN))
      }
    }

    func serve() {
      received[stage, default: []] += other.receive()
      if stage == .freed, received[.freed]?.contains("WATCHDOG=1") ?? false { wantsToEnd = true }
    }

    func log(_ event: Event, at now: Instant) {
      if event.name == .boot { play() }
      if event.name == .trackStarted { stage = .playing }
    }

    func draw(_ status: Status, at now: Instant) {
      if stage == .playing, received[.playing]?.contains("WATCHDOG=1") ?? false { gate.shut() }
      var polled = pollfd(fd: gate.reached.fileDescriptor, events: CShort(POLLIN), revents: 0)
      if stage == .playing, poll(&polled, 1, 0) > 0 {
        gate.reached.clear()
        stage = .hanging
        watchesUntil = now + WatchdogTests.watchdog * 5
      }
      if stage == .hanging, let end = watchesUntil, now >= end {
        watchesUntil = nil
        stage = .freed
        gate.open()
      }
      if ContinuousClock.now >= givesUp { wantsToEnd = true }
    }

    func note(_ text: String) { notes.append(text) }
    func resize() {}
    func end() {}
  }

  @Test("an audio thread that hangs ends the signs of life, although the control loop keeps running")
  func hangingAudio() throws {
    let folder = try TemporaryFolder()
    let other = try NotifySocket(path: "\(folder.path)/notify")
    let gate = Gate()
    let board = ScenarioSetup.board()
    let clock = MonotonicClock(startsNow: true)
    let lines = VirtualLines(board: board, clock: clock)
    let tap = PortTap(port: .speaker, rate: ScenarioSetup.rate, wav: nil)
    let taps = Dictionary(uniqueKeysWithValues: board.ports.map { ($0.output.port, tap) })
    let boardOperator = Onlooker(gate: gate, other: other) {
      var controls = VirtualControls(board: board)
      lines.move(controls.makeEdges(for: .play))
    }
    let firmware = Firmware(
      Firmware.Parts(
        board: board, settings: Settings(), library: [Track(path: "a", name: "a")], clock: clock, lines: lines,
        devices: GatedDevices(VirtualDevices(clock: clock, taps: taps), gate),
        tracks: CountingTracks(["a": 60 * ScenarioSetup.rate]), cueFiles: CountingTracks([:]), outputs: [:],
        statePath: nil,
        boardOperator: boardOperator,
        supervisor: Supervisor(path: other.path, watchdog: Self.watchdog)))
    try firmware.run()

    #expect(boardOperator.stage == .freed)
    #expect(boardOperator.received[.starting]?.contains("READY=1") == true)
    // One for the beat from before it hung, then none for ten intervals.
    let signs = boardOperator.received[.hanging]?.filter { $0 == "WATCHDOG=1" } ?? []
    #expect(signs.count <= 1)
    #expect(
      boardOperator.notes.contains("jackdaw: the audio thread does not answer: no sign of life to the supervisor"))
    let rest = (boardOperator.received[.freed] ?? []) + other.receive()
    #expect(rest.contains("WATCHDOG=1") && rest.last == "STOPPING=1")
  }
}
