/// The times of a date at which a cue needs nothing more: it was spoken to its end then, or could not be spoken.
public struct DoneCue: Hashable, Sendable {
  public var cue: String
  public var date: CalendarDay
  /// The earliest first.
  public var times: [TimeOfDay]

  public init(cue: String, date: CalendarDay, times: [TimeOfDay]) {
    self.cue = cue
    self.date = date
    self.times = times
  }
}

/// The latest date on which each cue with times of the day was done, and at which of them. It is saved, because a
/// restart within the minute in which a cue may be late would otherwise have it spoken once more (N6).
struct DailyCues: Hashable, Sendable {
  /// How many times of one date are kept; if there are more, all earlier ones count as done.
  static let mostTimes = 16

  /// At most one for each cue of the timetable.
  private(set) var done: [DoneCue] = []

  /// - Parameters:
  ///   - saved: those that the timetable no longer names are left out.
  ///   - timetable: that of the settings.
  init(_ saved: [DoneCue], of timetable: [TimetableEntry]) {
    // By how they look: the file's name may be written in another form of Unicode than the settings have it.
    let names = timetable.compactMap { if case .cue(let name) = $0.action { name } else { nil } }
    for found in saved where names.contains(found.cue) {
      for time in found.times { note(found.cue, on: found.date, time) }
    }
  }

  func isDone(_ cue: String, at moment: TimetableMoment) -> Bool {
    guard let found = done.first(where: { $0.cue == cue && $0.date == moment.day }) else { return false }
    let isOlder = found.times.count == Self.mostTimes && found.times.allSatisfy { moment.time < $0 }
    return found.times.contains(moment.time) || isOlder
  }

  mutating func note(_ cue: String, at moment: TimetableMoment) { note(cue, on: moment.day, moment.time) }

  private mutating func note(_ cue: String, on date: CalendarDay, _ time: TimeOfDay) {
    var times = done.first { $0.cue == cue && $0.date == date }?.times ?? []
    times.removeAll { $0 == time }
    times = (times + [time]).sorted().suffix(Self.mostTimes)
    done.removeAll { $0.cue == cue }
    done.append(DoneCue(cue: cue, date: date, times: times))
  }
}
