import CLinux
import Glibc
import Synchronization

/// The machine's clock in the machine's time zone.
///
/// It counts as synchronised when the kernel says so. It counts as set when a clock chip showed the same time at the
/// start, or when somebody has set it while the firmware runs, and in both cases only with a year that this program has
/// seen: a board without a chip begins in 1970, or where the system remembers that it stopped.
public final class SystemWallClock: WallClock {
  /// No clock that is right shows an earlier year.
  public static let firstYear = 2026
  /// What sets the clock sooner after power on is a boot service that remembers when the board was switched off.
  private static let bootTime = 90
  /// How many seconds a clock chip may differ by.
  private static let tolerance = 60

  /// What is asked of the kernel. Any thread.
  package struct Kernel: Sendable {
    var isSynchronised: @Sendable () -> Bool = { clock_is_synchronised() != 0 }
    /// Since 1970.
    var seconds: @Sendable () -> Int = { time(nil) }
    /// In seconds, with those that the machine slept.
    var uptime: @Sendable () -> Int = {
      var uptime = timespec()
      clock_gettime(CLOCK_BOOTTIME, &uptime)
      return uptime.tv_sec
    }
    /// The folder of the clock chips.
    var chips = "/sys/class/rtc"
  }

  private let isTrusted: Bool
  private let kernel: Kernel
  private let hasSet: Atomic<Bool>

  /// - Parameter isTrusted: somebody vouches for it; only the year is looked at.
  public convenience init(isTrusted: Bool = false) { self.init(isTrusted: isTrusted, kernel: Kernel()) }

  /// The chips are read once, because one on a slow bus takes its time.
  package init(isTrusted: Bool, kernel: Kernel) {
    self.isTrusted = isTrusted
    self.kernel = kernel
    let shown = (0..<4).compactMap { Self.read("\(kernel.chips)/rtc\($0)/since_epoch") }
    let now = kernel.seconds()
    hasSet = Atomic(shown.contains { abs($0 - now) <= Self.tolerance })
  }

  public var trust: ClockTrust {
    if kernel.isSynchronised() {
      // Hours after the time server was lost the kernel says otherwise, and the time is still known (N5).
      hasSet.store(true, ordering: .relaxed)
      return .synchronised
    }
    guard now.year >= Self.firstYear else { return .unknown }
    return isTrusted ? .synchronised : hasSet.load(ordering: .relaxed) ? .set : .unknown
  }

  public func noteSet() {
    if kernel.uptime() >= Self.bootTime { hasSet.store(true, ordering: .relaxed) }
  }

  /// The number in a file of the kernel; nil where there is none.
  private static func read(_ path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = Glibc.read(file, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  public var now: WallTime {
    var seconds = kernel.seconds()
    var parts = tm()
    // The time zone is read once: a change takes effect at the next start.
    localtime_r(&seconds, &parts)
    return WallTime(seconds: seconds, parts)
  }
}
