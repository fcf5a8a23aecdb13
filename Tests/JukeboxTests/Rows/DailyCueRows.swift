import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Cues at a time of day, and what a restart changes of them.
@Suite struct DailyCueRows {
  private static let today = CalendarDay(year: 2026, month: 11, day: 26)
  private static let time = Kiosk.dailyTime
  private static let cues = [
    Cue(name: "welcome", path: "w"), Cue(name: "closing", path: "c"),
    Cue(name: "bells", path: "b"), Cue(name: "page", path: "p", client: "page"),
  ]

  private func kiosk(
    _ saved: SavedState? = nil, cues: [Cue] = Self.cues, ports: [OutputPort] = Kiosk.allPorts
  ) -> Kiosk {
    Kiosk(ports: ports, saved: saved.map { .state($0) } ?? .nothing, cues: cues)
  }

  /// The kiosk after another start, which knows what was saved last.
  private func restarted(_ kiosk: Kiosk, cues: [Cue] = Self.cues) -> Kiosk { self.kiosk(kiosk.saves.last, cues: cues) }

  private func spoken(_ kiosk: Kiosk) -> [String?] { kiosk.names(.cueStarted).map { $0["cue"] } }

  @Test("N6: what was spoken to its end is saved in that instant, and not spoken again after a restart")
  func once() {
    let kiosk = kiosk()
    kiosk.feed(.scheduled(cue: 1, on: Self.today), then: Kiosk.cueTime)
    #expect(kiosk.names(.cueEnded).count == 1)
    #expect(kiosk.saves.last?.doneCues == [DoneCue(cue: "closing", date: Self.today, times: [Self.time])])
    var next = restarted(kiosk)
    next.feed(.scheduled(cue: 1, on: Self.today))
    #expect(spoken(next) == [])
    // Nor after one more, before which nothing else was saved.
    next.feed(.shutdown(reason: "SIGTERM"))
    next = restarted(next)
    next.feed(.scheduled(cue: 1, on: Self.today))
    #expect(spoken(next) == [])
    next.feed(.scheduled(cue: 1, on: Self.today.next))
    #expect(spoken(next) == ["closing"])
  }

  @Test("N6: what a power cut or a shutdown has cut off is spoken again, and so is what waited then")
  func cutOff() {
    for isShutDown in [false, true] {
      let kiosk = kiosk()
      kiosk.feed(.scheduled(cue: 1, on: Self.today))
      kiosk.feed(.scheduled(cue: 2, on: Self.today), then: .seconds(1))
      if isShutDown { kiosk.feed(.shutdown(reason: "SIGTERM")) }
      let next = restarted(kiosk)
      next.feed(.scheduled(cue: 1, on: Self.today))
      next.feed(.scheduled(cue: 2, on: Self.today), then: .seconds(10))
      #expect(spoken(next) == ["closing", "bells"])
    }
  }

  @Test("N6: of two in the same minute, a power cut in the second leaves the first alone")
  func second() {
    let kiosk = kiosk()
    kiosk.feed(.scheduled(cue: 1, on: Self.today))
    kiosk.feed(.scheduled(cue: 2, on: Self.today), then: Kiosk.cueTime + .seconds(1))
    let next = restarted(kiosk)
    next.feed(.scheduled(cue: 1, on: Self.today))
    next.feed(.scheduled(cue: 2, on: Self.today), then: .seconds(10))
    #expect(spoken(next) == ["bells"])
    #expect(next.saves.last?.doneCues.map(\.cue) == ["closing", "bells"])
  }

  @Test("N6: what could not be spoken, was stopped or was interrupted is done, too")
  func dropped() {
    let stopped = kiosk()
    stopped.feed(.scheduled(cue: 1, on: Self.today))
    stopped.type("stop")
    let interrupted = kiosk()
    interrupted.feed(.scheduled(cue: 1, on: Self.today))
    interrupted.edge("PAGE", true)
    let refused = kiosk()
    refused.edge("ALARM", true)
    refused.feed(.scheduled(cue: 1, on: Self.today))
    let damaged = kiosk()
    damaged.feed(.scheduled(cue: 1, on: Self.today))
    damaged.feed(.audio(.cueFailed(id: 1, reason: "damaged")))
    let homeless = kiosk(ports: [OutputPort(port: .headphones, sense: .line("JACK"), priority: 1, isPrivate: true)])
    homeless.feed(.scheduled(cue: 1, on: Self.today))
    for kiosk in [stopped, interrupted, refused, damaged, homeless] {
      kiosk.wait(.milliseconds(100))
      #expect(kiosk.saves.last?.doneCues.map(\.cue) == ["closing"])
      let next = restarted(kiosk)
      next.feed(.scheduled(cue: 1, on: Self.today))
      #expect(spoken(next) == [] && next.names(.cueFailed).isEmpty)
    }
  }

  @Test("N6: a cue that is asked for otherwise has nothing to do with its time of day")
  func otherwise() {
    let kiosk = kiosk()
    kiosk.type("cue closing", then: .seconds(10))
    #expect(kiosk.saves.last?.doneCues ?? [] == [])
    kiosk.feed(.scheduled(cue: 1, on: Self.today), then: .seconds(10))
    kiosk.type("cue closing")
    #expect(spoken(kiosk) == ["closing", "closing", "closing"])
  }

  @Test("N6, N5: what is missed by a clock that nobody has set is not done")
  func missed() {
    let kiosk = kiosk()
    kiosk.feed(.missed(cue: 1), then: .seconds(10))
    #expect(kiosk.saves.last?.doneCues ?? [] == [])
    kiosk.feed(.scheduled(cue: 1, on: Self.today))
    #expect(spoken(kiosk) == ["closing"])
  }

  @Test("N6: a cue with another name or another time in the settings is another cue, and old ones are not kept")
  func changed() {
    let kiosk = kiosk()
    kiosk.feed(.scheduled(cue: 1, on: Self.today), then: Kiosk.cueTime)
    let later = TimeOfDay(hour: 17, minute: 46)
    let other = restarted(kiosk, cues: [Cue(name: "good night", path: "c")])
    other.feed(.scheduled(cue: 0, on: Self.today))
    let moved = restarted(kiosk, cues: [Cue(name: "closing", path: "c")])
    moved.feed(.scheduled(cue: 0, on: Self.today, at: later))
    for kiosk in [other, moved] { kiosk.wait(.seconds(10)) }
    #expect(spoken(other) == ["good night"] && spoken(moved) == ["closing"])
    #expect(other.saves.last?.doneCues == [DoneCue(cue: "good night", date: Self.today, times: [Self.time])])
    #expect(moved.saves.last?.doneCues == [DoneCue(cue: "closing", date: Self.today, times: [Self.time, later])])
  }

  @Test("N6: a clock that is set back by days follows those days")
  func setBack() {
    let kiosk = kiosk()
    kiosk.feed(.scheduled(cue: 1, on: Self.today), then: Kiosk.cueTime)
    let next = restarted(kiosk)
    let before = CalendarDay(year: 2026, month: 11, day: 25)
    next.feed(.scheduled(cue: 1, on: before), then: Kiosk.cueTime)
    #expect(spoken(next) == ["closing"])
    #expect(next.saves.last?.doneCues.map(\.date) == [before])
  }
}
