import Board
import Jukebox
import Testing

@testable import Driver

/// What the brain is told of the opening hours, and when.
@Suite struct HoursClockTests {
  private static let hours = HoursSettings(
    WeekCalendar(
      days: Dictionary(
        uniqueKeysWithValues: Weekday.allCases.map { day in
          (day, [WeekCalendar.Range(from: TimeOfDay(hour: 9, minute: 0), to: TimeOfDay(hour: 18, minute: 0))])
        })))

  private static func at(_ hour: Int, _ minute: Int = 0, day: Int = 20_000) -> WallTime {
    WallTime(seconds: day * 86_400 + hour * 3_600 + minute * 60)
  }

  @Test("H1: one report at each boundary, and one wake-up")
  func boundaries() {
    var clock = HoursClock(Self.hours.calendar, zone: .utc)
    #expect(clock.report(at: Self.at(8), isKnown: true)?.isWithin == false)
    #expect(clock.news(at: Self.at(8, 30), isKnown: true) == nil)
    #expect(clock.next(after: Self.at(8, 30)) == Self.at(9).seconds)
    #expect(clock.news(at: Self.at(9), isKnown: true)?.isWithin == true)
    #expect(clock.news(at: Self.at(9), isKnown: true) == nil && clock.next(after: Self.at(9)) == Self.at(18).seconds)
  }

  @Test("H2: nobody knows the time: looked at once a minute, and known for good once it is")
  func unknown() {
    var clock = HoursClock(Self.hours.calendar, zone: .utc)
    #expect(clock.report(at: Self.at(3), isKnown: false) == .unknown)
    #expect(clock.next(after: Self.at(3)) == Self.at(3, 1).seconds)
    #expect(clock.next(after: WallTime(seconds: Self.at(3).seconds + 40)) == Self.at(3, 1).seconds)
    #expect(clock.news(at: Self.at(3, 1), isKnown: false) == nil)
    #expect(clock.next(after: Self.at(3, 1)) == Self.at(3, 2).seconds)
    #expect(clock.news(at: Self.at(3, 2), isKnown: true)?.isWithin == false)
    // The time server is lost for a day.
    #expect(clock.news(at: Self.at(4), isKnown: false) == nil && clock.next(after: Self.at(4)) == Self.at(9).seconds)
  }

  @Test("H4, H4.5: it gets quiet before it opens at the same minute; unknown is said once")
  func quiet() {
    let night = [WeekCalendar.Range(from: TimeOfDay(hour: 9, minute: 0), to: TimeOfDay(hour: 10, minute: 0))]
    let days = Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, night) })
    var settings = Settings()
    settings.hours = Self.hours
    settings.quiet = QuietSettings(WeekCalendar(days: days), ceiling: 40)
    var schedule = ClockSchedule(settings, zone: .utc)
    let eight = schedule.begin(at: Self.at(8), isKnown: true)
    #expect(eight.hours?.isWithin == false)
    guard case .known(false, let until)? = eight.quiet else {
      Issue.record("it is quiet at eight")
      return
    }
    #expect(until?.text == "2024-10-04 09:00" && schedule.next(after: Self.at(8)) == Self.at(9).seconds)
    let due = schedule.due(at: Self.at(9), isKnown: true)
    guard due.count == 2, case .quiet(.known(true, _)) = due[0], case .hours = due[1] else {
      Issue.record("found \(due)")
      return
    }
    #expect(
      schedule.due(at: Self.at(9), isKnown: true) == [] && schedule.next(after: Self.at(9)) == Self.at(10).seconds)
    settings.hours = nil
    var unknown = ClockSchedule(settings, zone: .utc)
    let nine = unknown.begin(at: Self.at(9), isKnown: false)
    #expect(nine.quiet == .unknown && nine.hours == nil)
    #expect(unknown.due(at: Self.at(9), isKnown: false) == [])
  }

  @Test("H1.8: at the minute of opening the hours come before the cue, at that of closing, too")
  func order() {
    var settings = Settings()
    settings.hours = Self.hours
    settings.timetable = [9, 18].map { TimetableEntry(.cue("c\($0)"), .at([TimeOfDay(hour: $0, minute: 0)])) }
    var schedule = ClockSchedule(settings, zone: .utc)
    #expect(schedule.begin(at: Self.at(8), isKnown: true).hours?.isWithin == false)
    for (index, hour) in [9, 18].enumerated() {
      #expect(schedule.next(after: Self.at(hour - 1)) == Self.at(hour).seconds)
      let due = schedule.due(at: Self.at(hour), isKnown: true)
      guard due.count == 2, case .hours = due[0], case .scheduled(let moment) = due[1], moment.entry == index
      else {
        Issue.record("found \(due)")
        continue
      }
    }
  }

  @Test("H3: playlist and volume come before an opening and behind a closing")
  func states() {
    var settings = Settings()
    settings.hours = Self.hours
    let times = [9, 18].map { TimeOfDay(hour: $0, minute: 0) }
    settings.timetable = [TimetableEntry(.start, .at(times)), TimetableEntry(.volume(30), .at(times))]
    var schedule = ClockSchedule(settings, zone: .utc)
    _ = schedule.begin(at: Self.at(8), isKnown: true)
    let kinds = [9, 18].map { hour in
      schedule.due(at: Self.at(hour), isKnown: true).map { input in
        switch input {
        case .hours: "hours"
        case .timetable: "volume"
        case .scheduled: "start"
        case _: "another"
        }
      }
    }
    #expect(kinds == [["volume", "hours", "start"], ["hours", "volume", "start"]])
  }

  @Test("without hours there is nothing to tell")
  func none() {
    var schedule = ClockSchedule(Settings(), zone: .utc)
    #expect(
      schedule.begin(at: Self.at(8), isKnown: true).hours == nil && schedule.due(at: Self.at(8), isKnown: true) == [])
    #expect(schedule.next(after: Self.at(8)) == nil)
  }
}
