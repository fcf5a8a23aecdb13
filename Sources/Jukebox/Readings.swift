import AudioSession

/// The token that was read last at one reader: a card that is left on a reader that repeats it is one reading, however long
/// it lies there (T5.1).
struct Readings: Hashable, Sendable {
  private struct Reading: Hashable {
    var token: String
    var last: Instant
  }

  private var latest: Reading?

  /// Notes a reading. Returns whether it is one that is known already: the same token was read within `time`, and no other
  /// one since then.
  mutating func note(_ token: String, within time: Duration, at now: Instant) -> Bool {
    let isRepeated = mayContinue(token, within: time, at: now) && latest?.token == token
    latest = Reading(token: token, last: now)
    return isRepeated
  }

  /// Whether what begins like this may be that token, read again within `time`.
  func mayContinue(_ start: String, within time: Duration, at now: Instant) -> Bool {
    latest.map { now < $0.last + time && $0.token.hasPrefix(start) } ?? false
  }

  /// Time asleep does not count.
  mutating func skip(_ slept: Duration) { latest = latest.map { Reading(token: $0.token, last: $0.last + slept) } }
}
