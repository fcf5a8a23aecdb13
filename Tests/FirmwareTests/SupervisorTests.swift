import AudioSession
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport

@Suite struct SupervisorTests {
  private let folder: TemporaryFolder
  private let other: NotifySocket

  init() throws {
    folder = try TemporaryFolder()
    other = try NotifySocket(path: "\(folder.path)/notify")
  }

  private func supervisor(watchdog: Duration? = nil) throws -> Supervisor {
    try #require(Supervisor(path: other.path, watchdog: watchdog))
  }

  private func at(_ milliseconds: Int) -> Instant { .powerOn + .milliseconds(milliseconds) }

  @Test("start, status and end are sent, each once")
  func notifications() throws {
    let supervisor = try supervisor()
    let status = Jukebox(configuration: ScenarioSetup.board().configuration(settings: Settings()), library: []).status(
      at: .powerOn)
    supervisor.show(status, at: at(0))
    supervisor.show(status, at: at(1))
    supervisor.ready(at: at(1))
    supervisor.stopping(at: at(2))
    #expect(other.receive() == ["STATUS=stopped, speaker at volume 60", "READY=1", "STOPPING=1"])
  }

  @Test("the status describes in one line what plays, where and how loud")
  func sentence() {
    var status = Jukebox(configuration: ScenarioSetup.board().configuration(settings: Settings()), library: []).status(
      at: .powerOn)
    status.state = .paused
    status.holds = [.routeLost]
    status.route = Route(.speaker)
    status.volume = 60
    status.track = 2
    status.trackCount = 14
    status.file = "a\nb.mp3"
    #expect(status.sentence == "paused (route-lost), track 2 of 14: a\\u{a}b.mp3, speaker at volume 60")
  }

  @Test("a socket in the abstract namespace is reached, too")
  func abstract() throws {
    let abstract = try NotifySocket(path: "@jackdaw-test-\(getpid())")
    let supervisor = try #require(Supervisor(path: abstract.path, watchdog: nil))
    supervisor.ready(at: at(0))
    #expect(abstract.receive() == ["READY=1"])
  }

  @Test("an invalid address gives no supervisor", arguments: ["", "/", "@", "notify", "vsock:2:1234"])
  func addresses(path: String) { #expect(Supervisor(path: path, watchdog: nil) == nil) }

  @Test("a path longer than the kernel takes gives no supervisor, one that nobody listens at does no harm")
  func unreachable() throws {
    #expect(Supervisor(path: "/" + String(repeating: "x", count: 107), watchdog: nil) == nil)
    let supervisor = try #require(Supervisor(path: "\(folder.path)/nobody", watchdog: .seconds(2)))
    supervisor.ready(at: at(0))
    #expect(supervisor.next == at(1_000))
  }

  @Test("without a watchdog nothing wakes the firmware, and with one it wakes twice in its time")
  func wakeUps() throws {
    let heartbeat = Heartbeat()
    let patient = try supervisor()
    patient.ready(at: at(0))
    #expect(patient.next == nil)
    #expect(patient.tick(heartbeat, at: at(60_000)) == .nothing)

    let supervisor = try supervisor(watchdog: .seconds(30))
    #expect(supervisor.next == nil)
    supervisor.ready(at: at(0))
    #expect(supervisor.next == at(15_000))
    #expect(supervisor.tick(heartbeat, at: at(14_999)) == .nothing)
    #expect(supervisor.next == at(15_000))
  }

  @Test("signs of life go out only while the audio thread beats, and its silence is reported once")
  func signsOfLife() throws {
    let heartbeat = Heartbeat()
    let supervisor = try supervisor(watchdog: .milliseconds(200))
    supervisor.ready(at: at(0))
    _ = other.receive()
    heartbeat.beat()
    var received: [[String]] = []
    var requests: [Supervisor.Request] = []
    for (tick, beats) in [true, false, false, true, true].enumerated() {
      requests.append(supervisor.tick(heartbeat, at: at(100 + tick * 100)))
      received.append(other.receive())
      if beats { heartbeat.beat() }
    }
    #expect(received == [["WATCHDOG=1"], ["WATCHDOG=1"], [], [], ["WATCHDOG=1"]])
    #expect(requests == [.wake, .wake, .wakeAndReport, .wake, .wake])
    supervisor.stopping(at: at(600))
    #expect(supervisor.next == nil)
  }

  @Test("a thread that has not beaten since its start gives no sign of life")
  func stuckFromTheStart() throws {
    let supervisor = try supervisor(watchdog: .milliseconds(200))
    supervisor.ready(at: at(0))
    #expect(supervisor.tick(Heartbeat(), at: at(100)) == .wakeAndReport)
    #expect(other.receive() == ["READY=1"])
  }

  @Test("a supervisor that is slow to read loses nothing that still matters")
  func fullQueue() throws {
    let supervisor = try supervisor()
    let filler = try #require(Supervisor(path: other.path, watchdog: nil))
    while filler.next == nil { filler.stopping(at: at(0)) }
    supervisor.ready(at: at(0))
    supervisor.stopping(at: at(50))
    #expect(supervisor.next == at(150))
    _ = other.receive()
    _ = supervisor.tick(Heartbeat(), at: at(150))
    #expect(other.receive() == ["READY=1\nSTOPPING=1"])
    #expect(supervisor.next == nil)
  }
}
