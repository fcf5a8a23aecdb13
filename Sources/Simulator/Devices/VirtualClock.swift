import AudioSession
import Board
import Synchronization

/// Time that passes only when told to.
public final class VirtualClock: BoardClock {
  private let nanoseconds = Atomic<Int64>(0)

  public init() {}

  public var now: Instant { Instant(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

  public func advance(to instant: Instant) {
    nanoseconds.store(max(instant.nanoseconds, now.nanoseconds), ordering: .relaxed)
  }
}
