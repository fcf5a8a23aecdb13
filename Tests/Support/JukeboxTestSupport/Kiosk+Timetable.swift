@testable import Jukebox

/// Cues at a time of the day.
extension Kiosk {
  static let dailyTime = TimeOfDay(hour: 17, minute: 45)

  /// A timetable that has an entry for each cue, in their order.
  static func daily(_ cues: [Cue], at time: TimeOfDay = dailyTime) -> [TimetableEntry] {
    cues.map { TimetableEntry(.cue($0.name), .at([time])) }
  }
}

extension TimetableMoment {
  /// The time of an entry on a day, by UTC.
  init(_ entry: Int, _ day: CalendarDay, _ time: TimeOfDay = Kiosk.dailyTime) {
    let second = day.number * 86_400 + time.hour * 3_600 + time.minute * 60
    self.init(entry: entry, day: day, time: time, second: second)
  }
}

extension Input {
  /// The time of a cue comes, in a timetable that has an entry for each.
  static func scheduled(cue: Int, on day: CalendarDay, at time: TimeOfDay = Kiosk.dailyTime) -> Input {
    .scheduled(TimetableMoment(cue, day, time))
  }

  static func missed(cue: Int) -> Input { .missed(TimetableMoment(cue, CalendarDay(number: 0))) }
}
