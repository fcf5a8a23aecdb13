import AudioSession
import Board
import BoardFiles
import Driver
import Files
import Jukebox

/// What the timetable does next, and what of it is always left out as it is closed then.
enum TimetableChecks {
  private static let subject = "timetable"
  /// So many days are looked at.
  private static let days = 14

  static func findings(_ kiosk: KioskSettings) -> [Finding] {
    let entries = kiosk.settings.timetable
    guard !entries.isEmpty else { return [] }
    let clock = SystemWallClock(isTrusted: kiosk.clock == .trusted)
    let (now, zone) = (clock.now.seconds, LocalZone.system)
    let today =
      clock.trust == .unknown
      ? Finding.missing(subject, "does nothing before somebody knows the time")
      : .good(subject, next(kiosk.settings, at: now, zone))
    return [today] + unheard(kiosk, from: zone.date(at: now), zone)
  }

  /// `next: Sat 00:00 playlist weekend`.
  static func next(_ settings: Settings, at now: Int, _ zone: LocalZone) -> String {
    let hours = settings.hours?.calendar
    var clock = TimetableClock(settings.timetable, hours: hours, zone: zone)
    var moments: [TimetableMoment] = []
    for index in settings.timetable.indices {
      if let moment = clock.moment(of: index, behind: now) { moments.append(moment) }
    }
    guard let first = moments.min(by: { $0.second < $1.second }) else { return "nothing is to come" }
    let action = settings.timetable[first.entry].action
    return "next: \(first.day.weekday.title) \(first.text) \(TimetableCommand.words(of: action))"
  }

  /// What nobody hears, on none of the next days.
  private static func unheard(_ kiosk: KioskSettings, from today: Int, _ zone: LocalZone) -> [Finding] {
    guard let calendar = kiosk.settings.hours?.calendar else { return [] }
    var spans = CalendarSpans(calendar, zone: zone)
    let entries = kiosk.settings.timetable
    var clock = TimetableClock(entries, hours: calendar, zone: zone)
    return entries.indices.compactMap { index in
      let moments = clock.moments(of: index, on: today...today + days)
      guard let first = moments.first, !moments.contains(where: { spans.span(at: $0.second).isWithin }) else {
        return nil
      }
      switch entries[index].action {
      case .cue(let name):
        let client = kiosk.cues.first { $0.name == name }?.client ?? SessionClient.cue.name
        guard SessionClient.ownNames.contains(client) else { return nil }
        return .bad(
          "cue \(Wording.oneLine(name))", "at \(first.time.text) it is closed, so that nobody hears it",
          "another `at`, or client = \"page\", which is heard all the same")
      case .start:
        return .bad(subject, "at \(first.time.text) it is closed, so that nothing starts", "another `at`")
      case .stop, .playlist, .volume: return nil
      }
    }
  }
}
