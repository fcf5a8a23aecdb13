import AudioSession
import Testing

@testable import Jukebox

@Suite struct ListeningCountsTests {
  private func at(_ second: Int, _ day: Int? = nil, hour: Int = 12) -> CountingMoment {
    CountingMoment(
      instant: .powerOn + .seconds(second),
      local: day.map { .init(day: CalendarDay(year: 2026, month: 3, day: $0), second: hour * 3_600) })
  }

  private func day(_ day: Int) -> CountedPeriod.Span { .day(CalendarDay(year: 2026, month: 3, day: day)) }

  @Test("N1: what is counted adds up by name, and starts by the hour")
  func sums() {
    var counts = ListeningCounts(after: nil, seed: 9, at: at(0, 1))
    counts.count(.board(.powerOns), at: at(0, 1))
    for hour in [9, 9, 17] { counts.count(.start("a"), at: at(1, 1, hour: hour)) }
    counts.count(.heard("a", milliseconds: 1_500), at: at(1, 1))
    counts.count(.heard("a", milliseconds: 500), at: at(1, 1))
    counts.count(.left("a", .ended, tenth: 9), at: at(1, 1))
    counts.count(.left("a", .stopped, tenth: 2), at: at(1, 1))
    counts.count(.left("b", .failed, tenth: nil), at: at(1, 1))
    let a = counts.current.tracks["a"]
    #expect(a?.starts == 3 && a?.milliseconds == 2_000 && a?.left == [.ended: 1, .stopped: 1] && a?.ends == 1)
    #expect(a?.tenths == [0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
    #expect(counts.current.hours[9] == 2 && counts.current.hours[17] == 1)
    #expect(counts.current.board == [.powerOns: 1] && counts.current.tracks["b"]?.tenths == TrackCounts.noTenths)
    let text = counts.text.split(separator: "\n")
    #expect(text[0].hasPrefix("period=2026-03-01 tracks=2 starts=3 heard=2 ended=1 skipped=0"))
    #expect(text[1].hasPrefix("track=a starts=3 heard=2 ended=1") && text.count == 3)
  }

  @Test("N1: each day has a period of its own; the next power on of the same day goes on with it")
  func days() {
    var counts = ListeningCounts(after: nil, seed: 9, at: at(0, 1))
    counts.count(.start("a"), at: at(1, 1))
    counts.count(.start("b"), at: at(2, 2))
    #expect(counts.current.span == day(2) && counts.finished.map(\.span) == [day(1)])
    #expect(counts.finished[0].id != counts.current.id)
    counts.forget([counts.finished[0].id])
    #expect(counts.finished.isEmpty)
    let same = ListeningCounts(after: counts.saved, seed: 1, at: at(0, 2))
    #expect(same.current == counts.current && same.finished.isEmpty)
    let next = ListeningCounts(after: counts.saved, seed: 1, at: at(0, 3))
    #expect(next.current.isEmpty && next.current.id != counts.current.id && next.finished == [counts.current])
  }

  @Test("N5: without a clock each power on has its period, which the day takes over where it began on it")
  func unknownClock() {
    var counts = ListeningCounts(after: nil, seed: 9, at: at(100))
    counts.count(.start("a"), at: at(101))
    #expect(counts.current.span == .powerOn && counts.current.hours == CountedPeriod.noHours)
    var sameDay = counts
    sameDay.count(.start("b"), at: at(200, 1, hour: 1))
    #expect(sameDay.current.span == day(1) && sameDay.current.names == ["a", "b"] && sameDay.finished.isEmpty)
    // The clock turns out to show an hour before the board was switched on for that long.
    var otherDay = counts
    otherDay.count(.start("b"), at: at(100 + 7_200, 1, hour: 1))
    #expect(otherDay.current.span == day(1) && otherDay.current.names == ["b"] && otherDay.finished == [counts.current])
    // The clock that is lost again ends no day.
    otherDay.count(.start("c"), at: at(8_000))
    #expect(otherDay.current.span == day(1) && otherDay.current.names == ["b", "c"])
    let restarted = ListeningCounts(after: counts.saved, seed: 1, at: at(0))
    #expect(restarted.current.isEmpty && restarted.finished == [counts.current])
  }

  @Test("N3: of more names than fit, the one heard longest ago is counted among the others; nothing is lost")
  func names() {
    var period = CountedPeriod(id: 1, span: .powerOn)
    for number in 0..<CountedPeriod.mostNames { period.count(.start("\(number)"), hour: nil) }
    period.count(.start("0"), hour: nil)
    period.count(.start("new"), hour: nil)
    period.count(.start("newer"), hour: nil)
    #expect(period.names.count == CountedPeriod.mostNames && period.names.suffix(3) == ["0", "new", "newer"])
    #expect(period.tracks["1"] == nil && period.tracks["2"] == nil && period.tracks["0"]?.starts == 2)
    #expect(period.sum.starts == CountedPeriod.mostNames + 3)
    #expect(Set(period.names.map { FileName($0) }) == Set(period.tracks.keys))
  }

  @Test("N3: a clock that jumps to and fro while the storage fails does not fill the memory")
  func finished() {
    var counts = ListeningCounts(after: nil, seed: 9, at: at(0, 1))
    for jump in 0..<100 { counts.count(.start("a"), at: at(jump, 1 + jump % 20)) }
    #expect(counts.finished.count == ListeningCounts.mostFinished)
    #expect(Set(counts.finished.map(\.id)).count == ListeningCounts.mostFinished)
  }
}

@Suite struct CountedHistoryTests {
  private func period(_ id: Int, _ span: CountedPeriod.Span, _ names: [String] = ["a"]) -> CountedPeriod {
    var period = CountedPeriod(id: id, span: span)
    for name in names { period.count(.start(name), hour: 3) }
    return period
  }

  private func folded(_ periods: [CountedPeriod]) -> CountedHistory {
    var history = CountedHistory(periods)
    history.fold()
    return history
  }

  private func starts(_ history: CountedHistory) -> Int {
    history.periods.reduce(0) { $0 + $1.sum.starts }
  }

  private func days(_ count: Int) -> [CalendarDay] {
    var days = [CalendarDay(year: 2024, month: 1, day: 31)]
    while days.count < count { days.append(days[days.count - 1].next) }
    return days
  }

  @Test("N3: days beyond the limit are counted by month, and none of their starts is lost")
  func months() {
    let all = days(CountedHistory.mostDays + 40)
    let history = folded(all.enumerated().map { period($0, .day($1)) })
    let february = CountedPeriod.Span.month(CalendarDay(year: 2024, month: 2, day: 1))
    #expect(history.periods[1].span == february && history.periods[1].sum.starts == 29)
    #expect(history.periods.count == CountedHistory.mostDays + 3)
    #expect(starts(history) == all.count)
  }

  @Test("N3: periods without a date and names are bounded, and everything is still there in sum")
  func bounds() {
    let periods = (0..<CountedHistory.mostPowerOns + 30).map { id in
      period(id, .powerOn, (0..<40).map { "\(id) \($0)" })
    }
    let history = folded(periods)
    #expect(history.periods.first?.span == .earlier)
    #expect(history.periods.count == CountedHistory.mostPowerOns + 1)
    #expect(starts(history) == 130 * 40)
    let names = Set(history.periods.flatMap(\.names))
    #expect(names.count <= CountedHistory.mostNames && names.contains("128 39") && !names.contains("29 0"))
  }

  @Test("N3: more lines than fit make old days months, then one")
  func lines() {
    let names = (0..<CountedPeriod.mostNames - 1).map { "\($0)" }
    let history = folded(days(15).enumerated().map { period($0, .day($1), names) })
    #expect(history.periods.reduce(0) { $0 + $1.names.count } <= CountedHistory.mostLines)
    #expect(starts(history) == 15 * names.count)
    #expect(history.periods.last?.span == .day(days(15)[14]))
  }

  @Test("days are those of the calendar")
  func calendar() {
    for text in ["2026-02-29", "2026-13-01", "2026-1-01", "26-01-01", "2026-01-00", "", "2026-01-01 ", "-026-01-01"] {
      #expect(CalendarDay(text) == nil, "\(text)")
    }
    #expect(
      CalendarDay("2024-02-29")?.next.text == "2024-03-01" && CalendarDay("2026-12-31")?.next.text == "2027-01-01")
    #expect(CalendarDay("0099-01-01")?.text == "0099-01-01")
  }
}
