import Board
import Jukebox

/// What the clock brings of the timetable: each moment once on every date, whatever the clock does, and which of its states
/// counts now. It has no clock of its own; its moments are seconds since 1970 UTC.
package struct TimetableClock {
  /// How late what is done once may be, in seconds: a closing announcement is better left out than made an hour late.
  package static let patience = 60
  /// Beyond this many days, and the last date of the settings, every week is like the one before.
  private static let horizon = 15
  /// The longest time that is looked back and ahead, in days.
  private static let (mostPast, mostFuture) = (400, 3_660)

  /// What was due last of an entry: the date, and its times.
  private struct Done {
    var day: CalendarDay
    var times: Set<TimeOfDay> = []
    /// The moments for which it is not too late yet, even of the day before.
    var recent: [TimetableMoment] = []

    func contains(_ moment: TimetableMoment) -> Bool {
      day == moment.day && times.contains(moment.time) || recent.contains(moment)
    }

    mutating func note(_ moment: TimetableMoment) {
      if day != moment.day { (day, times) = (moment.day, []) }
      times.insert(moment.time)
      recent.removeAll { abs(moment.second - $0.second) > TimetableClock.patience }
      recent.append(moment)
    }
  }

  /// Seconds of the clock in which nothing is due, and what comes after them.
  private struct Rest {
    var seconds: Range<Int>
    var next: Int?
  }

  /// How many dates have their moments kept.
  private static let mostFound = 40
  /// How many seconds at most the result of a search is believed.
  private static let longestRest = 86_400

  private let entries: [TimetableEntry]
  private let hours: WeekCalendar?
  private let zone: LocalZone
  private var done: [Int: Done] = [:]
  /// The same by a clock that nobody had set: it does not count for the day that is known later.
  private var missed: [Int: Done] = [:]
  private var told: TimetableState?
  private var isKnown = false
  /// When it was looked at last, while nobody knew the time.
  private var looked = 0
  /// The moments of dates, by entry.
  private var found: [Int: [Int: [TimetableMoment]]] = [:]
  /// As it was found out last: it is asked for again and again.
  private var rest: Rest?
  /// What `due` was told last.
  private var wasKnown: Bool?

  /// - Parameter hours: those of `every` without a range of its own; nil: always.
  package init(_ entries: [TimetableEntry], hours: WeekCalendar?, zone: LocalZone) {
    (self.entries, self.hours, self.zone) = (entries, hours, zone)
  }

  private var hasStates: Bool { entries.contains { $0.action.isState } }

  /// The second at which something is due next if nobody sets the clock; not after `now` where something is due
  /// already. nil: never.
  package mutating func next(after now: WallTime) -> Int? {
    if let rest, rest.seconds.contains(now.seconds) { return rest.next }
    let next = soonest(after: now)
    let end = min(next ?? .max, now.seconds + Self.longestRest)
    if end > now.seconds { rest = Rest(seconds: now.seconds..<end, next: next) }
    return next
  }

  /// Nothing has become due since it was looked at last.
  package func isAtRest(at now: WallTime, isKnown: Bool) -> Bool {
    isKnown == wasKnown && rest?.seconds.contains(now.seconds) == true
  }

  private mutating func soonest(after now: WallTime) -> Int? {
    var seconds = hasStates && !isKnown ? [looked + HoursClock.look] : []
    for index in entries.indices {
      if !entries[index].action.isState {
        if let due = firstDue(of: index, by: now.seconds) { seconds.append(due.second) }
      } else if isKnown, let next = moment(of: index, behind: now.seconds) {
        seconds.append(next.second)
      }
    }
    return seconds.min()
  }

  // MARK: - States

  /// The state now, which counts as reported; nil without any, and while nobody knows the time.
  /// - Parameter isKnown: the clock shows the time. What was known once since power on stays so.
  package mutating func state(at now: WallTime, isKnown: Bool) -> TimetableState? {
    self.isKnown = self.isKnown || isKnown
    rest = nil
    looked = now.seconds
    guard hasStates, self.isKnown else { return nil }
    var state = TimetableState()
    for index in entries.indices {
      switch entries[index].action {
      case .playlist: state.playlist = later(state.playlist, last(of: index, until: now.seconds))
      case .volume: state.volume = later(state.volume, last(of: index, until: now.seconds))
      case .freePlay: state.freePlay = later(state.freePlay, last(of: index, until: now.seconds))
      case .cue, .start, .stop: break
      }
    }
    told = state
    return state
  }

  /// As `state`; nil where that was told already.
  package mutating func news(at now: WallTime, isKnown: Bool) -> TimetableState? {
    let former = told
    let state = state(at: now, isKnown: isKnown)
    return state == former ? nil : state
  }

  /// If two are at the same second, the one that is later in the settings counts.
  private func later(_ one: TimetableMoment?, _ other: TimetableMoment?) -> TimetableMoment? {
    guard let one, let other else { return one ?? other }
    return one.second > other.second ? one : other
  }

  // MARK: - What is done once

  /// What is due, each once on every date, and of several that are late the last one.
  /// - Parameter isKnown: whether the clock shows the time; otherwise what is due is missed.
  package mutating func due(at now: WallTime, isKnown: Bool) -> [TimetableMoment] {
    (rest, wasKnown) = (nil, isKnown)
    var due: [TimetableMoment] = []
    for index in entries.indices where !entries[index].action.isState {
      if isKnown { missed[index] = nil }
      while let moment = firstDue(of: index, by: now.seconds), moment.second <= now.seconds {
        let new = Done(day: moment.day)
        if isKnown { done[index, default: new].note(moment) } else { missed[index, default: new].note(moment) }
        due.removeAll { entries[$0.entry].action == entries[index].action }
        due.append(moment)
      }
    }
    return due.sorted { ($0.second, $0.entry) < ($1.second, $1.entry) }
  }

  /// The first moment for which it is not too late, and that was not due before.
  private mutating func firstDue(of index: Int, by second: Int) -> TimetableMoment? {
    let past = [done[index], missed[index]].compactMap { $0 }
    return first(of: index, from: second) { moment in
      moment.second + Self.patience >= second && !past.contains { $0.contains(moment) }
    }
  }

  // MARK: - Moments

  /// All moments of an entry that belong to some dates, in days since 1970.
  package mutating func moments(of index: Int, on dates: ClosedRange<Int>) -> [TimetableMoment] {
    var found: [TimetableMoment] = []
    for date in dates { found += moments(of: index, on: date) }
    return found
  }

  /// The next one of an entry; nil: there is none.
  package mutating func moment(of index: Int, behind second: Int) -> TimetableMoment? {
    first(of: index, from: second) { $0.second > second }
  }

  private mutating func first(
    of index: Int, from second: Int, _ isMeant: (TimetableMoment) -> Bool
  ) -> TimetableMoment? {
    let today = zone.date(at: second)
    let lasts = [entries[index].dates.map(\.upperBound).max(), hours?.lastException].compactMap { $0?.number }
    let last = max(today, min(lasts.max() ?? today, today + Self.mostFuture)) + Self.horizon
    // Moments of the day before may come after midnight, which the local clock may show again.
    for date in today - 2...last {
      guard let found = moments(of: index, on: date).first(where: isMeant) else { continue }
      // If the ranges of two dates overlap, the later one's may come first.
      let other = moments(of: index, on: date + 1).first(where: isMeant) ?? found
      return other.second < found.second ? other : found
    }
    return nil
  }

  private mutating func last(of index: Int, until second: Int) -> TimetableMoment? {
    let today = zone.date(at: second)
    let dates = entries[index].dates
    let first = dates.isEmpty ? today - Self.mostPast : dates.map(\.lowerBound.number).min() ?? today
    for date in stride(from: today + 1, through: max(first, today - Self.mostFuture), by: -1) {
      guard let found = moments(of: index, on: date).last(where: { $0.second <= second }) else { continue }
      let other = moments(of: index, on: date - 1).last(where: { $0.second <= second }) ?? found
      return other.second > found.second ? other : found
    }
    return nil
  }

  /// What belongs to a date, the earliest first. The same dates are asked for again and again.
  private mutating func moments(of index: Int, on date: Int) -> [TimetableMoment] {
    if let found = found[date]?[index] { return found }
    let moments = entries[index].times(of: CalendarDay(number: date), hours: hours).map { day, time in
      TimetableMoment(entry: index, day: day, time: time, second: zone.second(of: time, on: day.number))
    }.sorted { $0.second < $1.second }
    if found.count > Self.mostFound { found = [:] }
    found[date, default: [:]][index] = moments
    return moments
  }
}
