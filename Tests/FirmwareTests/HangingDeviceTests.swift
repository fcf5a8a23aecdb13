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
    ) throws -> FirmwareTests.Script {
      var music = SessionClient.music
      music.category = category
      let socket = try NotifySocket(path: "\(folder.path)/notify")
      let visitor = FirmwareTests.Script(typing: steps, supervisor: socket)
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
    // For the route at power on, unless a busy machine has seen the headphones before, and as the other port.
    #expect((1...2).contains(kiosk.devices.count))
  }
}
