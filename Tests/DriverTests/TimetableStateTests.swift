import Board
import Jukebox
import Testing

@testable import Driver

/// Which playlist and volume of the timetable count now, and what `every` means.
@Suite struct TimetableStateTests {
  /// Central Europe in 2026: an hour ahead of UTC, two from 29 March 01:00 UTC to 25 October 01:00 UTC.
  private static let europe = LocalZone { (1_774_746_000..<1_792_890_000).contains($0) ? 7_200 : 3_600 }

  private static func time(_ hour: Int, _ minute: Int = 0) -> TimeOfDay { TimeOfDay(hour: hour, minute: minute) }

  /// By UTC; 2026-11-27 is a Friday.
  private static func at(_ day: Int, _ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> WallTime {
    let date = CalendarDay(year: 2026, month: 11, day: 1).number + day - 1
    return WallTime(seconds: date * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static let entries = [
    TimetableEntry(.playlist("week"), .at([time(0)]), days: [.monday, .tuesday, .wednesday, .thursday, .friday]),
    TimetableEntry(.playlist("weekend"), .at([time(0)]), days: [.saturday, .sunday]),
    TimetableEntry(.volume(60), .at([time(9)])), TimetableEntry(.volume(40), .at([time(17)])),
    TimetableEntry(
      .playlist("holiday"), .at([time(0)]),
      dates: [CalendarDay(year: 2026, month: 11, day: 30)...CalendarDay(year: 2026, month: 11, day: 30)]),
  ]

  @Test("H3.7: the last moment of each kind counts, with one wake-up at each")
  func states() {
    var clock = TimetableClock(Self.entries, hours: nil, zone: .utc)
    let friday = clock.state(at: Self.at(27, 18), isKnown: true)
    #expect(friday?.playlist?.entry == 0 && friday?.volume?.entry == 3)
    #expect(friday?.volume?.text == "2026-11-27 17:00")
    #expect(clock.next(after: Self.at(27, 18)) == Self.at(28, 0).seconds)
    #expect(clock.news(at: Self.at(27, 23, 59, 59), isKnown: true) == nil)
    let saturday = clock.news(at: Self.at(28, 0), isKnown: true)
    #expect(saturday?.playlist?.entry == 1 && saturday?.volume?.entry == 3)
    #expect(clock.next(after: Self.at(28, 0)) == Self.at(28, 9).seconds)
    // If two are at the same second, the later one in the file counts.
    #expect(clock.news(at: Self.at(30, 0), isKnown: true)?.playlist?.entry == 4)
    #expect(clock.news(at: Self.at(31, 0), isKnown: true)?.playlist?.entry == 0)
    // Set back.
    #expect(clock.news(at: Self.at(29, 3), isKnown: true)?.playlist?.text == "2026-11-29 00:00")
    #expect(clock.due(at: Self.at(30, 0), isKnown: true) == [])
  }

  @Test("H3, J4.3: free play is a kind of its own, and the last time of it counts")
  func freePlay() {
    let entries = [
      TimetableEntry(.freePlay(true), .at([Self.time(17)])), TimetableEntry(.freePlay(false), .at([Self.time(21)])),
      TimetableEntry(.volume(10), .at([Self.time(22)])),
    ]
    var clock = TimetableClock(entries, hours: nil, zone: .utc)
    #expect(clock.state(at: Self.at(27, 18), isKnown: true)?.freePlay?.text == "2026-11-27 17:00")
    #expect(clock.next(after: Self.at(27, 18)) == Self.at(27, 21).seconds)
    let late = clock.news(at: Self.at(27, 23), isKnown: true)
    #expect(late?.freePlay?.entry == 1 && late?.volume?.entry == 2)
    #expect(clock.due(at: Self.at(28, 17), isKnown: true) == [])
  }

  @Test("H3.7: a date of weeks ago counts until there is another one; before all there is nothing")
  func longAgo() {
    let date = CalendarDay(year: 2026, month: 3, day: 1)
    let entries = [TimetableEntry(.volume(10), .at([Self.time(12)]), dates: [date...date])]
    var clock = TimetableClock(entries, hours: nil, zone: .utc)
    #expect(clock.state(at: Self.at(27, 0), isKnown: true)?.volume?.day == date)
    #expect(clock.next(after: Self.at(27, 0)) == nil)
    let early = WallTime(seconds: date.number * 86_400)
    #expect(clock.state(at: early, isKnown: true) == TimetableState())
    #expect(clock.next(after: early) == date.number * 86_400 + 43_200)
  }

  @Test("H3.1: where the opening hours of two dates overlap, the times of both come in their order")
  func overlap() {
    let night = WeekCalendar.Range(from: Self.time(22), to: Self.time(3))
    let day = WeekCalendar.Range(from: Self.time(0), to: Self.time(22))
    let eve = CalendarDay(year: 2026, month: 11, day: 28)
    let hours = WeekCalendar(
      days: Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [night]) }),
      exceptions: [WeekCalendar.Exception(from: eve, to: eve, [day])])
    var found: [[Int]] = []
    for action in [TimetableEntry.Action.start, .volume(10)] {
      var clock = TimetableClock([TimetableEntry(action, .every(minutes: 45, within: nil))], hours: hours, zone: .utc)
      _ = clock.due(at: Self.at(27, 21, 58), isKnown: true)
      _ = clock.state(at: Self.at(27, 21, 58), isKnown: true)
      var now = Self.at(27, 21, 58)
      found.append([])
      while let next = clock.next(after: now), next < Self.at(28, 3, 10).seconds, next > now.seconds {
        now = WallTime(seconds: next)
        let due = clock.due(at: now, isKnown: true).map(\.second)
        let state = clock.news(at: now, isKnown: true)?.volume.map { [$0.second] }
        found[found.count - 1] += due + (state ?? [])
      }
    }
    // From 22:00 on, and beside that from midnight on.
    let first = stride(from: Self.at(27, 22).seconds, to: Self.at(28, 3).seconds, by: 2_700)
    let second = stride(from: Self.at(28, 0).seconds, to: Self.at(28, 3, 10).seconds, by: 2_700)
    let expected = (Array(first) + second).sorted()
    #expect(found == [expected, expected])
  }

  @Test("H3.9: nobody knows the time: looked at once a minute where there are states, and known for good once it is")
  func unknown() {
    var clock = TimetableClock(Self.entries, hours: nil, zone: .utc)
    #expect(clock.state(at: Self.at(27, 18), isKnown: false) == nil)
    #expect(clock.next(after: Self.at(27, 18)) == Self.at(27, 18, 1).seconds)
    #expect(clock.news(at: Self.at(27, 18, 1), isKnown: false) == nil)
    #expect(clock.news(at: Self.at(27, 18, 2), isKnown: true)?.volume?.entry == 3)
    #expect(clock.news(at: Self.at(27, 18, 3), isKnown: false) == nil)
    #expect(clock.next(after: Self.at(27, 18, 3)) == Self.at(28, 0).seconds)
    var once = TimetableClock([TimetableEntry(.start, .at([Self.time(20)]))], hours: nil, zone: .utc)
    #expect(once.state(at: Self.at(27, 18), isKnown: false) == nil)
    #expect(once.next(after: Self.at(27, 18)) == Self.at(27, 20).seconds)
  }

  /// The times at which an entry is due on some days, by going from one to the next.
  private func times(
    _ entry: TimetableEntry, hours: WeekCalendar? = nil, zone: LocalZone = .utc, from start: Int, until end: Int
  ) -> [String] {
    var clock = TimetableClock([entry], hours: hours, zone: zone)
    var (now, found): (Int, [String]) = (start, [])
    _ = clock.due(at: WallTime(seconds: now - 1), isKnown: true)
    while let next = clock.next(after: WallTime(seconds: now)), next < end {
      now = next
      for moment in clock.due(at: WallTime(seconds: now), isKnown: true) { found.append(moment.text) }
    }
    return found
  }

  @Test("H3.1: every so many minutes from the beginning of a range, or of the opening hours, and over midnight")
  func every() {
    let night = WeekCalendar.Range(from: Self.time(22), to: Self.time(1, 30))
    let (start, end) = (Self.at(28, 12).seconds, Self.at(30, 12).seconds)
    let entry = TimetableEntry(.cue("c"), .every(minutes: 90, within: [night]), days: [.saturday])
    let found = ["2026-11-28 22:00", "2026-11-28 23:30", "2026-11-29 01:00"]
    #expect(times(entry, from: start, until: end) == found)
    let hours = WeekCalendar(days: [.sunday: [WeekCalendar.Range(from: Self.time(9, 15), to: Self.time(10, 15))]])
    let open = TimetableEntry(.cue("c"), .every(minutes: 30, within: nil))
    #expect(times(open, hours: hours, from: start, until: end) == ["2026-11-29 09:15", "2026-11-29 09:45"])
    #expect(times(open, from: start, until: end).count == 96)
  }

  @Test("H3.10: what the clock leaves out comes once behind the gap, what it shows twice the first time")
  func summerTime() {
    let entry = TimetableEntry(.cue("c"), .every(minutes: 30, within: nil))
    let gap = 1_774_746_000
    let spring = times(entry, zone: Self.europe, from: gap - 1_800, until: gap + 3_600)
    #expect(spring == ["2026-03-29 01:30", "2026-03-29 03:00", "2026-03-29 03:30"])
    let back = 1_792_890_000
    let autumn = times(entry, zone: Self.europe, from: back - 3_600, until: back + 5_400)
    #expect(autumn == ["2026-10-25 02:00", "2026-10-25 02:30", "2026-10-25 03:00"])
  }

  @Test("H3: every minute, each is due once, also around midnight")
  func everyMinute() {
    let entry = TimetableEntry(.cue("c"), .every(minutes: 1, within: nil))
    var clock = TimetableClock([entry], hours: nil, zone: .utc)
    _ = clock.due(at: Self.at(27, 23, 57), isKnown: true)
    var found: [String] = []
    for second in stride(from: Self.at(27, 23, 58).seconds, to: Self.at(28, 0, 2).seconds, by: 10) {
      for _ in 0..<2 { found += clock.due(at: WallTime(seconds: second), isKnown: true).map(\.time.text) }
    }
    #expect(found == ["23:58", "23:59", "00:00", "00:01"])
  }

  @Test("H3: what two entries have done at the same second is done once, and a cue with its own time is one of them")
  func together() {
    let noon = [Self.time(12)]
    let entries = [
      TimetableEntry(.cue("c"), .at(noon)), TimetableEntry(.stop, .at(noon)), TimetableEntry(.cue("c"), .at(noon)),
    ]
    var clock = TimetableClock(entries, hours: nil, zone: .utc)
    #expect(clock.due(at: Self.at(27, 12), isKnown: true).map(\.entry) == [1, 2])
    #expect(clock.due(at: Self.at(27, 12, 0, 1), isKnown: true) == [])
  }
}
