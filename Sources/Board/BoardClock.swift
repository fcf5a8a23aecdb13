import AudioSession
import Glibc

/// Tells the time since power on. Any thread.
public protocol BoardClock: AnyObject, Sendable {
  var now: Instant { get }
}

/// The kernel's monotonic clock, on which it also stamps the edges of lines and the positions of devices.
public final class MonotonicClock: BoardClock {
  private let origin: Int64

  /// What the kernel's clock showed at power on.
  public var start: Duration { .nanoseconds(origin) }

  /// - Parameter startsNow: counts from now instead of from the machine's power on, for a board that is only simulated.
  public init(startsNow: Bool) { origin = startsNow ? MonotonicClock.read() : 0 }

  public var now: Instant { Instant(nanoseconds: MonotonicClock.read() - origin) }

  private static func read() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
