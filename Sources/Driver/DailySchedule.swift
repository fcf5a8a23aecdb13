import Board
import Jukebox

/// When cues are to be spoken by the local clock: once on every date, whatever the clock does. It has no clock of its
/// own; its moments are seconds since 1970 UTC.
package struct DailySchedule {
  /// How late a cue may be, in seconds: a closing announcement is better left out than made an hour late.
  package static let patience = 60

  /// A cue whose time has come.
  package struct Due: Hashable {
    package var cue: Int
    /// The local date of that time, which may be yesterday's just after midnight.
    package var date: CalendarDay

    /// What the brain is to be told. `isKnown`: as of `due`.
    package func input(isKnown: Bool) -> Input { isKnown ? .scheduled(cue: cue, on: date) : .missed(cue: cue) }
  }

  private struct Entry {
    var cue: Int
    var time: TimeOfDay
    /// The local date on which it was last due.
    var lastDate: Int?
    /// The same by a clock that nobody had set: it says nothing of the day that is known later.
    var missedDate: Int?
  }

  private var entries: [Entry] = []
  private let zone: LocalZone

  /// - Parameter cues: those without a time are never due.
  package init(cues: [Cue], zone: LocalZone) {
    self.zone = zone
    for (index, cue) in cues.enumerated() {
      if let time = cue.time { entries.append(Entry(cue: index, time: time)) }
    }
  }

  /// The second at which something is due next if nobody sets the clock; not after `now` where something is due
  /// already. nil: never.
  package func next(after now: WallTime) -> Int? {
    entries.compactMap { upcoming($0, at: now)?.second }.min()
  }

  /// Returns the cues that are due, each once on every date.
  /// - Parameter isKnown: whether the clock shows the time; otherwise what is due is missed.
  package mutating func due(at now: WallTime, isKnown: Bool = true) -> [Due] {
    var due: [Due] = []
    for index in entries.indices {
      if isKnown { entries[index].missedDate = nil }
      guard let next = upcoming(entries[index], at: now), next.second <= now.seconds else { continue }
      if isKnown { entries[index].lastDate = next.date } else { entries[index].missedDate = next.date }
      due.append(Due(cue: entries[index].cue, date: Self.day(next.date)))
    }
    return due
  }

  /// The day of the calendar, from days since 1970-01-01.
  private static func day(_ date: Int) -> CalendarDay {
    CalendarDay(WallTime(seconds: date * 86_400 + 43_200))
  }

  /// The first date on which it is not too late for the entry, and the second of it.
  private func upcoming(_ entry: Entry, at now: WallTime) -> (date: Int, second: Int)? {
    let today = zone.date(at: now.seconds)
    // Yesterday's may be due just after midnight; today's and tomorrow's may be done where the clock was set back.
    for date in today - 1...today + 2 where date != entry.lastDate && date != entry.missedDate {
      let second = zone.second(of: entry.time, on: date)
      if second + Self.patience >= now.seconds { return (date, second) }
    }
    return nil
  }
}
