import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// J4.3: what has requests take nothing.
@Suite struct FreePlayRows {
  private static let day = CalendarDay(year: 2026, month: 11, day: 27)
  private static let entries = [
    TimetableEntry(.freePlay(true), .at([TimeOfDay(hour: 17, minute: 0)])),
    TimetableEntry(.freePlay(false), .at([TimeOfDay(hour: 21, minute: 0)])),
  ]
  private static func since(_ entry: Int) -> TimetableState {
    TimetableState(freePlay: TimetableMoment(entry, day, TimeOfDay(hour: entry == 0 ? 17 : 21, minute: 0)))
  }

  private static func kiosk(
    plugged: Set<String> = [], saved: SavedState? = nil, timetable: TimetableState? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(
      plugged: plugged, tracks: 5, saved: saved.map { .state($0) } ?? .nothing,
      selectors: CoinRows.lines + [Line(name: "KEY", role: .freePlay)], timetable: timetable,
      ledger: .ledger(Ledger(credits: 3))
    ) {
      $0.requests = RequestSettings()
      $0.requests?.credits = CreditSettings()
      $0.timetable = entries
      change(&$0)
    }
    kiosk.wait(.seconds(3))
    return kiosk
  }

  private func credits(_ kiosk: Kiosk) -> Int { kiosk.jukebox.accounts.ledger.credits }

  private func said(_ kiosk: Kiosk) -> [String] {
    kiosk.events.filter { [.freePlayBegan, .freePlayEnded].contains($0.name) }
      .map { "\($0.name.rawValue) by=\($0["by"] ?? "")" }
  }

  @Test("J4.3: while the contact is closed nothing is taken and no coin let in; open, a request costs as before")
  func contact() {
    let kiosk = Self.kiosk()
    #expect(!kiosk.jukebox.coinInhibits.isAsserted && said(kiosk).isEmpty)
    kiosk.edge("KEY", true, then: .seconds(1))
    #expect(kiosk.jukebox.coinInhibits.isAsserted && said(kiosk) == ["freeplay.began by=contact"])
    kiosk.type("track 3")
    #expect(credits(kiosk) == 3 && kiosk.last(.requestStarted)?["paid"] == nil)
    kiosk.edge("KEY", false, then: .seconds(1))
    kiosk.type("track 1")
    #expect(credits(kiosk) == 2 && !kiosk.jukebox.coinInhibits.isAsserted)
    #expect(said(kiosk) == ["freeplay.began by=contact", "freeplay.ended by=contact"])
  }

  @Test("J4.3: a contact that bounces changes nothing, and one that is closed at power on counts at once")
  func atPowerOn() {
    let kiosk = Self.kiosk(plugged: ["KEY"])
    kiosk.type("track 3")
    #expect(credits(kiosk) == 3 && said(kiosk) == ["freeplay.began by=contact"])
    let bounced = Self.kiosk()
    bounced.edge("KEY", true, then: .milliseconds(5))
    bounced.edge("KEY", false)
    bounced.type("track 3")
    #expect(credits(bounced) == 2 && said(bounced).isEmpty)
  }

  @Test("J4.3, H3: the timetable begins and ends it, overrides the settings, and the contact overrides both")
  func timetable() {
    let kiosk = Self.kiosk(timetable: Self.since(1))
    kiosk.type("track 3")
    #expect(credits(kiosk) == 2 && kiosk.names(.timetableDue).last?["free_play"] == "false")
    kiosk.feed(.timetable(Self.since(0)))
    kiosk.type("track 1")
    #expect(credits(kiosk) == 2 && kiosk.names(.timetableDue).last?["free_play"] == "true")
    kiosk.feed(.timetable(Self.since(1)))
    kiosk.edge("KEY", true, then: .seconds(1))
    kiosk.type("track 2")
    #expect(credits(kiosk) == 2)
    #expect(
      said(kiosk) == ["freeplay.began by=timetable", "freeplay.ended by=timetable", "freeplay.began by=contact"])
    let free = Self.kiosk(timetable: Self.since(1)) { $0.requests?.credits?.isFree = true }
    free.type("track 3")
    #expect(credits(free) == 2 && said(free) == ["freeplay.ended by=timetable"])
  }

  @Test("J4.3, H3.9: behind a power cut it costs what the settings say until the time is known")
  func powerCut() {
    let kiosk = Self.kiosk(timetable: Self.since(0))
    kiosk.wait(.seconds(5))
    let later = Self.kiosk(saved: kiosk.saves.last)
    #expect(kiosk.saves.last?.timetable?.isFree == true)
    later.type("track 3")
    #expect(credits(later) == 2)
    later.feed(.timetable(Self.since(0)))
    later.type("track 1")
    #expect(credits(later) == 2 && later.names(.timetableDue).isEmpty && said(later) == ["freeplay.began by=timetable"])
  }
}
