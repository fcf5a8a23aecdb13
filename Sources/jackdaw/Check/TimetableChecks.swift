import AudioSession
import Board
import BoardFiles
import Driver
import Files
import Jukebox

/// What the timetable does next, and what of it is always left out as it is closed then.
enum TimetableChecks {
  private static let subject = "timetable"
  /// How many days are looked at.
  private static let days = 14

  static func findings(_ kiosk: KioskSettings) -> [Finding] {
    let entries = kiosk.settings.timetable
    guard !entries.isEmpty else { return [] }
    let clock = kiosk.wallClock
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

  /// The times at which nobody hears it, on none of the next days.
  private static func unheard(_ kiosk: KioskSettings, from today: Int, _ zone: LocalZone) -> [Finding] {
    guard let calendar = kiosk.settings.hours?.calendar else { return [] }
    var spans = CalendarSpans(calendar, zone: zone)
    let entries = kiosk.settings.timetable
    var clock = TimetableClock(entries, hours: calendar, zone: zone)
    return entries.indices.compactMap { index in
      let times = Dictionary(grouping: clock.moments(of: index, on: today...today + days), by: \.time)
      let closed = times.filter { !$0.value.contains { spans.span(at: $0.second).isWithin } }.keys.sorted()
      guard let first = closed.first else { return nil }
      let when = closed.count > 1 ? "\(first.text) and at \(closed.count - 1) other times" : first.text
      switch entries[index].action {
      case .cue(let name):
        let client = kiosk.cues.first { $0.name == name }?.client ?? .cue
        guard ClientName.own.contains(client) else { return nil }
        return .bad(
          "cue \(Wording.oneLine(name))", "at \(when) it is closed, so that nobody hears it",
          "other times, or client = \"page\" in [cues.NAME], which is heard all the same")
      case .start:
        return .bad(subject, "at \(when) it is closed, so that nothing starts", "other times")
      case .stop, .playlist, .volume, .freePlay: return nil
      }
    }
  }
}
