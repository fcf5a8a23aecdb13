import Board
import BoardFiles
import Driver
import Jukebox

/// What `[quiet]` means today, and where it does nothing.
enum QuietChecks {
  private static let subject = "quiet"

  static func findings(_ kiosk: KioskSettings) -> [Finding] {
    guard let quiet = kiosk.settings.quiet else { return [] }
    let clock = kiosk.wallClock
    if clock.trust == .unknown {
      return [.missing(subject, "never, as nobody knows the time: no clock chip or time server has set the clock")]
    }
    let start = kiosk.settings.startVolume
    let today = Finding.good(subject, text(quiet, at: clock.now.seconds, .system))
    if quiet.ceiling < start { return [today] }
    return [
      today,
      .warning(
        subject, "visits begin at \(start) (`start_volume`), which is no louder than its ceiling of \(quiet.ceiling)"),
    ]
  }

  /// `at most 40 now, until 08:00`, or `at most 40 from 20:00 on`.
  static func text(_ quiet: QuietSettings, at now: Int, _ zone: LocalZone) -> String {
    var spans = CalendarSpans(quiet.calendar, zone: zone)
    let span = spans.span(at: now)
    let today = CalendarDay(number: zone.date(at: now))
    let until = span.until.map { HoursChecks.text(spans.boundary(at: $0), from: today) }
    if span.isWithin { return "at most \(quiet.ceiling) now, \(until.map { "until \($0)" } ?? "and for good")" }
    return until.map { "at most \(quiet.ceiling) from \($0) on" } ?? "never, as no day has any"
  }
}
