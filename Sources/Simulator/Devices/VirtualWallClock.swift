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
  /// Nobody has set it yet.
  private let isUnset = Atomic<Bool>(false)
  /// What takes the place of `start` until somebody sets it, so that it began in 1970 when it was forgotten.
  private let unsetStart = Atomic<Int>(0)

  public init(clock: any BoardClock) { self.clock = clock }

  public var now: WallTime {
    WallTime(seconds: (isUnset.load(ordering: .relaxed) ? unsetStart.load(ordering: .relaxed) : Self.start) + passed)
  }

  /// The seconds since power on, and those by which it was set ahead.
  private var passed: Int { ahead.load(ordering: .relaxed) + Int(clock.now.nanoseconds / 1_000_000_000) }

  public var trust: ClockTrust { isUnset.load(ordering: .relaxed) ? .unknown : .synchronised }

  /// As on a board without a clock chip: it begins in 1970 now, and nobody knows the time until it is set.
  public func forget() {
    unsetStart.store(-passed, ordering: .relaxed)
    isUnset.store(true, ordering: .relaxed)
  }

  /// Lets this many days pass at once, as for a board that lay in a cupboard.
  public func advance(days: Int) { ahead.add(days * 86_400, ordering: .relaxed) }

  /// Sets the time of the day that it shows, forwards or backwards, as an operator or a time server would.
  /// - Parameter day: nil: the one that it shows.
  public func set(_ time: TimeOfDay, second: Int = 0, day: CalendarDay? = nil) {
    isUnset.store(false, ordering: .relaxed)
    let shown = now
    let wanted = (time.hour * 60 + time.minute) * 60 + second
    let today = CalendarDay(year: shown.year, month: shown.month, day: shown.day).number
    let days = (day?.number ?? today) - today
    ahead.add(
      days * 86_400 + wanted - ((shown.hour * 60 + shown.minute) * 60 + shown.second), ordering: .relaxed)
  }
}
