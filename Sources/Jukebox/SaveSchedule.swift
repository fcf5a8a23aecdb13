import AudioSession

/// When the state is saved. What changed waits two seconds for more; while sound runs, its place is saved every
/// `interval`. A token bucket: bursts of up to five saves, one per interval on average. So a power cut never costs more
/// than an interval, and nobody wears the card out by playing with a knob.
struct SaveSchedule: Hashable, Sendable {
  private static let gathering = Duration.seconds(2)
  private static let mostAtOnce: Int64 = 5

  let interval: Duration
  /// When it is saved next; nil: there is nothing to save.
  private(set) var due: Instant?
  private var last: Instant
  /// The instant up to which the saves until now would have lasted, at one an interval.
  private var spent: Instant

  init(interval: Duration, at now: Instant) {
    self.interval = interval
    last = now
    spent = now
  }

  /// Something is other than before.
  mutating func change(at now: Instant) {
    // What had to be saved at once beyond a burst delays nothing by more than an interval.
    let earliest = min(spent - interval * (Self.mostAtOnce - 1), last + interval)
    plan(max(now + Self.gathering, earliest))
  }

  /// Something is other than before, and is not to be lost.
  mutating func changeAtOnce(at now: Instant) { plan(now) }

  /// The place in the track moves on, or the last save failed.
  mutating func goOn(at now: Instant) { plan(max(now, last + interval)) }

  /// Something was counted, which may wait for a whole interval.
  mutating func count(at now: Instant) { plan(max(now + Self.gathering, last + interval)) }

  mutating func saved(at now: Instant) {
    due = nil
    last = now
    spent = max(spent, now) + interval
  }

  private mutating func plan(_ instant: Instant) { due = min(due ?? instant, instant) }
}
