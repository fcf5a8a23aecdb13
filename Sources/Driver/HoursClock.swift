import Board
import Jukebox

/// The state of the opening hours, or of the quiet ones, by the clock: once at each boundary, and whenever it turns out
/// otherwise.
package struct HoursClock {
  /// How long it takes at most, in seconds, until a clock counts as known that nobody has set in one step. Only then is it
  /// looked at although nothing happens.
  static let look = 60

  private var spans: CalendarSpans?
  private var told: HoursReport?
  private var isKnown = false
  /// When it was looked at last, while nobody knew the time.
  private var looked = 0

  /// - Parameter calendar: nil: there are no hours, and nothing has to be reported.
  init(_ calendar: WeekCalendar?, zone: LocalZone) { spans = calendar.map { CalendarSpans($0, zone: zone) } }

  /// The present state, which counts as reported; nil without opening hours.
  /// - Parameter isKnown: the clock shows the time. What was known once since power on stays so.
  package mutating func report(at now: WallTime, isKnown: Bool) -> HoursReport? {
    guard spans != nil else { return nil }
    self.isKnown = self.isKnown || isKnown
    var report = HoursReport.unknown
    if self.isKnown, let span = spans?.span(at: now.seconds) {
      report = .known(isWithin: span.isWithin, until: span.until.flatMap { spans?.boundary(at: $0) })
    }
    (told, looked) = (report, now.seconds)
    return report
  }

  /// As `report`; nil where that was told already.
  package mutating func news(at now: WallTime, isKnown: Bool) -> HoursReport? {
    let former = told
    let report = report(at: now, isKnown: isKnown)
    return report == former ? nil : report
  }

  /// The second at which there may be news if nobody sets the clock; nil: never.
  package mutating func next(after now: WallTime) -> Int? {
    guard spans != nil else { return nil }
    return isKnown ? spans?.span(at: now.seconds).until : looked + Self.look
  }
}
