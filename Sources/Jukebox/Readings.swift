import AudioSession

/// The tokens that were read at one reader a moment ago: a card that is left on a reader that repeats it is one reading,
/// however long it lies there (T5).
struct Readings: Hashable, Sendable {
  private struct Reading: Hashable {
    var token: String
    var last: Instant
  }

  /// The most tokens that are remembered: more than anybody types or lays on a reader within `reader_repeat`.
  private static let most = 8

  /// The latest last.
  private var readings: [Reading] = []

  /// Notes a reading. Returns whether it is one that is known already: the same token was read within `time`.
  mutating func note(_ token: String, within time: Duration, at now: Instant) -> Bool {
    let isRepeated = readings.contains { $0.token == token && now < $0.last + time }
    readings.removeAll { $0.token == token || now >= $0.last + time }
    readings.append(Reading(token: token, last: now))
    readings.removeFirst(max(0, readings.count - Self.most))
    return isRepeated
  }

  /// Whether what begins like this may be a token that was read within `time`.
  func mayContinue(_ start: String, within time: Duration, at now: Instant) -> Bool {
    readings.contains { now < $0.last + time && $0.token.hasPrefix(start) }
  }

  /// Time asleep does not count.
  mutating func skip(_ slept: Duration) {
    for index in readings.indices { readings[index].last = readings[index].last + slept }
  }
}
