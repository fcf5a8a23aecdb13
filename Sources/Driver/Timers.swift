import AudioSession
import Jukebox

/// The timers that the brain has set, one for each id.
struct Timers {
  private struct Entry {
    var at: Instant
    /// Timers due at the same instant fire in the order they were set.
    var order: Int
  }

  private var entries: [TimerID: Entry] = [:]
  private var count = 0

  mutating func set(_ timer: TimerID, at instant: Instant) {
    count += 1
    entries[timer] = Entry(at: instant, order: count)
  }

  mutating func cancel(_ timer: TimerID) { entries[timer] = nil }

  /// When the next one is due.
  var next: Instant? { entries.values.lazy.map(\.at).min() }

  /// Removes and returns the timer that is due first, if one is due by `now`.
  mutating func popDue(at now: Instant) -> TimerID? {
    let due = entries.filter { $0.value.at <= now }
    let first = due.min { ($0.value.at, $0.value.order) < ($1.value.at, $1.value.order) }
    if let first { entries[first.key] = nil }
    return first?.key
  }
}
