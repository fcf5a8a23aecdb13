import AudioSession
import Glibc

/// The time since power on. Any thread.
public protocol BoardClock: AnyObject, Sendable {
  var now: Instant { get }
  /// `now` plus the time that the system has slept since power on.
  var boot: Instant { get }
}

extension BoardClock {
  /// For a system that never sleeps.
  public var boot: Instant { now }
}

/// The kernel's monotonic clock, on which it also stamps the edges of lines and the positions of devices.
public final class MonotonicClock: BoardClock {
  private let origin: Int64

  /// What the kernel's clock showed at power on.
  public var start: Duration { .nanoseconds(origin) }

  /// - Parameter startsNow: counts from now instead of from the machine's power on, for a board that is only simulated.
  public init(startsNow: Bool) { origin = startsNow ? MonotonicClock.read(CLOCK_MONOTONIC) : 0 }

  private init(origin: Int64) { self.origin = origin }

  /// Counts from when this process was started, which is some time before its first line of code; to the hundredth of a
  /// second. From now where the kernel does not say.
  public static func sinceProcessStart() -> MonotonicClock {
    let now = read(CLOCK_MONOTONIC)
    guard let started = ProcessStart.nanoseconds() else { return MonotonicClock(origin: now) }
    return MonotonicClock(origin: now - max(0, read(CLOCK_BOOTTIME) - started))
  }

  public var now: Instant { Instant(nanoseconds: MonotonicClock.read(CLOCK_MONOTONIC) - origin) }

  public var boot: Instant { Instant(nanoseconds: MonotonicClock.read(CLOCK_BOOTTIME) - origin) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
