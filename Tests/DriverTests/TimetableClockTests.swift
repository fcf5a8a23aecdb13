import Board
import Jukebox
import Testing

@testable import Driver

/// When what the timetable does once is due: daily cues.
@Suite struct TimetableClockTests {
  /// Central Europe in 2026: an hour ahead of UTC, two from 29 March 01:00 UTC to 25 October 01:00 UTC.
  private static let europe = LocalZone { (1_774_746_000..<1_792_890_000).contains($0) ? 7_200 : 3_600 }
  private static let day = 86_400
  /// 2026-01-01 00:00:00 UTC.
  private static let newYear = 1_767_225_600

  /// A schedule that can be asked within an expectation.
  private final class Plan {
    private var clock: TimetableClock

    init(_ clock: TimetableClock) { self.clock = clock }

    func due(at now: WallTime) -> [Int] { clock.due(at: now, isKnown: true).map(\.entry) }
    func days(at now: WallTime) -> [CalendarDay] { clock.due(at: now, isKnown: true).map(\.day) }
    func next(after now: WallTime) -> Int? { clock.next(after: now) }
  }

  private static func schedule(_ times: TimeOfDay..., zone: LocalZone = .utc) -> Plan {
    let entries = times.enumerated().map { TimetableEntry(.cue("c\($0.offset)"), .at([$0.element])) }
    return Plan(TimetableClock(entries, hours: nil, zone: zone))
  }

  private static func wall(_ second: Int) -> WallTime { WallTime(seconds: second) }

  /// Seconds into 2026, UTC.
  private static func at(_ hour: Int, _ minute: Int, _ second: Int = 0, day: Int = 0) -> WallTime {
    wall(newYear + day * Self.day + hour * 3_600 + minute * 60 + second)
  }

  @Test("a cue is due at its time on every day, once")
  func daily() {
    let schedule = Self.schedule(TimeOfDay(hour: 17, minute: 45))
    for day in 0..<400 {
      #expect(schedule.due(at: Self.at(17, 44, 59, day: day)) == [])
      #expect(schedule.next(after: Self.at(17, 44, 59, day: day)) == Self.at(17, 45, day: day).seconds)
      #expect(schedule.due(at: Self.at(17, 45, day: day)) == [0])
      #expect(schedule.due(at: Self.at(17, 45, day: day)) == [])
      #expect(schedule.next(after: Self.at(17, 45, day: day)) == Self.at(17, 45, day: day + 1).seconds)
    }
  }

  @Test("several are due each in its time, and together where the times are the same")
  func several() {
    let schedule = Self.schedule(
      TimeOfDay(hour: 9, minute: 0), TimeOfDay(hour: 8, minute: 0), TimeOfDay(hour: 9, minute: 0))
    #expect(schedule.next(after: Self.at(7, 0)) == Self.at(8, 0).seconds)
    #expect(schedule.due(at: Self.at(8, 0)) == [1])
    #expect(schedule.next(after: Self.at(8, 0)) == Self.at(9, 0).seconds)
    #expect(schedule.due(at: Self.at(9, 0)) == [0, 2])
    #expect(schedule.next(after: Self.at(9, 0)) == Self.at(8, 0, day: 1).seconds)
  }

  @Test("without a time nothing is ever due")
  func never() {
    let schedule = Self.schedule()
    #expect(schedule.next(after: Self.at(0, 0)) == nil)
    #expect(schedule.due(at: Self.at(0, 0)) == [])
  }

  @Test("a clock that jumped past a time by a minute at most is late; by more, the time is left out")
  func jumpAhead() {
    let late = Self.schedule(TimeOfDay(hour: 12, minute: 0))
    #expect(late.due(at: Self.at(11, 0)) == [])
    #expect(late.next(after: Self.at(12, 1)) == Self.at(12, 0).seconds)
    #expect(late.due(at: Self.at(12, 1)) == [0])
    let tooLate = Self.schedule(TimeOfDay(hour: 12, minute: 0))
    #expect(tooLate.due(at: Self.at(12, 1, 1)) == [])
    #expect(tooLate.next(after: Self.at(12, 1, 1)) == Self.at(12, 0, day: 1).seconds)
    #expect(tooLate.due(at: Self.at(12, 0, day: 1)) == [0])
  }

  @Test("a minute reaches over midnight")
  func midnight() {
    let schedule = Self.schedule(TimeOfDay(hour: 23, minute: 59))
    let (first, second) = (CalendarDay(year: 2026, month: 1, day: 1), CalendarDay(year: 2026, month: 1, day: 2))
    // It is that of the day before.
    #expect(schedule.days(at: Self.at(0, 0, 0, day: 1)) == [first])
    #expect(schedule.due(at: Self.at(0, 0, 1, day: 1)) == [])
    #expect(schedule.days(at: Self.at(23, 59, day: 1)) == [second])
  }

  @Test("a clock that is set back on the same day repeats nothing; set back by days, it follows those days")
  func setBack() {
    let schedule = Self.schedule(TimeOfDay(hour: 12, minute: 0))
    #expect(schedule.due(at: Self.at(12, 0, day: 5)) == [0])
    #expect(schedule.due(at: Self.at(11, 59, day: 5)) == [])
    #expect(schedule.next(after: Self.at(11, 59, day: 5)) == Self.at(12, 0, day: 6).seconds)
    #expect(schedule.due(at: Self.at(12, 0, day: 5)) == [])
    #expect(schedule.next(after: Self.at(13, 0, day: 4)) == Self.at(12, 0, day: 6).seconds)
    #expect(schedule.next(after: Self.at(11, 0, day: 3)) == Self.at(12, 0, day: 3).seconds)
    #expect(schedule.due(at: Self.at(12, 0, day: 3)) == [0])
  }

  @Test("a time that the clock leaves out in spring comes at the first moment after the gap")
  func spring() {
    let gap = 1_774_746_000
    let schedule = Self.schedule(TimeOfDay(hour: 2, minute: 30), zone: Self.europe)
    // Half past two of the day before, an hour ahead of UTC.
    #expect(schedule.due(at: Self.wall(gap - 86_400 + 1_800)) == [0])
    #expect(schedule.next(after: Self.wall(gap - 3_600)) == gap)
    #expect(schedule.due(at: Self.wall(gap - 1)) == [])
    #expect(schedule.due(at: Self.wall(gap)) == [0])
    #expect(schedule.due(at: Self.wall(gap + 1_800)) == [])
    #expect(schedule.next(after: Self.wall(gap)) == gap + 86_400 - 1_800)
  }

  @Test("a time that the clock shows twice in autumn comes once, the first time")
  func autumn() {
    let back = 1_792_890_000
    let schedule = Self.schedule(TimeOfDay(hour: 2, minute: 30), zone: Self.europe)
    #expect(schedule.next(after: Self.wall(back - 7_200)) == back - 1_800)
    #expect(schedule.due(at: Self.wall(back - 1_800)) == [0])
    #expect(schedule.due(at: Self.wall(back + 1_800)) == [])
    #expect(schedule.next(after: Self.wall(back)) == back + 86_400 + 1_800)
    // One that was not running at the first is too late at the second.
    let started = Self.schedule(TimeOfDay(hour: 2, minute: 30), zone: Self.europe)
    #expect(started.due(at: Self.wall(back + 1_800)) == [])
  }

  @Test("the times around a change of the clock are those that it shows")
  func aroundChanges() {
    let europe = Self.europe
    for (change, hours) in [(1_774_746_000, 4...23), (1_792_890_000, 4...23)] {
      let date = europe.date(at: change)
      for hour in hours {
        let second = europe.second(of: TimeOfDay(hour: hour, minute: 7), on: date)
        let shown = WallTime(seconds: second, offset: europe.offset(second))
        #expect([shown.hour, shown.minute, shown.second] == [hour, 7, 0])
        #expect(europe.date(at: second) == date)
      }
    }
  }

  @Test("a clock that has not been set yet stands before 1970 west of Greenwich")
  func beforeTheEpoch() {
    let west = LocalZone { _ in -5 * 3_600 }
    #expect(west.date(at: 0) == -1)
    #expect(west.date(at: 5 * 3_600) == 0)
    let eve = CalendarDay(year: 1969, month: 12, day: 31)
    #expect(west.second(of: TimeOfDay(hour: 19, minute: 0), on: -1) == 0)
    let schedule = Self.schedule(TimeOfDay(hour: 19, minute: 0), zone: west)
    #expect(schedule.days(at: Self.wall(0)) == [eve])
  }

  @Test("N5: what is due by a clock that nobody has set is missed once, and is due again once the clock is right")
  func unknownClock() {
    let entry = TimetableEntry(.cue("c"), .at([TimeOfDay(hour: 12, minute: 0)]))
    var schedule = TimetableClock([entry], hours: nil, zone: .utc)
    #expect(schedule.due(at: Self.at(12, 0), isKnown: false).map(\.entry) == [0])
    #expect(schedule.due(at: Self.at(12, 0, 1), isKnown: false) == [])
    #expect(schedule.next(after: Self.at(12, 0, 1)) == Self.at(12, 0, day: 1).seconds)
    // The clock was ahead, and is set back over the time of the cue.
    #expect(schedule.due(at: Self.at(11, 59), isKnown: true) == [])
    #expect(schedule.due(at: Self.at(12, 0), isKnown: true).map(\.entry) == [0])
    #expect(schedule.due(at: Self.at(12, 0, 1), isKnown: true) == [])
  }

  @Test("the machine's zone is what its clock shows")
  func system() {
    let now = SystemWallClock().now
    #expect(WallTime(seconds: now.seconds, offset: LocalZone.system.offset(now.seconds)) == now)
  }
}
