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

/// The firmware with its real threads and a device whose driver does not return from opening it.
@Suite(.serialized) struct HangingDeviceTests {
  /// Holds the openings of one port.
  private final class HangingDevices: PCMOpener, @unchecked Sendable {
    private let base: VirtualDevices
    private let port: Port
    /// Readable once the device answers.
    private let gate = Signal()
    private let openings = Locked(0)

    init(_ base: VirtualDevices, port: Port) {
      self.base = base
      self.port = port
    }

    func answer() { gate.raise() }
    var count: Int { openings.withLock { $0 } }

    func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
      if port == self.port {
        openings.withLock { $0 += 1 }
        var polled = pollfd(fd: gate.fileDescriptor, events: CShort(POLLIN), revents: 0)
        poll(&polled, 1, -1)
      }
      let opened: Result<any PCM, PCMError> = openings.withLock { _ in
        do throws(PCMError) {
          return .success(try base.open(port: port, name: name, rate: rate, buffer: buffer))
        } catch {
          return .failure(error)
        }
      }
      return try opened.get()
    }
  }

  /// Waits for events in order, as `FirmwareTests.Script` does, and types commands.
  private final class Visitor: Operator {
    let supervisor: NotifySocket
    private(set) var log: [Event] = []
    private(set) var notes: [String] = []
    /// What the supervisor was sent before the first event of the script.
    private(set) var received: [String] = []
    private var steps: ArraySlice<(event: EventName, act: () -> String?)>
    private var commands: [String] = []
    private let wake = Signal()
    private let givesUp = ContinuousClock.now + .seconds(60)
    private(set) var wantsToEnd = false
    private(set) var nextDraw: Instant?

    init(_ supervisor: NotifySocket, _ steps: [(event: EventName, act: () -> String?)]) {
      self.supervisor = supervisor
      self.steps = steps[...]
    }

    var pollDescriptors: [PollDescriptor] {
      [PollDescriptor(fileDescriptor: wake.fileDescriptor, events: CShort(POLLIN))]
    }

    func serve() { wake.clear() }
    func takeCommand() -> String? { commands.isEmpty ? nil : commands.removeFirst() }

    func log(_ event: Event, at now: Instant) {
      log.append(event)
      guard let step = steps.first, step.event == event.name else { return }
      received += supervisor.receive()
      steps = steps.dropFirst()
      if let command = step.act() { commands.append(command) }
      wantsToEnd = steps.isEmpty
      wake.raise()
    }

    func draw(_ status: Status, at now: Instant) {
      if ContinuousClock.now >= givesUp { wantsToEnd = true }
      nextDraw = nextDraw ?? now + .seconds(60)
    }

    func note(_ text: String) { notes.append(text) }
    func resize() {}
    func end() {}
  }

  private struct Kiosk {
    let folder: TemporaryFolder
    let devices: HangingDevices
    let lines: VirtualLines
    let board = ScenarioSetup.board()
    let clock = MonotonicClock(startsNow: true)

    init(hanging port: Port) throws {
      folder = try TemporaryFolder()
      let taps = Dictionary(
        uniqueKeysWithValues: board.ports.map {
          ($0.output.port, PortTap(port: $0.output.port, rate: ScenarioSetup.rate, wav: nil))
        })
      devices = HangingDevices(VirtualDevices(clock: clock, taps: taps), port: port)
      lines = VirtualLines(board: board, clock: clock)
    }

    func run(
      _ steps: [(event: EventName, act: () -> String?)], category: SessionCategory = .playback
    ) throws -> Visitor {
      var music = SessionClient.music
      music.category = category
      let socket = try NotifySocket(path: "\(folder.path)/notify")
      let visitor = Visitor(socket, steps)
      let firmware = Firmware(
        Firmware.Parts(
          board: board, settings: Settings(), clients: [music], library: [Track(path: "a", name: "a")], clock: clock,
          lines: lines,
          devices: devices, tracks: CountingTracks(["a": 60 * ScenarioSetup.rate]), cueFiles: CountingTracks([:]),
          outputs: [:], statePath: nil,
          boardOperator: visitor, supervisor: Supervisor(path: socket.path, watchdog: .milliseconds(200))))
      try firmware.run()
      return visitor
    }
  }

  @Test("I15: the boot, a lost output with its reason and the end do not wait for a device that never answers")
  func hangsForEver() throws {
    let kiosk = try Kiosk(hanging: .speaker)
    defer { kiosk.devices.answer() }
    let visitor = try kiosk.run([(.boot, { "play" }), (.outputLost, { nil })])
    let lost = try #require(visitor.log.first { $0.name == .outputLost })
    #expect(lost["reason"] == "speaker: open: device does not answer" && lost["route"] == "speaker")
    #expect(visitor.received.contains("READY=1") && visitor.received.contains("WATCHDOG=1"))
    #expect(visitor.log.last?.name == .shutdown)
    #expect(kiosk.devices.count == 1)
  }

  @Test("I15, S6: other ports play on while a device hangs, and it joins them when it answers")
  func joinsLate() throws {
    let kiosk = try Kiosk(hanging: .speaker)
    var controls = VirtualControls(board: kiosk.board)
    kiosk.lines.move(controls.makeEdges(for: .headphones))
    let visitor = try kiosk.run(
      [
        (.boot, { "play" }), (.trackStarted, { nil }),
        (
          .outputLost,
          {
            kiosk.devices.answer()
            return nil
          }
        ), (.outputRestored, { nil }),
      ], category: .multiRoute)
    let others = visitor.log.filter { $0.name == .outputLost || $0.name == .outputRestored }
    #expect(others.map { $0["route"] } == ["speaker", "speaker"])
    #expect(others.first?["reason"] == "speaker: open: device does not answer")
    // An underrun would say that this machine is busy: one that is held up hears nothing until the device answers, and the
    // script waits for that.
    #expect(!visitor.log.contains { $0.name == .playbackPaused })
    #expect(
      visitor.notes.filter { $0.contains("answer") } == [
        "jackdaw: speaker does not answer; a thread waits for its driver", "jackdaw: speaker answers again",
      ])
    // For the route at power on, which was left for the headphones, and as the other port.
    #expect(kiosk.devices.count == 2)
  }
}
