import Board
import BoardFiles
import Driver
import Jukebox

/// What the opening hours mean today.
enum HoursChecks {
  private static let subject = "hours"

  static func findings(_ kiosk: KioskSettings) -> [Finding] {
    guard let hours = kiosk.settings.hours else { return [] }
    let clock = kiosk.wallClock
    let (now, zone) = (clock.now.seconds, LocalZone.system)
    let today =
      clock.trust == .unknown
      ? Finding.missing(subject, "open, as nobody knows the time: no clock chip or time server has set the clock")
      : .good(subject, text(hours.calendar, at: now, zone))
    return [today]
  }

  /// `open now, until 18:00; next: Sun closed`.
  static func text(_ calendar: WeekCalendar, at now: Int, _ zone: LocalZone) -> String {
    var spans = CalendarSpans(calendar, zone: zone)
    let span = spans.span(at: now)
    let state = span.isWithin ? "open" : "closed"
    guard let until = span.until else { return "\(state) now, and for good" }
    let (today, end) = (CalendarDay(number: zone.date(at: now)), spans.boundary(at: until))
    let tomorrow = today.next
    let ranges = calendar.ranges(on: tomorrow).map(\.text)
    let next = ranges.isEmpty ? "closed" : ranges.joined(separator: ", ")
    return "\(state) now, until \(text(end, from: today)); next: \(tomorrow.weekday.title) \(next)"
  }

  /// As short as it is clear.
  static func text(_ boundary: HoursBoundary, from today: CalendarDay) -> String {
    let days = boundary.day.number - today.number
    if days == 0 { return boundary.time.text }
    return days < 7 ? "\(boundary.day.weekday.title) \(boundary.time.text)" : boundary.text
  }
}
