import AudioSession
import Files
import Jukebox

extension SettingsFile {
  private static let interval = TOMLShape<Duration>.duration(in: .seconds(60) ... .seconds(86_400))
  private static let whenKeys = ["at", "every", "within", "days", "dates"]
  private static let doneKeys = ["cue", "playlist", "volume", "free_play", "start", "stop"]

  /// `[[timetable]]`: what is done at times of the day; the cues and `[credits]` must have been read.
  static func readTimetable(_ root: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    for table in try root.tables(of: "timetable") {
      try table.attempt { () throws(FileError) in
        try table.allowOnly(whenKeys + doneKeys)
        let actions = try actions(table)
        if table.has("free_play"), kiosk.settings.requests?.credits == nil {
          try table.keep(table.error("free_play", "stands without credits, expected `[credits]` in this file"))
        }
        try add(actions, table.attempt { () throws(FileError) in try times(table) } ?? nil, table, to: &kiosk)
      }
    }
  }

  /// The times of a cue.
  static func readTimes(of cue: CueSettings, _ table: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    let times = try table.optional("at", .timesOfDay)
    if let key = ["days", "dates"].first(where: table.has), !table.has("at") {
      try table.keep(table.error(key, "stands without `at`, expected the time of these days, too"))
    }
    try add([.cue(cue.name)], times.map { .at($0) }, table, to: &kiosk)
  }

  /// - Parameter times: nil: there are none, or they are wrong.
  private static func add(
    _ actions: [TimetableEntry.Action], _ times: TimetableEntry.Times?, _ table: TOMLTable,
    to kiosk: inout KioskSettings
  ) throws(FileError) {
    let days = try table.optional("days", .weekdays) ?? Set(Weekday.allCases)
    let dates = try table.optional("dates", .dates) ?? []
    let isOnAny = dates.contains { stretch in
      let (first, last) = (stretch.lowerBound.number, stretch.upperBound.number)
      // Seven days have all days of the week.
      return (first...min(last, first + 6)).contains { days.contains(CalendarDay(number: $0).weekday) }
    }
    if !dates.isEmpty && !isOnAny {
      table.warn(table.error("dates", "has none of these `days`, so that this is never done"))
    }
    guard let times else { return }
    for action in actions {
      kiosk.settings.timetable.append(TimetableEntry(action, times, days: days, dates: dates))
      let entry = table.entries.first { $0.key == action.field.key }
      kiosk.timetableLines.append(entry?.value.line ?? table.line)
    }
  }

  /// In the order in which they are done.
  private static func actions(_ table: TOMLTable) throws(FileError) -> [TimetableEntry.Action] {
    var actions: [TimetableEntry.Action] = []
    if let name = try table.optional("playlist", .text) { actions.append(.playlist(name)) }
    if let volume = try table.optional("volume", .integer(in: 0...100)) { actions.append(.volume(volume)) }
    if let isFree = try table.optional("free_play", .boolean) { actions.append(.freePlay(isFree)) }
    if try table.optional("stop", .onlyTrue) != nil { actions.append(.stop) }
    if try table.optional("start", .onlyTrue) != nil { actions.append(.start) }
    if let name = try table.optional("cue", .text) { actions.append(.cue(name)) }
    if table.has("start") && table.has("stop") {
      try table.keep(table.error("stop", "stands beside start, expected one of them"))
    }
    if !doneKeys.contains(where: table.has) {
      try table.keep(table.error("does nothing, expected one of \(Wording.list(doneKeys))"))
    }
    return actions
  }

  /// nil where they are wrong by themselves.
  private static func times(_ table: TOMLTable) throws(FileError) -> TimetableEntry.Times? {
    let at = try table.optional("at", .timesOfDay)
    let every = try table.optional("every", interval)
    let within = try table.optional("within", .within)
    if table.has("at") == table.has("every") {
      let what = table.has("at") ? "has both at and every" : "has no time"
      throw table.error("\(what), expected at = \"12:00\" or every = \"30min\"")
    }
    if table.has("within") && !table.has("every") {
      throw table.error("within", "stands without every, expected it beside that")
    }
    if let at { return .at(at) }
    guard let every else { return nil }
    let seconds = every.components.seconds
    guard seconds % 60 == 0, every.components.attoseconds == 0 else {
      throw table.error("every", "is no whole number of minutes, expected one such as \"30min\"")
    }
    return .every(minutes: Int(seconds / 60), within: within)
  }
}

extension TOMLShape where Value == Bool {
  /// What an entry does or does not do.
  fileprivate static var onlyTrue: Self {
    Self(expected: "true, or no such line") { value in
      if case .boolean(let truth) = value.kind, truth { .good(true) } else { .wrongType }
    }
  }
}

extension TOMLShape where Value == [TimeOfDay] {
  /// Times of the day, the earliest first.
  package static var timesOfDay: Self {
    let times = list(
      of: .timeOfDay, expected: "a time such as \"17:45\", or [\"12:00\", \"15:00\"]", empty: "names nothing")
    return Self(expected: times.expected) { times.read($0).map { Set($0).sorted() } }
  }
}

extension TOMLShape where Value == [WeekCalendar.Range] {
  /// As `clockRangeOrRanges`, and not none.
  fileprivate static var within: Self {
    Self(expected: "times such as \"09:00-18:00\"") { value in
      if case .array(let found) = value.kind, found.isEmpty { return .bad("names nothing", line: value.line) }
      return clockRangeOrRanges.read(value)
    }
  }
}

extension TOMLShape where Value == Set<Weekday> {
  /// Days of the week.
  fileprivate static var weekdays: Self {
    let day = TOMLShape<[Weekday]>(expected: "a day") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      guard case .days(let days)? = CalendarKey(text) else {
        return .bad("\(value.found) is no day", line: value.line)
      }
      return .good(days)
    }
    let days = TOMLShape<[[Weekday]]>.list(
      of: day, expected: "days such as \"mon\", \"mon-fri\", \"sat, sun\" or \"daily\"", empty: "names nothing")
    return Self(expected: days.expected) { days.read($0).map { Set($0.joined()) } }
  }
}

extension TOMLShape where Value == [ClosedRange<CalendarDay>] {
  /// Dates, and stretches of them.
  fileprivate static var dates: Self {
    let date = TOMLShape<ClosedRange<CalendarDay>>(expected: "a date") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      guard case .dates(let first, let last)? = CalendarKey(text) else {
        return .bad("\(value.found) is no date", line: value.line)
      }
      return .good(first...last)
    }
    return list(
      of: date, expected: "dates such as \"2026-12-24\" or \"2026-12-24..2027-01-06\", or an array of them",
      empty: "names nothing")
  }
}
