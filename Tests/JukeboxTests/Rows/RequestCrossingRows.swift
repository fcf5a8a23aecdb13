import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Requests among contacts with manners, closing, playlists and visits (J rows).
@Suite struct RequestCrossingRows {
  private typealias H = HoursRows

  private static func tracks(_ kiosk: Kiosk) -> [String]? { kiosk.ledgers.last?.requests.map(\.track) }

  // MARK: - Contacts with manners

  private static func kiosk(
    _ mode: Manners.Mode, _ button: Button = .track(.number(4)), names: [String]? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let seat = ContactRows.line("SEAT", button, Manners(mode))
    return Kiosk(tracks: 5, selectors: [seat], names: names) {
      $0.requests = RequestSettings()
      change(&$0)
    }
  }

  @Test("J1.3, O1, O2, O3: a contact begins no request that waits", arguments: [Manners.Mode.once, .finish, .while])
  func contact(mode: Manners.Mode) {
    let kiosk = Self.kiosk(mode)
    for track in [1, 2] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(3))
    kiosk.press(.stop, then: .seconds(57))
    kiosk.forget()
    kiosk.plug("SEAT", then: .seconds(5))
    #expect(kiosk.sounding == nil && Self.tracks(kiosk) == ["2.mp3"] && ContactRows.ignored(kiosk) == ["busy"])
    kiosk.unplug("SEAT")
    kiosk.type("play")
    #expect(kiosk.heard?.track == 1)
    kiosk.wait(.seconds(61))
    kiosk.plug("SEAT")
    #expect(kiosk.heard == Position(track: 3, frame: 0), "no request waits")
  }

  @Test("J4.1, H3.6, O4: nor does one of a folder, behind a stop of the timetable")
  func contactBehindTimetable() {
    let entry = TimetableEntry(.stop, .at([TimeOfDay(hour: 18, minute: 0)]))
    let kiosk = Self.kiosk(.next, .playlist("english"), names: Kiosk.folders) { $0.timetable = [entry] }
    for track in [1, 2] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(3))
    kiosk.feed(.scheduled(TimetableMoment(0, TimetableRows.day, TimeOfDay(hour: 18, minute: 0))))
    kiosk.plug("SEAT", then: .seconds(5))
    #expect(kiosk.sounding == nil && Self.tracks(kiosk)?.count == 1)
  }

  @Test("J5.5, O2: where the background plays in place of a request whose folder is missing, a contact counts")
  func contactBesideMissingFolder() {
    let all = (1...5).map { "\($0).mp3" }
    let kiosk = Self.kiosk(.while) { $0.requests?.after = .background }
    for track in [1, 2, 3, 5] { kiosk.type("track \(track)") }
    kiosk.list(Array(all.prefix(4)), missing: [LibraryReport.Missing(folder: "/n", reason: "gone")])
    kiosk.wait(.seconds(190))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 1)
    kiosk.plug("SEAT", then: .seconds(5))
    #expect(kiosk.status.track == 4)
    kiosk.list(all, then: .seconds(1))
    #expect(kiosk.status.track == 5 && kiosk.last(.requestStarted)?["file"] == "5.mp3")
  }

  // MARK: - The storage answers after closing has begun

  private static func pending(
    closing: HoursSettings.Closing, _ after: RequestSettings.After, selectors: [Line] = []
  ) -> Kiosk {
    let kiosk = H.kiosk(opening: .resume, closing: closing, selectors: selectors) {
      $0.requests = RequestSettings()
      $0.requests?.after = after
      $0.requests?.credits = CreditSettings()
    }
    kiosk.type("credits +2")
    if after == .background { kiosk.type("play", then: .seconds(5)) } else { kiosk.type("cue welcome") }
    kiosk.holdsLedger = true
    kiosk.type("track 2")
    kiosk.forget()
    return kiosk
  }

  private static func answer(_ kiosk: Kiosk) {
    kiosk.holdsLedger = false
    kiosk.feed(.ledger(.kept(kiosk.ledgers.count)), then: .milliseconds(100))
  }

  @Test(
    "H1.1, H1.2, J1: a request that the storage has only when it closes begins no more, and its credit comes back",
    arguments: [HoursSettings.Closing.now, .track], [RequestSettings.After.stop, .background])
  func answeredAtClosing(closing: HoursSettings.Closing, after: RequestSettings.After) {
    let kiosk = Self.pending(closing: closing, after)
    kiosk.feed(.hours(H.closed), then: .milliseconds(500))
    Self.answer(kiosk)
    #expect(kiosk.sounding == (after == .background ? .speaker : nil) && kiosk.names(.requestStarted).isEmpty)
    kiosk.wait(.seconds(70))
    #expect(kiosk.sounding == nil && kiosk.names(.requestStarted).isEmpty && Self.tracks(kiosk) == [])
    #expect(kiosk.ledgers.last?.credits == 2 && kiosk.last(.creditReturned)?["reason"] == "closed")
  }

  @Test("J5.1, H1.10: behind a switch it waits, and begins when that is released")
  func answeredBehindSwitch() {
    let contact = Line(name: "QUIET", role: .silence(backAfter: .zero))
    let kiosk = Self.pending(closing: .now, .background, selectors: [contact])
    kiosk.edge("QUIET", true, then: .milliseconds(500))
    Self.answer(kiosk)
    kiosk.wait(.seconds(10))
    #expect(kiosk.sounding == nil && kiosk.names(.requestQueued).count == 1 && kiosk.names(.requestStarted).isEmpty)
    kiosk.edge("QUIET", false, then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 2)
  }

  @Test(
    "H1.7, J1: where staff opens again before all is silent, it begins", arguments: [HoursSettings.Closing.now, .track])
  func answeredAndOpened(closing: HoursSettings.Closing) {
    let kiosk = Self.pending(closing: closing, .stop)
    kiosk.feed(.hours(H.closed), then: .milliseconds(500))
    Self.answer(kiosk)
    kiosk.type("hours open", then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.last(.requestStarted)?["file"] == "2.mp3")
  }

  @Test("J1, H1.11: behind a switch over paused music it begins, too, unless somebody has pressed Stop since")
  func answeredBehindPause() {
    let contact = Line(name: "QUIET", role: .silence(backAfter: .zero))
    for isStopped in [false, true] {
      let kiosk = Self.pending(closing: .now, .background, selectors: [contact])
      kiosk.type("pause")
      kiosk.edge("QUIET", true, then: .milliseconds(500))
      Self.answer(kiosk)
      if isStopped { kiosk.type("stop") }
      kiosk.edge("QUIET", false, then: .seconds(1))
      #expect(kiosk.sounding == (isStopped ? nil : .speaker) && Self.tracks(kiosk) == ["2.mp3"])
    }
  }

  // MARK: - Playlists

  @Test("J5.4, T4.2, J1.3: while a request is paused, any playlist that is chosen goes on with it, and is behind it")
  func playlistWhilePaused() {
    for name in ["english", "deutsch"] {
      let kiosk = RequestRows.jukebox(after: .background, names: Kiosk.folders)
      kiosk.type("playlist english")
      kiosk.type("track deutsch/1 Haus.mp3", then: .seconds(5))
      kiosk.type("pause", then: .seconds(1))
      let frame = kiosk.status.frame
      kiosk.forget()
      kiosk.type("playlist \(name)")
      #expect(kiosk.heard == Position(track: 0, frame: frame) && kiosk.sounding == .speaker, "\(name)")
      #expect(kiosk.names(.playbackResumed).count == 1 && kiosk.status.playlist == name)
      #expect(kiosk.names(.playlistChanged).count == (name == "english" ? 0 : 1))
    }
  }

  @Test("J5.4: while a request plays, a playlist that is chosen changes nothing of what is heard")
  func playlistWhilePlaying() {
    for name in ["english", "deutsch"] {
      let kiosk = RequestRows.jukebox(after: .background, names: Kiosk.folders)
      kiosk.type("playlist english")
      kiosk.type("track deutsch/1 Haus.mp3", then: .seconds(5))
      kiosk.forget()
      kiosk.type("playlist \(name)")
      #expect(kiosk.commands.isEmpty && kiosk.sounding == .speaker, "\(name)")
    }
  }

  // MARK: - Visits

  @Test("J5.1, K8: no idle time counts while a request plays or is held; after Stop, it does, and credits come back")
  func idle() {
    let kiosk = RequestRows.jukebox {
      $0.requests?.credits = CreditSettings()
      $0.interruptionLimit = .zero
    }
    kiosk.type("credits +3")
    for track in [3, 1] { kiosk.type("track \(track)") }
    let volume = kiosk.status.volume
    kiosk.pressOnce(.volumeDown)
    kiosk.loseOutput(then: .seconds(3_000))
    #expect(Self.tracks(kiosk)?.count == 2 && kiosk.names(.visitEnded).isEmpty)
    kiosk.pressOnce(.stop, then: .seconds(590))
    #expect(Self.tracks(kiosk) == ["1.mp3"] && kiosk.status.volume != volume)
    kiosk.wait(.seconds(20))
    #expect(kiosk.last(.visitEnded)?["reason"] == "idle" && kiosk.status.volume == volume)
    #expect(Self.tracks(kiosk) == [] && kiosk.last(.creditReturned)?["reason"] == "idle")
    #expect(kiosk.ledgers.last?.credits == 2)
  }

  @Test("J7.3, Q4.1: what was asked of the counters and not answered before the visit ended is no request any more")
  func popularBehindVisit() {
    let kiosk = RequestRows.jukebox(plugged: ["JACK"])
    kiosk.type("track 1")
    kiosk.pressOnce(.volumeUp, then: .seconds(5))
    kiosk.unplug("JACK", then: .seconds(299))
    kiosk.type("popular 1", then: .seconds(1))
    #expect(kiosk.last(.visitEnded)?["reason"] == "expired" && kiosk.last(.choiceFailed)?["popular"] == "1")
    #expect(kiosk.last(.choiceFailed)?["reason"] == "whoever asked has gone")
    kiosk.feed(.ranking(.ranked(["3.mp3"])), then: .seconds(1))
    #expect(kiosk.sounding == nil && Self.tracks(kiosk) == [])
  }
}
