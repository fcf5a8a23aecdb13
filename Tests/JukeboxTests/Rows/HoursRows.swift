import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Opening hours: what closing and opening do.
@Suite struct HoursRows {
  static let evening = boundary(18)
  static let morning = boundary(33)
  static let open = HoursReport.known(isWithin: true, until: evening)
  static let closed = HoursReport.known(isWithin: false, until: morning)
  static let tomorrow = HoursReport.known(isWithin: true, until: boundary(42))

  static func boundary(_ hour: Int) -> HoursBoundary {
    HoursBoundary(
      second: hour * 3_600, day: CalendarDay(number: hour / 24), time: TimeOfDay(hour: hour % 24, minute: 0))
  }

  static func kiosk(
    _ report: HoursReport = open, opening: HoursSettings.Opening = .nothing, closing: HoursSettings.Closing = .now,
    plugged: Set<String> = [], saved: SavedState? = nil, buttons: [Button] = [], cues: [Cue] = Kiosk.allCues,
    selectors: [Line] = [], knobs: [Knob] = [], clients: [SessionClient] = [], names: [String]? = nil,
    ledger: SavedLedger = .nothing, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(
      plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, clients: clients, cues: cues, buttons: buttons,
      selectors: selectors, knobs: knobs, names: names, hours: report, ledger: ledger
    ) {
      $0.hours = HoursSettings(WeekCalendar(), closing: closing, opening: opening)
      $0.tokens = ["NIGHT": .hours(.closed), "DAY": .hours(.open), "SONG": .track(.number(2)), "TALK": .cue("welcome")]
      change(&$0)
    }
  }

  /// It plays on the speaker, with the visitor who has asked for it.
  static func playing(
    opening: HoursSettings.Opening = .nothing, closing: HoursSettings.Closing = .now, cues: [Cue] = Kiosk.allCues,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = kiosk(opening: opening, closing: closing, cues: cues, change)
    if kiosk.sounding == nil { kiosk.pressOnce(.play) }
    kiosk.wait(.seconds(5))
    kiosk.forget()
    return kiosk
  }

  static func closes(_ kiosk: Kiosk) {
    kiosk.feed(.hours(Self.closed), then: .seconds(4))
  }

  private static func ducks(_ kiosk: Kiosk) -> [Double] {
    kiosk.commands.compactMap { if case .duck(let level, _) = $0 { level } else { nil } }
  }

  @Test("H1.5, H1.6, V2.1: where music is kept until opening and stopped meanwhile, the next visitor finds the start")
  func stoppedMeanwhile() {
    let kiosk = Self.playing(opening: .resume)
    kiosk.type("token SONG", then: .seconds(5))
    Self.closes(kiosk)
    #expect(kiosk.status.state == .paused && kiosk.status.track == 2)
    kiosk.type("stop")
    #expect(kiosk.status.state == .stopped && kiosk.status.track == 1)
    kiosk.feed(.hours(Self.tomorrow), then: .seconds(5))
    #expect(kiosk.sounding == nil && kiosk.status.track == 1)
  }

  // MARK: - Closing

  @Test("H1.1: what sounds fades and ends, the visit with it, and the volume goes back")
  func now() {
    let kiosk = Self.playing()
    kiosk.press(.volumeDown)
    kiosk.forget()
    kiosk.feed(.hours(Self.closed))
    #expect(kiosk.last(.hoursClosed)?["until"] == "1970-01-02 09:00" && kiosk.last(.hoursClosed)?["by"] == "clock")
    #expect(kiosk.commands == [.duck(level: -.infinity, over: .seconds(3))] && kiosk.status.hours?.state == .closing)
    kiosk.wait(.milliseconds(2_900))
    #expect(kiosk.sounding == .speaker && kiosk.status.holds == [])
    kiosk.wait(.milliseconds(200))
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed] && kiosk.status.state == .stopped)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "closed" && kiosk.last(.visitEnded)?["reason"] == "closed")
    #expect(kiosk.last(.volumeChanged)?["cause"] == "closed")
    // Whoever comes next hears it in full, from its first frame on.
    #expect(Self.ducks(kiosk) == [-.infinity, 0] && kiosk.status.hours?.state == .closed)
    #expect(kiosk.names(.hoursClosed).count == 1)
  }

  @Test("H1.1: what is silent is closed at once, without a fade; 0 is no fade")
  func silent() {
    let kiosk = Self.kiosk()
    kiosk.forget()
    kiosk.feed(.hours(Self.closed))
    #expect(kiosk.status.holds == [.closed] && kiosk.commands == [])
    let hard = Self.playing { $0.hours?.fade = .zero }
    hard.feed(.hours(Self.closed))
    #expect(hard.sounding == nil && hard.status.holds == [.closed] && Self.ducks(hard) == [])
  }

  @Test("H1.1: a cue that is spoken ends with the fade, and its duck does not raise what fades")
  func cueFades() {
    let kiosk = Self.playing()
    kiosk.type("cue welcome", then: .seconds(2))
    kiosk.feed(.hours(Self.closed), then: .milliseconds(1_500))
    // The cue of three seconds has ended by itself.
    #expect(kiosk.names(.cueEnded).count == 1 && Self.ducks(kiosk) == [-12, -.infinity])
    kiosk.wait(.seconds(2))
    #expect(Self.ducks(kiosk) == [-12, -.infinity, 0] && kiosk.sounding == nil)
    let late = Self.playing()
    late.feed(.hours(Self.closed))
    let speaking = Self.playing()
    speaking.type("cue welcome", then: .milliseconds(100))
    speaking.feed(.hours(Self.closed))
    late.type("cue welcome")
    #expect(late.replies.last == "error: cue welcome: held by closed" && late.names(.cueStarted).isEmpty)
    Self.closes(speaking)
    #expect(speaking.status.cue == nil)
  }

  @Test("H1.2: the track is heard to its end, and nothing follows; the one that would have is next")
  func track() {
    for opening in [HoursSettings.Opening.nothing, .resume] {
      let kiosk = Self.playing(opening: opening, closing: .track)
      kiosk.feed(.hours(Self.closed), then: .seconds(40))
      #expect(kiosk.sounding == .speaker && kiosk.status.hours?.state == .closing && kiosk.status.track == 1)
      #expect(kiosk.names(.trackStarted).isEmpty && Self.ducks(kiosk) == [])
      kiosk.wait(.seconds(20))
      #expect(kiosk.sounding == nil && kiosk.names(.trackEnded).count == 1 && kiosk.status.holds == [.closed])
      #expect(kiosk.names(.trackStarted).isEmpty && kiosk.names(.queueEnded).isEmpty)
      kiosk.feed(.hours(Self.tomorrow))
      #expect(kiosk.sounding == (opening == .resume ? .speaker : nil))
      #expect(kiosk.status.track == (opening == .resume ? 2 : 1) && kiosk.status.frame == 0)
    }
  }

  @Test("H1.2: whatever silences it before ends that", arguments: [Button.stop, .play])
  func trackEnds(button: Button) {
    let kiosk = Self.playing(closing: .track)
    kiosk.feed(.hours(Self.closed))
    kiosk.press(button)
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed] && kiosk.status.state == .stopped)
    let paged = Self.playing(closing: .track)
    paged.feed(.hours(Self.closed))
    paged.edge("PAGE", true, then: .seconds(1))
    paged.edge("PAGE", false, then: .seconds(1))
    #expect(paged.sounding == nil && paged.status.holds == [.closed])
  }

  @Test("H1.2: staff opens again while the last track sounds: the next one follows it")
  func trackGoesOn() {
    let kiosk = Self.playing(closing: .track)
    kiosk.feed(.hours(Self.closed), then: .seconds(5))
    kiosk.type("hours open", then: .seconds(60))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 2 && kiosk.names(.playbackStopped).isEmpty)
  }

  // MARK: - While it is closed

  static let asking: [Button] = [
    .play, .next, .previous, .cue, .record, .track(.number(2)), .volumeUp, .volumeDown,
  ]

  @Test("H1, H1.3: a press changes nothing, now or at opening, and says why", arguments: asking)
  func press(button: Button) {
    let kiosk = Self.kiosk(Self.closed, buttons: [.track(.number(2))])
    kiosk.forget()
    let before = (kiosk.status.volume, kiosk.status.track, kiosk.status.frame)
    kiosk.pressOnce(button)
    kiosk.press(button, for: .seconds(2))
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "closed" && kiosk.names(.visitBegan).isEmpty)
    #expect(!kiosk.isCapturing && kiosk.status.cue == nil && kiosk.sounding == nil)
    #expect((kiosk.status.volume, kiosk.status.track, kiosk.status.frame) == before)
    let refused = kiosk.names(.sessionRefused)
    let asks = ![.next, .previous, .volumeUp, .volumeDown].contains(button)
    #expect(refused.isEmpty != asks && refused.allSatisfy { $0["reason"] == "held" && $0["by"] == "closed" })
    kiosk.feed(.hours(Self.tomorrow), then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker && kiosk.names(.visitBegan).count == 1)
  }

  @Test("H1.3: a token, a plug with on_connect = play, a headset's Play, a contact that waits, and a command")
  func others() {
    let manners = Manners(.once, delay: .seconds(5))
    let contact = Line(name: "SEAT", role: .button(.track(.number(2))), manners: manners)
    let kiosk = Self.kiosk(buttons: [], selectors: [contact]) { $0.onConnect = .play }
    // It was pressed before, and would begin afterwards.
    kiosk.edge("SEAT", true, then: .seconds(1))
    kiosk.feed(.hours(Self.closed))
    kiosk.forget()
    kiosk.read("song")
    #expect(kiosk.last(.tokenRead)?["ignored"] == "closed" && kiosk.last(.sessionRefused)?["by"] == "closed")
    kiosk.read("talk")
    #expect(kiosk.last(.sessionRefused)?["client"] == "cue")
    kiosk.plug("JACK", then: .seconds(10))
    #expect(kiosk.sounding == nil && kiosk.status.route.port == .headphones && kiosk.names(.visitBegan).isEmpty)
    for command in ["play", "start", "track 2", "cue welcome", "record"] {
      kiosk.type(command)
      #expect(kiosk.replies.last == "error: \(command): held by closed")
    }
    kiosk.type("token song")
    #expect(kiosk.replies.last == "error: token song: held by closed")
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped && !kiosk.isCapturing)
    kiosk.type("volume 33")
    #expect(kiosk.status.volume == 33)
    kiosk.feed(.hours(Self.tomorrow))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("H1.3: what is pulled out and plugged in while it is closed asks nobody anything")
  func plugs() {
    let kiosk = Self.playing(opening: .resume)
    Self.closes(kiosk)
    kiosk.plug("JACK")
    kiosk.unplug("JACK", then: .seconds(1))
    #expect(kiosk.names(.promptShown).isEmpty && kiosk.status.holds == [.closed])
    kiosk.feed(.hours(Self.tomorrow))
    #expect(kiosk.sounding == .speaker)
  }

  @Test("H1.3: a knob turns nothing, and its one line says so")
  func knob() {
    let knob = Knob(name: "VOLUME", use: .volume(points: 2), steps: 4)
    let kiosk = Self.kiosk(Self.closed, knobs: [knob])
    kiosk.feed(.knob(KnobID(0), .position(a: false, b: false, at: kiosk.now)))
    let volume = kiosk.status.volume
    kiosk.turn(-3, then: .seconds(1))
    kiosk.turn(-2, then: .seconds(1))
    #expect(kiosk.names(.knobTurned).map { $0["ignored"] } == ["closed", "closed"] && kiosk.status.volume == volume)
    kiosk.feed(.hours(Self.tomorrow))
    kiosk.turn(-3, then: .seconds(1))
    #expect(kiosk.last(.knobTurned)?["ignored"] == nil && kiosk.status.volume == (volume ?? 0) - 6)
  }

  @Test("H1.4: a recording goes on and can be ended; Stop and Pair act")
  func recording() {
    let kiosk = Self.kiosk()
    kiosk.pressOnce(.record)
    kiosk.feed(.hours(Self.closed), then: .seconds(4))
    #expect(kiosk.isCapturing && kiosk.status.holds.contains(.closed))
    kiosk.pressOnce(.record)
    #expect(!kiosk.isCapturing && kiosk.last(.recordingStopped)?["reason"] == "user")
    kiosk.pressOnce(.record)
    #expect(!kiosk.isCapturing)
    kiosk.pressOnce(.stop)
    #expect(kiosk.last(.buttonPressed)?["ignored"] == nil)
  }

  @Test("H1: a page and an alarm sound, and what they say; nothing goes on after them")
  func interrupters() {
    let kiosk = Self.kiosk(Self.closed, opening: .play)
    for line in ["PAGE", "ALARM"] {
      kiosk.edge(line, true, then: .seconds(1))
      #expect(kiosk.status.sessions == [line.lowercased()] && kiosk.status.holds.contains(.closed))
      kiosk.edge(line, false, then: .seconds(1))
    }
    kiosk.type("interrupt begin page")
    #expect(kiosk.replies == [])
    kiosk.type("interrupt end page resume")
    kiosk.feed(.scheduled(cue: 2, on: CalendarDay(number: 1)), then: .seconds(1))
    #expect(kiosk.status.cue == "call" && kiosk.last(.cueStarted)?["client"] == "page")
    kiosk.wait(.seconds(4))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("H1, K8: a night is no idle time, and nothing wakes the board in it")
  func night() {
    let kiosk = Self.playing(opening: .resume)
    Self.closes(kiosk)
    kiosk.wait(.seconds(120))
    #expect(kiosk.timers.isEmpty)
    let frame = kiosk.status.frame
    kiosk.wait(.seconds(50_000))
    kiosk.feed(.hours(Self.tomorrow))
    #expect(kiosk.sounding == .speaker && kiosk.status.frame == frame)
  }

  @Test("H1.8: a cue of the day is not spoken while it is closed, and done; that of a page is")
  func daily() {
    let cues = [Cue(name: "bells", path: "b"), Cue(name: "last", path: "l", client: "page")]
    let kiosk = Self.playing(cues: cues)
    kiosk.feed(.hours(Self.closed))
    kiosk.feed(.scheduled(cue: 0, on: CalendarDay(number: 0)))
    #expect(kiosk.last(.cueFailed)?["reason"] == "closed" && kiosk.last(.cueFailed)?.level == .info)
    kiosk.feed(.scheduled(cue: 1, on: CalendarDay(number: 0)), then: .seconds(10))
    #expect(kiosk.names(.cueStarted).map { $0["cue"] } == ["last"])
    #expect(kiosk.saves.last?.doneCues.count == 2)
  }

  @Test("E1.2: a signal shows that it is closed, from the boundary on")
  func signal() {
    let sign = Line(name: "SIGN", role: .signal(OutputSignal(whileAny: [.closed])))
    let kiosk = Self.kiosk(selectors: [sign])
    kiosk.pressOnce(.play)
    #expect(kiosk.signals["SIGN"] == nil)
    kiosk.feed(.hours(Self.closed))
    #expect(kiosk.signals["SIGN"] == .on && kiosk.sounding == .speaker)
    kiosk.wait(.seconds(4))
    kiosk.feed(.hours(Self.tomorrow))
    #expect(kiosk.signals["SIGN"] == nil)
  }

  @Test("H1.9: a cue of a page may say that it is closed, and of no other refusal")
  func refusalCue() {
    let cues = [
      Cue(name: "sorry", path: "s", client: "page", event: .sessionRefused),
      Cue(name: "low", path: "l", event: .sessionRefused),
    ]
    let kiosk = Self.kiosk(Self.closed, cues: cues)
    kiosk.pressOnce(.play, then: .seconds(10))
    #expect(kiosk.names(.cueStarted).map { $0["cue"] } == ["sorry"])
    let open = Self.kiosk(cues: cues)
    open.edge("ALARM", true, then: .seconds(1))
    open.pressOnce(.play, then: .seconds(10))
    #expect(open.names(.sessionRefused).count == 1 && open.names(.cueStarted).isEmpty)
  }

  @Test("H1.2, R5: with closing at the track's end, a contact that bounces ends nothing")
  func bounceAtClosing() {
    let kiosk = Self.kiosk(closing: .track, plugged: ["JACK"])
    kiosk.pressOnce(.play)
    kiosk.feed(.hours(Self.closed), then: .seconds(1))
    kiosk.edge("JACK", false, then: .milliseconds(4))
    kiosk.edge("JACK", true, then: .seconds(1))
    #expect(kiosk.sounding == .headphones && kiosk.names(.visitEnded).isEmpty)
  }

  // MARK: - Nothing follows

  /// It has closed, and the track that sounded then was heard to its end.
  private func isOver(_ kiosk: Kiosk) -> Bool {
    kiosk.wait(Kiosk.trackTime * 2 + .seconds(10))
    return kiosk.sounding == nil && kiosk.status.holds == [.closed]
  }

  private static let language = Line(name: "LANG", role: .selector(playlist: "english", released: "deutsch"))

  @Test(
    "H1.2, H1.3: a selector that is turned while the last track is heard counts behind it",
    arguments: [HoursSettings.Opening.nothing, .resume])
  func selectorAtClosing(opening: HoursSettings.Opening) {
    let kiosk = Self.kiosk(opening: opening, closing: .track, selectors: [Self.language], names: Kiosk.folders)
    kiosk.pressOnce(.play)
    kiosk.feed(.hours(Self.closed))
    kiosk.edge("LANG", true, then: .seconds(1))
    #expect(kiosk.status.playlist == "deutsch" && kiosk.sounding == .speaker)
    #expect(isOver(kiosk) && kiosk.status.playlist == "english" && kiosk.names(.trackStarted).count == 1)
    kiosk.feed(.hours(Self.tomorrow))
    #expect(kiosk.sounding == (opening == .resume ? .speaker : nil) && kiosk.status.playlist == "english")
  }

  @Test("H1.3, H1.7: where staff opens again, the selector counts at once")
  func selectorOpenedAgain() {
    let kiosk = Self.kiosk(closing: .track, selectors: [Self.language], names: Kiosk.folders)
    kiosk.pressOnce(.play)
    kiosk.feed(.hours(Self.closed))
    kiosk.edge("LANG", true, then: .seconds(1))
    #expect(kiosk.status.playlist == "deutsch")
    kiosk.type("hours open")
    #expect(kiosk.status.playlist == "english" && kiosk.sounding == .speaker)
  }

  @Test("H1.2: behind a cue that was heard out at closing, spoken word goes on with its track and no other")
  func speechAtClosing() {
    let music = SessionClient(name: "music", category: .playback, priority: 10, isSpeech: true)
    let kiosk = Self.kiosk(closing: .track, selectors: [Self.language], clients: [music], names: Kiosk.folders)
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.type("cue welcome")
    #expect(kiosk.sounding == nil)
    kiosk.feed(.hours(Self.closed))
    kiosk.edge("LANG", true, then: .seconds(10))
    #expect(kiosk.sounding == .speaker && kiosk.status.playlist == "deutsch")
    #expect(isOver(kiosk) && kiosk.names(.trackStarted).count == 1)
  }

  @Test("H1.3: a plug brings nothing back while a cue is heard out at closing")
  func plugAtClosing() {
    let kiosk = Self.kiosk(closing: .track, plugged: ["JACK"])
    kiosk.pressOnce(.play)
    kiosk.unplug("JACK")
    kiosk.type("cue welcome")
    kiosk.feed(.hours(Self.closed))
    kiosk.plug("JACK")
    #expect(kiosk.status.cue != nil && kiosk.sounding == nil)
    kiosk.wait(.seconds(10))
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed])
  }

  @Test("H1.2: behind a request that staff has skipped at closing, the background is heard for no more than a track")
  func requestAtClosing() {
    let kiosk = Self.kiosk(closing: .track) {
      $0.requests = RequestSettings()
      $0.requests?.after = .background
      $0.repeats = .queue
    }
    kiosk.pressOnce(.play)
    kiosk.type("track 3", then: .seconds(5))
    kiosk.feed(.hours(Self.closed))
    kiosk.type("next")
    #expect(isOver(kiosk))
  }

  @Test("H1.7: opened while a cue outlives the last track, the next one follows")
  func openedUnderCue() {
    let kiosk = Self.kiosk(closing: .track)
    kiosk.pressOnce(.play, then: .seconds(58))
    kiosk.type("cue welcome")
    kiosk.feed(.hours(Self.closed), then: .milliseconds(2_500))
    #expect(kiosk.status.cue != nil && kiosk.sounding == nil)
    kiosk.type("hours open", then: .seconds(5))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 2)
  }

  @Test("H1.2, H1.6: at opening that is heard which would have followed, if anything would")
  func followedAtOpening() {
    let cases: [(change: (inout Settings) -> Void, chosen: String?, track: Int?)] = [
      ({ $0.repeats = .track }, nil, 1), ({ $0.afterTrack = .stop }, "track 1", nil), ({ _ in }, "track 3", nil),
    ]
    for (change, chosen, track) in cases {
      let kiosk = Self.playing(opening: .resume, closing: .track, change)
      if let chosen { kiosk.type(chosen) }
      kiosk.feed(.hours(Self.closed))
      #expect(isOver(kiosk))
      kiosk.feed(.hours(Self.tomorrow))
      #expect((kiosk.sounding != nil) == (track != nil) && kiosk.status.track == track ?? kiosk.status.track)
    }
  }
}
