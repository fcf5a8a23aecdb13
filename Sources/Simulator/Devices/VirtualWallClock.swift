import AudioSession
import Board
import Jukebox
import Synchronization

/// The calendar of a simulated board, whose local time is UTC: 2026-01-01 12:00:00 at power on. It advances
/// with the board's clock and can be set.
public final class VirtualWallClock: WallClock {
  /// 2026-01-01 12:00:00.
  private static let start = 1_767_268_800

  private let clock: any BoardClock
  private let ahead = Atomic<Int>(0)

  public init(clock: any BoardClock) { self.clock = clock }

  public var now: WallTime {
    WallTime(seconds: Self.start + ahead.load(ordering: .relaxed) + Int(clock.now.nanoseconds / 1_000_000_000))
  }

  /// Sets the time of the day that it shows, forwards or backwards, as an operator or a time server would.
  public func set(_ time: TimeOfDay, second: Int = 0) {
    let shown = now
    let wanted = (time.hour * 60 + time.minute) * 60 + second
    ahead.add(wanted - ((shown.hour * 60 + shown.minute) * 60 + shown.second), ordering: .relaxed)
  }
}
