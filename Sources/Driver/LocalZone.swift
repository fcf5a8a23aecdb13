import Glibc
import Jukebox

/// How far the local clock is ahead of UTC, and when.
package struct LocalZone: Sendable {
  /// Seconds ahead of UTC at a second since 1970.
  package let offset: @Sendable (Int) -> Int

  package static let utc = LocalZone { _ in 0 }

  /// The machine's zone (`TZ`, else /etc/localtime). It is read once: a change takes effect at the next start.
  package static let system = LocalZone { second in
    var second = time_t(second)
    var parts = tm()
    localtime_r(&second, &parts)
    return parts.tm_gmtoff
  }

  private static let day = 86_400

  /// The local date in days since 1970-01-01.
  package func date(at second: Int) -> Int {
    let local = second + offset(second)
    return (local >= 0 ? local : local - Self.day + 1) / Self.day
  }

  /// The second since 1970 at which the local clock shows `time` on a date; the first of two where it is set back over
  /// it, the first moment after the gap where it is set forward over it.
  package func second(of time: TimeOfDay, on date: Int) -> Int {
    let shown = date * Self.day + time.hour * 3_600 + time.minute * 60
    // No zone is a day ahead or behind: one is before any change of that date, the other after it.
    let candidates = [shown - offset(shown - Self.day), shown - offset(shown + Self.day)].sorted()
    if let first = candidates.first(where: { $0 + offset($0) == shown }) { return first }
    var (before, after) = (candidates[0], candidates[1])
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + offset(middle) < shown { before = middle } else { after = middle }
    }
    return after
  }
}
