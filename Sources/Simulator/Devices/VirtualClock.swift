import AudioSession
import Board
import Synchronization

/// A clock that moves only when `advance` is called. Any thread may read it.
public final class VirtualClock: BoardClock {
  private let nanoseconds = Atomic<Int64>(0)

  public init() {}

  public var now: Instant { Instant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

  public func advance(to instant: Instant) {
    nanoseconds.store(max(instant.nanoseconds, now.nanoseconds), ordering: .relaxed)
  }
}
