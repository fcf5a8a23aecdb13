import AudioSession
import Board
import BoardFiles
import Driver
import Files
import Jukebox

/// What the settings mean today, and cues that nobody would hear.
enum HoursChecks {
  private static let subject = "hours"

  static func findings(_ kiosk: KioskSettings) -> [Finding] {
    guard let hours = kiosk.settings.hours else { return [] }
    let clock = SystemWallClock(isTrusted: kiosk.clock == .trusted)
    let (now, zone) = (clock.now.seconds, LocalZone.system)
    let today =
      clock.trust == .unknown
      ? Finding.missing(subject, "open, as nobody knows the time: no clock chip or time server has set the clock")
      : .good(subject, text(hours.calendar, at: now, zone))
    return [today] + unheard(kiosk, hours.calendar, from: zone.date(at: now), zone)
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
  private static func text(_ boundary: HoursBoundary, from today: CalendarDay) -> String {
    let days = boundary.day.number - today.number
    if days == 0 { return boundary.time.text }
    return days < 7 ? "\(boundary.day.weekday.title) \(boundary.time.text)" : boundary.text
  }

  /// Cues whose time of day is one at which it is closed, on all of the next days.
  private static func unheard(
    _ kiosk: KioskSettings, _ calendar: WeekCalendar, from today: Int, _ zone: LocalZone
  ) -> [Finding] {
    var spans = CalendarSpans(calendar, zone: zone)
    return kiosk.cues.compactMap { cue in
      guard let time = cue.time, SessionClient.ownNames.contains(cue.client) else { return nil }
      if (today..<today + 14).contains(where: { spans.span(at: zone.second(of: time, on: $0)).isWithin }) { return nil }
      return .bad(
        "cue \(Wording.oneLine(cue.name))", "at \(time.text) it is closed, so that nobody hears it",
        "another `at`, or client = \"page\", which is heard all the same")
    }
  }
}
