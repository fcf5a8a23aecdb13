import AudioSession
import Files
import Jukebox

extension SettingsFile {
  private static let fade = TOMLShape<Duration>.duration(in: .milliseconds(1) ... .seconds(60), orZero: true)

  /// `[hours]`: when the kiosk is open. nil where there is none: always.
  static func hours(_ root: TOMLTable) throws(FileError) -> HoursSettings? {
    guard let table = try root.table("hours") else { return nil }
    let calendar = try weekCalendar(table, beside: ["closing", "closing_fade", "opening"])
    var hours = HoursSettings(calendar)
    hours.closing = try table.optional("closing", .word) ?? hours.closing
    hours.fade = try table.optional("closing_fade", fade) ?? hours.fade
    hours.opening = try table.optional("opening", .word) ?? hours.opening
    return hours
  }

  /// The days of a table, beside which it may have these keys.
  /// - Parameter otherwise: for days of the week that it does not name; nil: it has to name one.
  static func weekCalendar(
    _ table: TOMLTable, beside keys: [String], otherwise: [WeekCalendar.Range]? = nil
  ) throws(FileError) -> WeekCalendar {
    var calendar = WeekCalendar()
    /// The lines on which days were set.
    var lines: [Weekday: Int] = [:]
    var dates: [(exception: WeekCalendar.Exception, line: Int)] = []
    for entry in table.entries where !keys.contains(entry.key) {
      guard let key = CalendarKey(entry.key) else {
        if let misplaced = table.misplaced(entry.key) {
          try table.keep(misplaced)
          continue
        }
        let message = Wording.nearest(to: entry.key, among: keys).map { "unknown key, did you mean \($0)?" }
        try table.keep(table.error(entry.key, message ?? "is no day, expected \(CalendarKey.expected)"))
        continue
      }
      guard let ranges = try table.optional(entry.key, .clockRanges) else { continue }
      let line = table.line(of: entry.key) ?? table.line
      switch key {
      case .days(let days):
        if let day = days.first(where: { lines[$0] != nil }), let former = lines[day] {
          try table.keep(table.error(entry.key, "\(day.word) is on line \(former) already, expected each day once"))
          continue
        }
        for day in days { (lines[day], calendar.days[day]) = (line, ranges.isEmpty ? nil : ranges) }
      case .dates(let first, let last):
        let isSingle = first == last
        // A single date may stand out of a stretch of them.
        let other = dates.first {
          ($0.exception.first == $0.exception.last) == isSingle && $0.exception.meets(first, last)
        }
        if let other {
          let message = "meets line \(other.line), expected each date once"
          try table.keep(table.error(entry.key, message))
          continue
        }
        dates.append((WeekCalendar.Exception(from: first, to: last, ranges), line))
      }
    }
    if let otherwise, !otherwise.isEmpty {
      for day in Weekday.allCases where lines[day] == nil { calendar.days[day] = otherwise }
    }
    if otherwise == nil && table.entries.allSatisfy({ keys.contains($0.key) }) {
      try table.keep(table.error("names no day, expected one such as mon-fri = [\"09:00-18:00\"]"))
    }
    calendar.exceptions = dates.map(\.exception)
    return calendar
  }
}

extension WeekCalendar.Exception {
  fileprivate func meets(_ first: CalendarDay, _ last: CalendarDay) -> Bool { first <= self.last && self.first <= last }
}

/// The days that a key of a calendar names.
enum CalendarKey: Hashable {
  case days([Weekday])
  case dates(CalendarDay, CalendarDay)

  static let expected =
    "a day such as mon, days such as mon-fri or \"sat, sun\", daily, a date such as 2026-12-24, or dates such as "
    + "\"2026-12-24..2027-01-06\""

  init?(_ text: String) {
    if text == "daily" {
      self = .days(Weekday.allCases)
    } else if let day = CalendarDay(text) {
      self = .dates(day, day)
    } else if let dates = Self.dates(text) {
      self = dates
    } else {
      var days: [Weekday] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let found = Self.days(String(part.trimmed)), !found.contains(where: days.contains) else { return nil }
        days += found
      }
      self = .days(days)
    }
  }

  private static func dates(_ text: String) -> CalendarKey? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0.trimmed) }
    guard parts.count == 3, parts[1].isEmpty, let first = CalendarDay(parts[0]), let last = CalendarDay(parts[2]),
      first < last
    else { return nil }
    return .dates(first, last)
  }

  /// One day, or those from one to another, also around the end of the week.
  private static func days(_ text: String) -> [Weekday]? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { word in
      Weekday.allCases.first { $0.word == word.trimmed }
    }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
    let count = (last.rawValue - first.rawValue + 7) % 7 + 1
    return (0..<count).compactMap { Weekday(rawValue: (first.rawValue + $0) % 7) }
  }
}

extension Substring {
  /// Without the blanks at its ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " }
    return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
  }
}

extension TOMLShape where Value == [WeekCalendar.Range] {
  /// Stretches of one day, the earlier first, of which the last may end on the next one.
  static var clockRanges: Self {
    Self(expected: "an array of times such as [\"09:00-12:30\", \"14:00-18:00\"], one after the other") { value in
      let reading = TOMLShape.elements(of: value, .clockRange)
      guard case .good(let ranges) = reading else { return reading }
      for (former, next) in zip(ranges, ranges.dropFirst()) where former.endsNextDay || next.start <= former.end {
        return .bad("\(next.text) is not behind \(former.text)", line: value.line)
      }
      return .good(ranges)
    }
  }
}

extension TOMLShape where Value == WeekCalendar.Range {
  private static var expectedTimes: String { "times such as \"09:00-18:00\", \"22:00-02:00\" or \"00:00-24:00\"" }

  static var clockRange: Self {
    Self(expected: expectedTimes) { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { String($0.trimmed) }
      guard parts.count == 2, let start = TimeOfDay(parts[0]),
        let end = parts[1] == "24:00" ? .midnight : TimeOfDay(parts[1])
      else { return .bad("\(value.found) is no such stretch", line: value.line) }
      if parts[0] == parts[1] || parts[1] == "00:00" {
        return .bad("\(value.found) has no length or no end, which is 24:00 at the latest", line: value.line)
      }
      return .good(WeekCalendar.Range(from: start, to: end))
    }
  }
}
