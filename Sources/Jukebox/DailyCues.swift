import AudioSession

/// A cue whose time of day needs nothing more on this date: it was spoken to its end there, or could not be spoken.
public struct DoneCue: Hashable, Sendable {
  public var cue: String
  public var time: TimeOfDay
  public var date: CalendarDay

  public init(cue: String, time: TimeOfDay, date: CalendarDay) {
    self.cue = cue
    self.time = time
    self.date = date
  }
}

/// The latest date on which each cue with a time of day was done. It is saved, as a restart within the minute in which a
/// cue may be late would otherwise have it spoken once more (N6).
struct DailyCues: Hashable, Sendable {
  /// At most one for each cue of the settings.
  private(set) var done: [DoneCue] = []

  /// - Parameters:
  ///   - saved: those that the settings do not name any more, or name with another time, are left out.
  ///   - cues: those of the settings.
  init(_ saved: [DoneCue], of cues: [Cue]) {
    for found in saved {
      if let cue = cues.first(where: { $0.name == found.cue && $0.time == found.time }) { note(cue, on: found.date) }
    }
  }

  func isDone(_ cue: Cue, on date: CalendarDay) -> Bool {
    done.contains { $0.cue == cue.name && $0.time == cue.time && $0.date == date }
  }

  mutating func note(_ cue: Cue, on date: CalendarDay) {
    guard let time = cue.time else { return }
    done.removeAll { $0.cue == cue.name }
    done.append(DoneCue(cue: cue.name, time: time, date: date))
  }
}
