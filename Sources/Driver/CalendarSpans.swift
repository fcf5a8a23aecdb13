import Jukebox

/// What a week's times mean at an instant, by the rules of a zone: each boundary is one instant, whatever the local
/// clock does there. If it is set back over a boundary, the first of both counts; where it is set forward over one, the
/// first moment after the gap.
package struct CalendarSpans: Sendable {
  /// A stretch of time within the calendar's ranges, or between them.
  package struct Span: Hashable, Sendable {
    package var isWithin: Bool
    /// Seconds since 1970; it may have begun before.
    package var since: Int
    /// nil: forever.
    package var until: Int?

    func contains(_ second: Int) -> Bool { since <= second && second < (until ?? Int.max) }
  }

  /// Beyond this many days, and the last exception, every week is like the one before.
  private static let horizon = 15

  private let calendar: WeekCalendar
  private let zone: LocalZone
  /// What was found last: it is asked for again and again.
  private var latest: Span?

  package init(_ calendar: WeekCalendar, zone: LocalZone) { (self.calendar, self.zone) = (calendar, zone) }

  /// The stretch that an instant lies in.
  package mutating func span(at second: Int) -> Span {
    if let latest, latest.contains(second) { return latest }
    let found = find(second)
    latest = found
    return found
  }

  package func boundary(at second: Int) -> HoursBoundary {
    let shown = second + zone.offset(second)
    let minute = (shown - zone.date(at: second) * 86_400) / 60
    return HoursBoundary(
      second: second, day: CalendarDay(number: zone.date(at: second)),
      time: TimeOfDay(hour: minute / 60, minute: minute % 60))
  }

  private func find(_ second: Int) -> Span {
    // A range may have begun on the day before, which the local clock may show again.
    let first = zone.date(at: second) - 2
    let last = max(first + Self.horizon, min(calendar.lastException?.number ?? first, first + 36_600) + Self.horizon)
    var span = Span(isWithin: false, since: zone.second(of: .midnight, on: first), until: nil)
    for date in first...last {
      for range in stretches(on: date) {
        if range.upperBound <= second {
          span.since = max(span.since, range.upperBound)
        } else if span.isWithin {
          // Ranges that touch have no boundary in between.
          if let until = span.until, range.lowerBound > until { return span }
          span.until = max(span.until ?? range.upperBound, range.upperBound)
        } else if range.lowerBound > second {
          span.until = min(span.until ?? range.lowerBound, range.lowerBound)
        } else {
          span = Span(isWithin: true, since: range.lowerBound, until: range.upperBound)
        }
      }
      if !span.isWithin, span.until != nil, date > first + 3 { return span }
    }
    // All the days that there are follow each other without a gap.
    if span.isWithin { span.until = nil }
    return span
  }

  /// What begins on a date, in seconds since 1970, without what the local clock leaves out.
  private func stretches(on date: Int) -> [Swift.Range<Int>] {
    calendar.ranges(on: CalendarDay(number: date)).compactMap { range in
      let start = zone.second(of: range.start, on: date)
      let end = zone.second(of: range.end, on: range.endsNextDay ? date + 1 : date)
      return start < end ? start..<end : nil
    }.sorted { $0.lowerBound < $1.lowerBound }
  }
}
