import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct PopularRows {
  private static let ranked = RankingReport.ranked(["3.mp3", "1.mp3"])

  private func kiosk(
    _ ranking: RankingReport? = Self.ranked, plugged: Set<String> = [], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, buttons: [.popular(1), .popular(2)]) { settings in
      settings.tokens = ["TOP": .popular(2)]
      change(&settings)
    }
    kiosk.ranking = ranking
    return kiosk
  }

  private func reasons(_ kiosk: Kiosk) -> [String?] { kiosk.names(.choiceFailed).map { $0["reason"] } }

  @Test("J7: the track heard most is chosen like any other, at the console, by a button and by a token")
  func chosen() {
    let kiosk = kiosk()
    kiosk.type("popular 1")
    #expect(kiosk.heard == Position(track: 2, frame: 0) && kiosk.rankings == 1)
    kiosk.press(.popular(2))
    #expect(kiosk.last(.buttonPressed)?["button"] == "popular" && kiosk.last(.buttonPressed)?["popular"] == "2")
    #expect(kiosk.last(.trackStarted)?["file"] == "1.mp3" && kiosk.sounding == .speaker)
    kiosk.press(.popular(1))
    kiosk.read("TOP")
    #expect(kiosk.last(.tokenRead)?["popular"] == "2")
    #expect(kiosk.last(.trackStarted)?["file"] == "1.mp3" && kiosk.rankings == 4)
    #expect(reasons(kiosk) == [] && kiosk.replies == [])
  }

  @Test("J7: what plays already is chosen again (T2), and while the prompt waits a choice only moves (T7)")
  func asATrack() {
    let kiosk = kiosk(plugged: ["JACK"]) { $0.again = .pause }
    kiosk.type("popular 1", then: .seconds(2))
    kiosk.type("popular 1")
    #expect(kiosk.status.state == .paused && kiosk.status.track == 3)
    kiosk.type("play")
    kiosk.unplug("JACK", then: .seconds(1))
    kiosk.forget()
    kiosk.type("popular 2")
    #expect(kiosk.status.track == 1 && kiosk.status.state == .paused && kiosk.sounding == nil)
    #expect(kiosk.replies == ["error: popular 2: held by route-lost"])
  }

  @Test("J7.1: where fewer tracks were heard, nothing is chosen, and the log says why")
  func fewer() {
    let kiosk = kiosk()
    kiosk.type("popular 3")
    kiosk.ranking = .ranked(["1.mp3"])
    kiosk.type("popular 2")
    kiosk.ranking = .ranked([])
    kiosk.press(.popular(1))
    #expect(
      reasons(kiosk) == [
        "only 2 tracks that are there were heard in the last 90 days",
        "only one track that is there was heard in the last 90 days",
        "no track that is there was heard in the last 90 days",
      ])
    #expect(kiosk.names(.choiceFailed).map { $0["popular"] } == ["3", "2", "1"])
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("J7.1: a track that went away since the counters were read is no choice")
  func gone() {
    let kiosk = kiosk(.ranked(["away.mp3"]))
    kiosk.type("popular 1")
    #expect(reasons(kiosk) == ["no track is called away.mp3"] && kiosk.sounding == nil)
  }

  @Test("J7.2: counters that cannot be read are a choice that failed")
  func unread() {
    let kiosk = kiosk(.failed(reason: "disk I/O error"))
    kiosk.press(.popular(1))
    #expect(reasons(kiosk) == ["the counters cannot be read: disk I/O error"])
  }

  @Test("J7.2: a storage that hangs is waited for for 2 s, and what it says later plays nothing")
  func hanging() {
    let kiosk = kiosk(nil)
    kiosk.press(.popular(1), then: .milliseconds(1_800))
    #expect(reasons(kiosk) == [])
    kiosk.wait(.milliseconds(200))
    #expect(reasons(kiosk) == ["the storage does not answer"])
    kiosk.feed(.ranking(Self.ranked))
    #expect(kiosk.sounding == nil)
    kiosk.press(.popular(1))
    #expect(kiosk.rankings == 2)
    kiosk.feed(.ranking(Self.ranked))
    #expect(kiosk.last(.trackStarted)?["file"] == "3.mp3")
    kiosk.wait(.seconds(3))
    #expect(reasons(kiosk).count == 1)
  }

  @Test("J7.3: who asks for something else before it is found has that, and an unplug takes it back")
  func overtaken() {
    for (other, heard) in [("track 2", ["2.mp3"]), ("stop", []), ("popular 2", ["1.mp3"])] {
      let kiosk = kiosk(nil)
      kiosk.type("popular 1")
      kiosk.type(other)
      #expect(reasons(kiosk) == ["something else was asked for first"], "\(other)")
      #expect(kiosk.rankings == (other == "popular 2" ? 2 : 1))
      kiosk.feed(.ranking(Self.ranked))
      #expect(kiosk.names(.trackStarted).map { $0["file"] } == heard)
    }
    let kiosk = kiosk(nil, plugged: ["JACK"])
    kiosk.type("popular 1")
    kiosk.unplug("JACK")
    kiosk.feed(.ranking(Self.ranked))
    #expect(reasons(kiosk) == ["something else was asked for first"] && kiosk.sounding == nil)
  }

  @Test("J7.3: where choices wait their turn nothing takes one back, and more than 16 do not wait for the storage")
  func kept() {
    let kiosk = kiosk(nil) { $0.requests = RequestSettings() }
    for place in [1, 2] { kiosk.press(.popular(place)) }
    kiosk.type("stop")
    #expect(reasons(kiosk) == [] && kiosk.rankings == 1)
    for _ in 0..<15 { kiosk.type("popular 1") }
    #expect(Set(reasons(kiosk)) == ["too many choices wait for the storage"] && reasons(kiosk).count == 1)
    kiosk.feed(.ranking(Self.ranked))
    #expect(reasons(kiosk).count == 1 && kiosk.sounding == .speaker)
  }

  @Test("J7.3, H1.1: closing takes back what waits, and the log says so", arguments: [true, false])
  func closing(isKept: Bool) {
    let kiosk = kiosk(nil) {
      $0.hours = HoursSettings(WeekCalendar())
      if isKept { $0.requests = RequestSettings() }
    }
    kiosk.type("popular 1")
    kiosk.feed(.hours(HoursRows.closed))
    kiosk.feed(.ranking(Self.ranked))
    #expect(reasons(kiosk) == ["the kiosk closes"] && kiosk.sounding == nil)
  }

  @Test("K7.4, J7.3: a token that closes is obeyed without an error, whatever closing takes back")
  func closedByToken() {
    let kiosk = kiosk(nil) {
      $0.hours = HoursSettings(WeekCalendar())
      $0.requests = RequestSettings()
      $0.tokens["NIGHT"] = .hours(.closed)
    }
    kiosk.type("popular 1")
    kiosk.type("token NIGHT")
    #expect(kiosk.status.holds == [.closed] && reasons(kiosk) == ["the kiosk closes"] && kiosk.replies == [])
  }

  @Test("J7.4: while it is closed nobody chooses, and a number out of range is no command")
  func refused() {
    let kiosk = kiosk { $0.hours = HoursSettings(WeekCalendar()) }
    for word in ["0", "1001", "one", ""] {
      kiosk.type("popular \(word)")
      #expect(kiosk.replies.last == "error: popular: expected a number from 1 to 1000")
    }
    kiosk.feed(.hours(HoursRows.closed))
    kiosk.forget()
    kiosk.type("popular 1")
    #expect(kiosk.replies == ["error: popular 1: held by closed"])
    kiosk.press(.popular(1))
    kiosk.read("TOP")
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "closed" && kiosk.last(.tokenRead)?["ignored"] == "closed")
    #expect(kiosk.rankings == 0)
  }

  @Test("J7: starts of 90 days count, the current one among them, ties by name, and tracks that are there")
  func ranking() {
    let last = CalendarDay(year: 2026, month: 3, day: 1)
    var ranking = Ranking(until: last)
    #expect(ranking.range == CalendarDay(year: 2025, month: 12, day: 2)...last)
    for (name, day, starts) in [
      ("b", 0, 2), ("a", 89, 2), ("c", 90, 9), ("gone", 1, 9), ("", 1, 9), ("d", -1, 9), ("e", 3, 3),
    ] {
      let date = (0..<max(0, day)).reduce(day < 0 ? last.next : last) { day, _ in day.previous }
      var period = CountedPeriod(id: day, span: .day(date))
      for _ in 0..<starts { period.count(.start(name), hour: nil) }
      ranking.add(period)
    }
    let tracks = TrackList(["a", "b", "c", "d", "e", "never"].map { Track(path: $0, name: $0) })
    #expect(ranking.names(among: tracks) == ["e", "a", "b"])
  }
}
