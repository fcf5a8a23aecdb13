import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What the timetable makes up for, and what a restart repeats.
@Suite struct TimetablePowerRows {
  private static let (morning, evening) = (TimetableRows.morning, TimetableRows.evening)

  @Test("H3.7: what was missed while the board was off is made up for, once; what a visitor has chosen since is kept")
  func missed() {
    let kiosk = TimetableRows.kiosk()
    kiosk.type("play", then: .seconds(5))
    let later = TimetableRows.restarted(kiosk, state: Self.evening) { $0.playOnBoot = true }
    later.wait(.seconds(1))
    #expect(later.status.playlist == "english" && later.status.volume == 45)
    #expect(later.sounding == .speaker && later.names(.timetableDue).count == 2)
    later.type("playlist deutsch", then: .seconds(5))
    let again = TimetableRows.restarted(later, state: Self.evening)
    #expect(again.status.playlist == "deutsch" && again.names(.timetableDue).isEmpty && again.status.volume == 45)
    again.wait(.seconds(700))
    #expect(again.status.playlist == "english")
  }

  @Test("H3.7: what was done is saved in that instant")
  func saved() {
    let kiosk = TimetableRows.kiosk()
    kiosk.wait(.seconds(60))
    kiosk.feed(.timetable(Self.evening), then: .milliseconds(1))
    let memory = TimetableMemory(
      playlist: "english", playlistSince: TimetableRows.moment(1).second, volume: 45,
      volumeSince: TimetableRows.moment(3).second)
    #expect(kiosk.saves.last?.timetable == memory && kiosk.saves.last?.playlist == "english")
  }

  @Test("H3.4, H3.7: a playlist that waits when the power is cut is made up for")
  func waiting() {
    let kiosk = TimetableRows.kiosk(plugged: ["JACK"])
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.feed(.timetable(Self.evening), then: .seconds(60))
    #expect(kiosk.status.playlist == "deutsch")
    let later = TimetableRows.restarted(kiosk, state: Self.evening) { $0.playOnBoot = true }
    later.wait(.seconds(1))
    #expect(later.status.playlist == "english")
  }

  @Test("N6.1: a cue whose file is written in another Unicode form is not spoken once more behind a restart")
  func forms() {
    let (composed, decomposed) = ("\u{D6}ffnung", "O\u{308}ffnung")
    let spoken = DoneCue(cue: decomposed, date: TimetableRows.day, times: [Kiosk.dailyTime])
    let kept = DailyCues([spoken], of: [TimetableEntry(.cue(composed), .at([Kiosk.dailyTime]))])
    #expect(kept.done == [spoken])
    let other = DailyCues([spoken], of: [TimetableEntry(.cue("Offnung"), .at([Kiosk.dailyTime]))])
    #expect(other.done.isEmpty)
  }

  @Test("H3.7, W1: volumes that outlive a power cut give way to one that was missed, and to no other")
  func volumes() {
    let kiosk = TimetableRows.kiosk { $0.visitGap = .zero }
    kiosk.type("volume 20", then: .seconds(5))
    let same = TimetableRows.restarted(kiosk, state: Self.morning) { $0.visitGap = .zero }
    #expect(same.status.volume == 20)
    let later = TimetableRows.restarted(kiosk, state: Self.evening) { $0.visitGap = .zero }
    #expect(later.status.volume == 45 && later.last(.volumeChanged)?["cause"] == "timetable")
  }

  @Test("H3.9: until the time is known playlist and volume are those of before, then what was missed is made up for")
  func unknown() {
    let kiosk = TimetableRows.kiosk()
    kiosk.wait(.seconds(5))
    let next = TimetableRows.restarted(kiosk, state: nil)
    #expect(next.status.playlist == "deutsch" && next.status.volume == 30)
    next.feed(.missed(TimetableRows.moment(4)))
    #expect(next.sounding == nil && next.last(.timetableDue)?["ignored"] == "clock-not-set")
    next.feed(.timetable(Self.evening))
    #expect(next.status.playlist == "english" && next.status.volume == 45)
  }

  @Test("H3.7: a clock that is set back brings back what counted then; before all times it is as without a timetable")
  func back() {
    let kiosk = TimetableRows.kiosk(state: Self.evening)
    kiosk.feed(.timetable(Self.morning))
    #expect(kiosk.status.playlist == "deutsch" && kiosk.status.volume == 30)
    kiosk.feed(.timetable(TimetableState()))
    // The ceiling of the speaker.
    #expect(kiosk.status.playlist == nil && kiosk.status.volume == 50)
  }

  @Test("H3.8: a start and a stop are done once, also where the board restarts within the minute")
  func once() {
    let kiosk = TimetableRows.kiosk()
    kiosk.feed(.scheduled(TimetableRows.moment(4)), then: .seconds(5))
    let next = TimetableRows.restarted(kiosk, state: Self.morning)
    next.feed(.scheduled(TimetableRows.moment(4)), then: .seconds(1))
    #expect(next.sounding == nil && next.names(.timetableDue).isEmpty)
    next.type("play")
    next.feed(.scheduled(TimetableRows.moment(5)), then: .seconds(1))
    let last = TimetableRows.restarted(next, state: Self.morning)
    last.type("play")
    last.feed(.scheduled(TimetableRows.moment(5)), then: .seconds(1))
    #expect(last.sounding == .speaker)
    last.feed(.scheduled(TimetableRows.moment(5, TimetableRows.day.next)), then: .seconds(1))
    #expect(last.sounding == nil)
  }

  @Test("H3: what is in the settings no more is forgotten")
  func forgotten() {
    let kiosk = TimetableRows.kiosk(state: Self.evening)
    kiosk.wait(.seconds(5))
    let next = TimetableRows.restarted(kiosk, state: nil) { $0.timetable = [] }
    #expect(next.status.volume == 50 && next.names(.timetableDue).isEmpty)
    next.type("play", then: .seconds(5))
    #expect(next.saves.last?.timetable == nil)
  }

  @Test("N6: several times of a cue are done one by one, and of many the earlier ones together")
  func times() {
    let minutes = (0..<40).map { TimeOfDay(hour: 9, minute: $0) }
    func kiosk(_ saved: SavedState?) -> Kiosk {
      Kiosk(saved: saved.map { .state($0) } ?? .nothing) {
        $0.timetable = [TimetableEntry(.cue("closing"), .at(minutes))]
      }
    }
    func speak(_ minute: Int, _ kiosk: Kiosk) -> Int {
      kiosk.feed(.scheduled(TimetableMoment(0, TimetableRows.day, minutes[minute])), then: .seconds(5))
      return kiosk.names(.cueStarted).count
    }
    let first = kiosk(nil)
    for (count, minute) in [0, 2].enumerated() { #expect(speak(minute, first) == count + 1) }
    let second = kiosk(first.saves.last)
    // The one that was left out is spoken, those that were done are not.
    #expect(speak(0, second) == 0 && speak(2, second) == 0 && speak(1, second) == 1)
    for minute in 3..<40 { _ = speak(minute, second) }
    #expect(second.saves.last?.doneCues.map(\.times.count) == [DailyCues.mostTimes])
    let third = kiosk(second.saves.last)
    #expect(speak(5, third) == 0 && speak(39, third) == 0)
  }
}
