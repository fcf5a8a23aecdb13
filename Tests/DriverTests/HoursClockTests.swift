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

  private static func isOpen(_ report: HoursReport?) -> Bool? {
    if case .known(let isOpen, _)? = report { isOpen } else { nil }
  }

  @Test("H1: one report at each boundary, and one wake-up")
  func boundaries() {
    var clock = HoursClock(Self.hours, zone: .utc)
    #expect(Self.isOpen(clock.report(at: Self.at(8), isKnown: true)) == false)
    #expect(clock.news(at: Self.at(8, 30), isKnown: true) == nil)
    #expect(clock.next(after: Self.at(8, 30)) == Self.at(9).seconds)
    #expect(Self.isOpen(clock.news(at: Self.at(9), isKnown: true)) == true)
    #expect(clock.news(at: Self.at(9), isKnown: true) == nil && clock.next(after: Self.at(9)) == Self.at(18).seconds)
  }

  @Test("H2: nobody knows the time: looked at once a minute, and known for good once it is")
  func unknown() {
    var clock = HoursClock(Self.hours, zone: .utc)
    #expect(clock.report(at: Self.at(3), isKnown: false) == .unknown)
    #expect(clock.next(after: Self.at(3)) == Self.at(3, 1).seconds)
    #expect(clock.next(after: WallTime(seconds: Self.at(3).seconds + 40)) == Self.at(3, 1).seconds)
    #expect(clock.news(at: Self.at(3, 1), isKnown: false) == nil)
    #expect(clock.next(after: Self.at(3, 1)) == Self.at(3, 2).seconds)
    #expect(Self.isOpen(clock.news(at: Self.at(3, 2), isKnown: true)) == false)
    // The time server is lost for a day.
    #expect(clock.news(at: Self.at(4), isKnown: false) == nil && clock.next(after: Self.at(4)) == Self.at(9).seconds)
  }

  @Test("H1.8: at the minute of opening the hours come before the cue, at that of closing, too")
  func order() {
    let cues = [9, 18].map { Cue(name: "c\($0)", path: "c", time: TimeOfDay(hour: $0, minute: 0)) }
    var schedule = ClockSchedule(Self.hours, cues: cues, zone: .utc)
    #expect(Self.isOpen(schedule.hours(at: Self.at(8), isKnown: true)) == false)
    for (index, hour) in [9, 18].enumerated() {
      #expect(schedule.next(after: Self.at(hour - 1)) == Self.at(hour).seconds)
      let due = schedule.due(at: Self.at(hour), isKnown: true)
      guard due.count == 2, case .hours = due[0], case .scheduled(index, _) = due[1] else {
        Issue.record("found \(due)")
        continue
      }
    }
  }

  @Test("without hours there is nothing to tell")
  func none() {
    var schedule = ClockSchedule(nil, cues: [], zone: .utc)
    #expect(schedule.hours(at: Self.at(8), isKnown: true) == nil && schedule.due(at: Self.at(8), isKnown: true) == [])
    #expect(schedule.next(after: Self.at(8)) == nil)
  }
}
