import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Board

@Suite struct SystemWallClockTests {
  /// 2026-06-01, noon in Greenwich.
  private static let summer = 1_780_315_200

  private static func clock(
    trusted: Bool = false, synchronised: Bool = false, seconds: Int = summer, uptime: Int = 10, chip: String? = nil
  ) throws -> SystemWallClock {
    let folder = try TemporaryFolder()
    if let chip {
      _ = folder.makeFolder("rtc1")
      _ = folder.write("rtc1/since_epoch", chip)
    }
    let kernel = SystemWallClock.Kernel(
      isSynchronised: { synchronised }, seconds: { seconds }, uptime: { uptime }, chips: folder.path)
    return SystemWallClock(isTrusted: trusted, kernel: kernel)
  }

  @Test("N5: a clock without a chip that nobody has set is not believed, whatever it shows")
  func unset() throws {
    #expect(try Self.clock().trust == .unknown)
    #expect(try Self.clock(seconds: 0).trust == .unknown)
  }

  @Test("N5: the kernel's word that the clock is synchronised is enough")
  func synchronised() throws {
    #expect(try Self.clock(synchronised: true).trust == .synchronised)
  }

  @Test(
    "N5: a clock chip within a minute of the clock sets it, in a year that can be",
    arguments: [
      ("1780315200\n", summer, ClockTrust.set), ("1780315260\n", summer, .set), ("1780315139\n", summer, .unknown),
      ("1780315261\n", summer, .unknown), ("12\n", 0, .unknown), ("\n", summer, .unknown), ("soon\n", summer, .unknown),
    ])
  func chip(shows: String, seconds: Int, trust: ClockTrust) throws {
    #expect(try Self.clock(seconds: seconds, chip: shows).trust == trust)
  }

  @Test(
    "N5: a clock that is set while the firmware runs is believed, but not one that a boot service sets",
    arguments: [(89, ClockTrust.unknown), (90, .set)])
  func noteSet(uptime: Int, trust: ClockTrust) throws {
    let clock = try Self.clock(uptime: uptime)
    clock.noteSet()
    #expect(clock.trust == trust)
  }

  private final class Server: Sendable { let isThere = Atomic(true) }

  @Test("N5: a clock that was synchronised once stays known when the time server is lost for hours")
  func serverLost() {
    let server = Server()
    let kernel = SystemWallClock.Kernel(
      isSynchronised: { server.isThere.load(ordering: .relaxed) }, seconds: { Self.summer }, uptime: { 10 },
      chips: "/nowhere")
    let clock = SystemWallClock(isTrusted: false, kernel: kernel)
    #expect(clock.trust == .synchronised)
    server.isThere.store(false, ordering: .relaxed)
    #expect(clock.trust == .set)
  }

  @Test("N5: clock = trusted vouches for any time but that of a year before this program")
  func trusted() throws {
    #expect(try Self.clock(trusted: true).trust == .synchronised)
    #expect(try Self.clock(trusted: true, seconds: 1_766_000_000).trust == .unknown)
  }

  @Test("the clock of this machine shows its time")
  func machine() {
    let before = time(nil)
    let shown = SystemWallClock().now.seconds
    #expect((before...time(nil)).contains(shown))
  }
}
