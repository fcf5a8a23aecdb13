import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Opening, what staff says, and power cuts around a boundary.
@Suite struct OpeningRows {
  private typealias H = HoursRows

  /// The kiosk after another start, which knows what was saved last.
  private func restarted(
    _ kiosk: Kiosk, _ report: HoursReport, opening: HoursSettings.Opening = .nothing, plugged: Set<String> = [],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    kiosk.wait(.seconds(120))
    return H.kiosk(report, opening: opening, plugged: plugged, saved: kiosk.saves.last, change)
  }

  // MARK: - Opening

  @Test("H1.6: nothing plays at opening, or the music begins", arguments: [HoursSettings.Opening.nothing, .play])
  func opening(opening: HoursSettings.Opening) {
    let kiosk = H.playing(opening: opening)
    kiosk.press(.next, then: .seconds(5))
    H.closes(kiosk)
    kiosk.forget()
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.sounding == (opening == .play ? .speaker : nil) && kiosk.status.holds == [])
    #expect(kiosk.status.track == 1 && kiosk.names(.hoursOpened).map { $0["until"] } == ["1970-01-02 18:00"])
    #expect(kiosk.names(.playbackStarted).map { $0["cause"] } == (opening == .play ? ["opened"] : []))
    #expect(kiosk.names(.visitBegan).isEmpty)
  }

  @Test("H1.5, H1.6: what played aloud at closing goes on at its frame; what somebody heard alone does not")
  func resume() {
    let kiosk = H.playing(opening: .resume)
    let before = kiosk.status.frame
    H.closes(kiosk)
    #expect(kiosk.last(.playbackPaused)?["cause"] == "closed" && kiosk.names(.playbackStopped).isEmpty)
    let frame = kiosk.status.frame
    #expect(kiosk.status.state == .paused && abs(frame - before - 3 * Kiosk.rate) <= Kiosk.rate / 100)
    kiosk.wait(.seconds(3_600))
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.last(.playbackResumed)?["cause"] == "opened" && kiosk.status.frame == frame)
    let alone = H.kiosk(opening: .resume, plugged: ["JACK"])
    alone.pressOnce(.play)
    H.closes(alone)
    #expect(alone.last(.playbackStopped)?["cause"] == "closed")
    alone.feed(.hours(H.tomorrow))
    #expect(alone.sounding == nil)
  }

  @Test("H1.6: with another route at opening, what was kept stops instead of sounding there")
  func otherRoute() {
    let kiosk = H.playing(opening: .resume)
    H.closes(kiosk)
    kiosk.plug("JACK")
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("H1.5: a prompt goes with the hours")
  func prompt() {
    let kiosk = H.kiosk(opening: .resume, plugged: ["JACK"])
    kiosk.pressOnce(.play)
    kiosk.unplug("JACK")
    #expect(kiosk.status.isPromptShown)
    kiosk.feed(.hours(H.closed))
    #expect(!kiosk.status.isPromptShown && kiosk.names(.promptExpired).count == 1 && kiosk.status.state == .stopped)
  }

  @Test("H1.7: opened again within the fade, the music is as loud as before")
  func withinFade() {
    let kiosk = H.playing()
    kiosk.type("hours closed", then: .seconds(1))
    kiosk.type("hours open", then: .seconds(60))
    #expect(kiosk.sounding == .speaker && kiosk.names(.playbackPaused).isEmpty)
    #expect(
      kiosk.commands.contains(.duck(level: 0, over: .milliseconds(500))) && kiosk.names(.playbackStopped).isEmpty)
  }

  // MARK: - Staff

  @Test("H1.7: what staff says counts until the next boundary")
  func orders() {
    let kiosk = H.playing()
    kiosk.type("hours")
    #expect(kiosk.replies.last == "open until 1970-01-01 18:00, by clock")
    kiosk.type("hours closed", then: .seconds(4))
    #expect(kiosk.sounding == nil && kiosk.last(.hoursClosed)?["by"] == "staff")
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == nil)
    kiosk.feed(.hours(H.closed))
    #expect(kiosk.names(.hoursClosed).count == 1)
    kiosk.read("day")
    #expect(kiosk.status.holds == [] && kiosk.last(.hoursOpened)?["by"] == "staff")
    #expect(kiosk.last(.tokenRead)?["hours"] == "open" && kiosk.last(.tokenRead)?["ignored"] == nil)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    kiosk.type("hours auto", then: .seconds(4))
    #expect(kiosk.status.holds == [.closed] && kiosk.last(.hoursClosed)?["by"] == "clock")
    kiosk.read("day")
    kiosk.feed(.hours(H.tomorrow))
    kiosk.feed(.hours(.known(isWithin: false, until: H.boundary(57))), then: .seconds(4))
    #expect(kiosk.status.holds == [.closed])
  }

  @Test("H1.7: bad words, and a kiosk without hours")
  func words() {
    let kiosk = H.kiosk()
    kiosk.type("hours tomorrow")
    #expect(kiosk.replies.last == "error: hours tomorrow: expected open, closed, auto or nothing after it")
    let plain = Kiosk()
    plain.type("hours closed")
    #expect(plain.replies.last == "error: hours: the settings have none, expected [hours] in them")
    plain.type("hours")
    #expect(plain.replies.last == "always open" && !plain.status.line.contains("hours"))
  }

  @Test("H1.7: what staff has said is saved in that instant, and counts after a power cut until the same boundary")
  func ordersSurvive() {
    let kiosk = H.kiosk()
    kiosk.wait(.seconds(200))
    kiosk.forget()
    kiosk.type("hours closed", then: .milliseconds(1))
    #expect(kiosk.saves.last?.hours == HoursMemory(until: H.evening.second, order: .closed))
    let next = H.kiosk(H.open, saved: kiosk.saves.last)
    #expect(next.status.holds == [.closed] && next.status.hours?.by == "staff")
    #expect(H.kiosk(H.tomorrow, saved: kiosk.saves.last).status.holds == [])
    // What counts no more is not to come back, should the clock be set back.
    let later = H.kiosk(H.tomorrow, saved: kiosk.saves.last)
    later.wait(.milliseconds(1))
    #expect(later.saves.last?.hours == HoursMemory(until: H.tomorrow.until?.second))
    let clueless = H.kiosk(.unknown, saved: kiosk.saves.last)
    #expect(clueless.status.holds == [])
    clueless.feed(.hours(H.open))
    #expect(clueless.status.holds == [.closed])
  }

  @Test("H1.7: what staff says while nobody knows the time counts until the next boundary, and not after a power cut")
  func ordersWithoutTime() {
    let known = H.kiosk(H.open)
    known.type("volume 40", then: .seconds(120))
    let kiosk = H.kiosk(.unknown, saved: known.saves.last)
    kiosk.type("hours closed", then: .milliseconds(1))
    #expect(kiosk.status.holds == [.closed])
    let next = H.kiosk(.unknown, saved: kiosk.saves.last)
    #expect(next.status.holds == [])
    next.feed(.hours(H.open))
    #expect(next.status.holds == [])
    kiosk.feed(.hours(H.open))
    #expect(kiosk.status.holds == [.closed])
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.status.holds == [])
  }

  // MARK: - Truth about time

  @Test("H2: nobody knows the time: open, said once; then the hold is right")
  func unknown() {
    let kiosk = H.kiosk(.unknown, opening: .resume)
    #expect(kiosk.names(.hoursUnknown).count == 1 && kiosk.status.hours?.state == .unknown)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    kiosk.feed(.hours(H.closed), then: .seconds(4))
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed])
    kiosk.feed(.hours(.unknown))
    #expect(kiosk.names(.hoursUnknown).count == 1)
  }

  @Test("H2.1: a jump over a boundary and back, and over a whole night, does nothing but what is true now")
  func jumps() {
    let kiosk = H.playing(opening: .play)
    kiosk.forget()
    // Over the night: it is open, as before.
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.sounding == .speaker && kiosk.events.isEmpty)
    H.closes(kiosk)
    kiosk.feed(.hours(.known(isWithin: false, until: H.boundary(57))))
    #expect(kiosk.names(.hoursClosed).count == 1 && kiosk.names(.hoursOpened).isEmpty && kiosk.sounding == nil)
  }

  @Test("H2.1: a clock that jumps over an opening starts nothing that somebody has stopped, and drops no requests")
  func jumpsOverOpening() {
    let kiosk = H.playing(opening: .play)
    kiosk.pressOnce(.stop, then: .seconds(700))
    kiosk.forget()
    for report in [H.tomorrow, H.open, .unknown, H.open] { kiosk.feed(.hours(report)) }
    #expect(kiosk.sounding == nil && kiosk.names(.hoursOpened).isEmpty)
    let jukebox = H.kiosk(H.open) { $0.requests = RequestSettings() }
    jukebox.type("track 1")
    jukebox.type("track 2")
    jukebox.pressOnce(.stop)
    let waiting = jukebox.status.waiting
    jukebox.feed(.hours(H.tomorrow))
    #expect(jukebox.names(.hoursOpened).isEmpty && jukebox.status.waiting == waiting && waiting == 1)
  }

  @Test("H2.2: a boot while it is closed is silent from the first frame, and stands at the start")
  func boot() {
    let kiosk = H.playing { $0.playOnBoot = true }
    kiosk.press(.next, then: .seconds(120))
    let next = H.kiosk(H.closed, saved: kiosk.saves.last) { $0.playOnBoot = true }
    #expect(!next.commands.contains(.play) && next.status.holds == [.closed] && next.status.state == .stopped)
    #expect(next.names(.hoursClosed).count == 1)
    next.wait(.seconds(10))
    #expect(!next.commands.contains(.play) && next.timers.isEmpty)
    next.feed(.hours(H.tomorrow))
    #expect(next.sounding == nil && next.status.track == 1)
    // The same outside the hours goes on by itself.
    #expect(H.kiosk(H.open, saved: kiosk.saves.last) { $0.playOnBoot = true }.sounding == .speaker)
  }

  @Test("H2.2, H2.3: music that is kept through a night goes on after a power cut in it, or after one across opening")
  func keptOverPowerCut() {
    let kiosk = H.playing(opening: .resume)
    H.closes(kiosk)
    let frame = kiosk.status.frame
    let night = restarted(kiosk, H.closed, opening: .resume)
    #expect(!night.commands.contains(.play) && night.status.frame == frame)
    night.feed(.hours(H.tomorrow))
    #expect(night.sounding == .speaker && night.status.frame == frame)
    let late = restarted(kiosk, H.tomorrow, opening: .resume)
    #expect(late.sounding == .speaker && late.status.frame == frame)
    // The time becomes known a while after each boot.
    for report in [H.closed, H.tomorrow] {
      let clueless = restarted(kiosk, .unknown, opening: .resume)
      #expect(clueless.sounding == nil)
      clueless.wait(.seconds(20))
      clueless.feed(.hours(report))
      #expect(clueless.sounding == (report == H.closed ? nil : .speaker))
      if report == H.closed { clueless.feed(.hours(H.tomorrow)) }
      #expect(clueless.sounding == .speaker && clueless.status.frame == frame)
    }
  }

  @Test("H1.7, H2.2: so does music that was kept when staff closed, also where the time is known only after the boot")
  func orderKeptOverPowerCut() {
    let kiosk = H.playing(opening: .resume)
    kiosk.type("hours closed", then: .seconds(4))
    let frame = kiosk.status.frame
    for report in [H.open, .unknown] {
      let next = restarted(kiosk, report, opening: .resume)
      next.feed(.hours(H.open))
      #expect(next.status.holds == [.closed] && next.status.hours?.by == "staff" && next.status.frame == frame)
      next.feed(.hours(H.tomorrow))
      #expect(next.sounding == .speaker && next.status.frame == frame)
    }
  }

  @Test("H2.3: an opening that the board has missed is made up for, once")
  func missedOpening() {
    let kiosk = H.playing(opening: .play)
    H.closes(kiosk)
    let late = restarted(kiosk, H.tomorrow, opening: .play)
    #expect(late.sounding == .speaker && late.names(.hoursOpened).count == 1)
    late.pressOnce(.stop)
    #expect(restarted(late, H.tomorrow, opening: .play).sounding == nil)
    let clueless = restarted(kiosk, .unknown, opening: .play)
    #expect(clueless.sounding == nil)
    clueless.feed(.hours(H.tomorrow))
    #expect(clueless.sounding == .speaker)
    // Whoever is there by then is not disturbed.
    let used = restarted(kiosk, .unknown, opening: .play)
    used.pressOnce(.next)
    used.feed(.hours(H.tomorrow))
    #expect(used.sounding == nil)
    // Staff has opened before the clock does: that was the opening.
    let early = H.kiosk(H.closed, opening: .play)
    early.type("hours open")
    #expect(early.sounding == .speaker)
    early.pressOnce(.stop)
    early.feed(.hours(H.tomorrow))
    #expect(early.sounding == nil)
  }

  @Test(
    "H1.6, I9: what is held while it is closed has no limit: a card that was off at night costs no music in the morning"
  )
  func nightWithoutCard() {
    let kiosk = H.playing(opening: .resume) { $0.interruptionLimit = .seconds(600) }
    H.closes(kiosk)
    kiosk.loseOutput()
    #expect(kiosk.status.holds.contains(.outputUnavailable))
    kiosk.wait(.seconds(3_600))
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(60))
    kiosk.feed(.hours(H.open))
    #expect(kiosk.sounding == .speaker && kiosk.last(.playbackResumed)?["cause"] == "opened")
  }

  @Test("H1.6, I9: nor has a page at night")
  func nightPage() {
    let kiosk = H.playing(opening: .resume) { $0.interruptionLimit = .seconds(600) }
    H.closes(kiosk)
    kiosk.type("interrupt begin page", then: .seconds(900))
    kiosk.type("interrupt end page resume")
    kiosk.feed(.hours(H.open))
    #expect(kiosk.sounding == .speaker)
  }

  @Test("H5.4, H1.3: closing ends the sleep timer, and a press of its button while it is closed sets none")
  func sleepAtNight() {
    let kiosk = H.kiosk(opening: .resume, buttons: [.sleep])
    kiosk.pressOnce(.play)
    kiosk.pressOnce(.sleep)
    H.closes(kiosk)
    #expect(kiosk.status.sleepText == nil && kiosk.last(.sleepEnded)?["reason"] == "silent")
    kiosk.forget()
    kiosk.pressOnce(.sleep)
    #expect(kiosk.names(.sleepSet).isEmpty && kiosk.last(.buttonPressed)?["ignored"] == "closed")
    kiosk.type("sleep 5min")
    #expect(kiosk.names(.sleepSet).isEmpty && kiosk.replies.last?.contains("closed") == true)
    kiosk.wait(.seconds(3_600))
    kiosk.feed(.hours(H.open))
    #expect(kiosk.sounding == .speaker)
  }

  @Test("J5.1, H2.3: what was requested last night is over where the time is known only after the boot")
  func requestsOfLastNight() {
    for opening in [HoursSettings.Opening.nothing, .resume, .play] {
      let kiosk = H.kiosk(H.open, opening: opening) { $0.requests = RequestSettings() }
      kiosk.type("track 2")
      kiosk.type("track 3", then: .seconds(5))
      let kept = H.kiosk(
        .unknown, opening: opening, saved: kiosk.saves.last, ledger: .ledger(kiosk.ledgers.last ?? Ledger())
      ) { $0.requests = RequestSettings() }
      #expect(kept.jukebox.accounts.ledger.requests.count == 2)
      kept.feed(.hours(H.tomorrow))
      #expect(kept.jukebox.accounts.ledger.requests.isEmpty && kept.names(.requestDropped).count == 2)
      #expect((kept.sounding != nil) == (opening == .play))
    }
  }
}
