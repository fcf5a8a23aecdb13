import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A contact that closes the kiosk.
@Suite struct SilenceRows {
  private typealias H = HoursRows

  private static func contact(_ backAfter: Duration = .zero) -> Line {
    Line(name: "QUIET", role: .silence(backAfter: backAfter))
  }

  /// Music plays on the loudspeaker.
  private static func playing(_ contacts: [Line], hours: HoursReport? = nil) -> Kiosk {
    let kiosk =
      hours.map { H.kiosk($0, opening: .resume, selectors: contacts) } ?? Kiosk(selectors: contacts)
    kiosk.pressOnce(.play)
    kiosk.forget()
    return kiosk
  }

  private static func turn(_ kiosk: Kiosk, _ isOn: Bool, _ name: String = "QUIET") {
    kiosk.edge(name, isOn, then: .seconds(4))
  }

  @Test("H1.10: closed for as long as it is asserted, and what played goes on behind it, with hours or without")
  func asserted() {
    for hours in [nil, H.open] {
      let kiosk = Self.playing([Self.contact()], hours: hours)
      Self.turn(kiosk, true)
      #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed] && kiosk.status.hours?.by == "line")
      #expect(kiosk.names(.hoursClosed).map { $0["by"] } == ["line"])
      kiosk.pressOnce(.play)
      kiosk.type("hours open", then: .seconds(7_200))
      #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed])
      Self.turn(kiosk, false)
      #expect(kiosk.sounding == .speaker && kiosk.names(.hoursOpened).map { $0["by"] } == ["line"])
    }
  }

  @Test("H1.1, H1.10: the music fades for a switch, too, and goes on where it was heard last")
  func fades() {
    for hours in [nil, H.open] {
      let kiosk = Self.playing([Self.contact()], hours: hours)
      kiosk.edge("QUIET", true, then: .milliseconds(100))
      #expect(kiosk.commands.contains(.duck(level: -.infinity, over: .seconds(3))), "\(hours == nil)")
    }
  }

  @Test("J5.1, H1.10: what is stopped behind a switch takes no request with it")
  func stopped() {
    let kiosk = H.kiosk(H.open, opening: .resume, selectors: [Self.contact()]) { $0.requests = RequestSettings() }
    for track in [2, 1, 2] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(5))
    Self.turn(kiosk, true)
    let waiting = kiosk.ledgers.last?.requests.count ?? 0
    kiosk.type("stop")
    #expect(waiting > 1 && kiosk.ledgers.last?.requests.count ?? 0 >= waiting - 1)
  }

  @Test("J5.1, H1.10: closing drops requests with their credit back, whatever opening does; a switch keeps them")
  func requests() {
    for byLine in [true, false] {
      let kiosk = H.kiosk(H.open, opening: .resume, selectors: [Self.contact()]) { $0.requests = RequestSettings() }
      for track in [2, 1] { kiosk.type("track \(track)") }
      kiosk.wait(.seconds(5))
      if byLine { Self.turn(kiosk, true) } else { H.closes(kiosk) }
      #expect(kiosk.ledgers.last?.requests.count == (byLine ? 2 : 0))
      if byLine { Self.turn(kiosk, false) } else { kiosk.feed(.hours(H.tomorrow)) }
      #expect(kiosk.sounding == (byLine ? .speaker : nil) && kiosk.status.track == (byLine ? 2 : 1))
    }
  }

  @Test("J5.1: what a switch kept is dropped when the clock has closed before it is released")
  func requestsOverClosing() {
    let kiosk = H.kiosk(H.open, opening: .resume, selectors: [Self.contact()]) { $0.requests = RequestSettings() }
    kiosk.type("track 2")
    Self.turn(kiosk, true)
    kiosk.feed(.hours(H.closed))
    #expect(kiosk.ledgers.last?.requests.count == 1)
    Self.turn(kiosk, false)
    #expect(kiosk.ledgers.last?.requests.isEmpty == true)
    kiosk.feed(.hours(H.tomorrow))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("H1.10: one that is forgotten counts for back_after, and again once it was released")
  func forgotten() {
    let kiosk = Self.playing([Self.contact(.seconds(3_600))])
    Self.turn(kiosk, true)
    kiosk.wait(.seconds(3_595))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.seconds(2))
    #expect(kiosk.sounding == .speaker && kiosk.timers[.silence] == nil)
    Self.turn(kiosk, false)
    #expect(kiosk.sounding == .speaker)
    Self.turn(kiosk, true)
    #expect(kiosk.sounding == nil)
  }

  @Test("H1.10: outside the hours releasing the switch opens nothing")
  func night() {
    let night = H.kiosk(H.closed, selectors: [Self.contact()])
    Self.turn(night, true)
    Self.turn(night, false)
    #expect(night.status.holds == [.closed] && night.names(.hoursOpened).isEmpty)
  }

  @Test("H1.10, H2.2: a boot with the switch on is silent from the first frame, and for back_after at most")
  func boot() {
    let kiosk = Self.playing([Self.contact()])
    kiosk.wait(.seconds(120))
    let contacts = [Self.contact(.seconds(60))]
    let next = Kiosk(
      plugged: ["QUIET"], saved: .state(kiosk.saves.last ?? H.playing().saves[0]), selectors: contacts
    ) { $0.playOnBoot = true }
    #expect(!next.commands.contains(.play) && next.status.holds == [.closed])
    next.wait(.seconds(61))
    #expect(next.sounding == .speaker && next.status.holds == [])
  }

  @Test("H1.10, I9: a page while the switch is on, however long, costs no music; nor does the switch a sleep timer")
  func longPage() {
    let kiosk = Self.playing([Self.contact()])
    kiosk.type("sleep 1h")
    Self.turn(kiosk, true)
    kiosk.type("interrupt begin page", then: .seconds(900))
    kiosk.type("interrupt end page resume")
    Self.turn(kiosk, false)
    #expect(kiosk.sounding == .speaker && kiosk.status.sleepText != nil)
    Self.turn(kiosk, true)
    kiosk.type("sleep off")
    #expect(kiosk.status.sleepText == nil && kiosk.last(.sleepEnded)?["reason"] == "off")
  }

  @Test("H1.10, H5.5: what was paused while the switch was on waits at its frame, and goes on when somebody asks")
  func pausedMeanwhile() {
    for command in ["sleep 30s", "pause"] {
      let kiosk = Self.playing([Self.contact()])
      kiosk.wait(.seconds(10))
      let frame = kiosk.status.frame
      if command != "pause" { kiosk.type(command) }
      Self.turn(kiosk, true)
      if command == "pause" { kiosk.type(command) }
      kiosk.wait(.seconds(40))
      Self.turn(kiosk, false)
      #expect(kiosk.sounding == nil && kiosk.status.state == .paused && kiosk.status.frame >= frame, "\(command)")
      kiosk.type("play")
      #expect(kiosk.sounding == .speaker && kiosk.status.frame >= frame)
    }
  }

  @Test("H1.11: what a person has paused stays paused at its frame behind a switch, with hours or without")
  func pausedBefore() {
    for hours in [nil, H.open] {
      let kiosk = Self.playing([Self.contact()], hours: hours)
      kiosk.wait(.seconds(10))
      kiosk.pressOnce(.play)
      let frame = kiosk.status.frame
      Self.turn(kiosk, true)
      #expect(kiosk.status.state == .paused && kiosk.status.holds == [.closed] && kiosk.status.frame == frame)
      Self.turn(kiosk, false)
      #expect(kiosk.sounding == nil && kiosk.status.state == .paused && kiosk.status.frame == frame)
      kiosk.pressOnce(.play)
      #expect(kiosk.sounding == .speaker && kiosk.names(.playbackResumed).first?["frame"] == String(frame))
    }
  }

  @Test("H1.11, H1.5: what somebody has paused on headphones is over, as what plays there is")
  func pausedAlone() {
    let kiosk = Kiosk(plugged: ["JACK"], selectors: [Self.contact()])
    kiosk.pressOnce(.play, then: .seconds(10))
    kiosk.pressOnce(.play)
    Self.turn(kiosk, true)
    #expect(kiosk.status.state == .stopped && kiosk.status.frame == 0)
  }

  @Test("H1.11, J5.1: a request that is paused waits behind a switch, and a paused request is dropped at closing")
  func pausedRequest() {
    for byLine in [true, false] {
      let kiosk = H.kiosk(H.open, opening: .resume, selectors: [Self.contact()]) { $0.requests = RequestSettings() }
      kiosk.type("track 2", then: .seconds(5))
      kiosk.type("pause")
      if byLine { Self.turn(kiosk, true) } else { H.closes(kiosk) }
      #expect(kiosk.ledgers.last?.requests.count == (byLine ? 1 : 0))
      #expect(kiosk.status.state == (byLine ? .paused : .stopped))
    }
  }

  @Test("H1.11, W2: so it does where the switch is on at power on")
  func pausedAtPowerOn() throws {
    for hours in [nil, H.open] {
      let kiosk = Self.playing([Self.contact()], hours: hours)
      kiosk.wait(.seconds(10))
      kiosk.pressOnce(.play, then: .seconds(120))
      let saved = try #require(kiosk.saves.last)
      let next = Kiosk(plugged: ["QUIET"], saved: .state(saved), selectors: [Self.contact()], hours: hours) {
        if hours != nil { $0.hours = HoursSettings(WeekCalendar(), opening: .resume) }
      }
      #expect(next.status.state == .paused && next.status.frame == saved.frame && saved.frame > 0)
      Self.turn(next, false)
      #expect(next.sounding == nil && next.status.state == .paused && next.status.frame == saved.frame)
    }
  }

  @Test(
    "H1.11, H2.3, W2: nor does a switch, or staff, start what a power cut has paused, and then the time does not, either",
    arguments: [true, false])
  func pausedWithoutTime(byLine: Bool) throws {
    let kiosk = Self.playing([Self.contact()], hours: H.open)
    kiosk.wait(.seconds(120))
    let saved = try #require(kiosk.saves.last)
    let next = H.kiosk(.unknown, opening: .resume, saved: saved, selectors: [Self.contact()])
    #expect(next.status.state == .paused && next.status.frame == saved.frame)
    if byLine { Self.turn(next, true) } else { next.type("hours closed", then: .seconds(4)) }
    #expect(next.status.holds == [.closed])
    if byLine { Self.turn(next, false) } else { next.type("hours open", then: .seconds(4)) }
    #expect(next.sounding == nil && next.status.state == (byLine ? .paused : .stopped))
    if byLine { #expect(next.status.frame == saved.frame) }
    next.feed(.hours(H.tomorrow), then: .seconds(1))
    #expect(next.sounding == nil)
  }

  // MARK: - Behind a contact that keeps music sounding

  private static func seated(_ hours: HoursReport? = nil) -> Kiosk {
    let mat = ContactRows.line("MAT", .track(.number(2)), Manners(.while))
    let kiosk =
      hours.map { H.kiosk($0, opening: .resume, selectors: [contact(), mat]) } ?? Kiosk(selectors: [contact(), mat])
    kiosk.plug("MAT", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test("H1.11, O3: what a closed contact keeps sounding goes on behind a switch, and ends with the contact")
  func heldContact() {
    for hours in [nil, H.open] {
      let kiosk = Self.seated(hours)
      Self.turn(kiosk, true)
      #expect(kiosk.sounding == nil)
      Self.turn(kiosk, false)
      #expect(kiosk.sounding == .speaker && kiosk.status.track == 2 && kiosk.status.frame > 4 * Kiosk.rate)
      kiosk.unplug("MAT", then: .seconds(1))
      #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    }
  }

  @Test("H1.11, O3.1: a contact that opens behind a switch has ended its music")
  func openedContact() {
    let kiosk = Self.seated()
    Self.turn(kiosk, true)
    kiosk.unplug("MAT", then: .seconds(1))
    Self.turn(kiosk, false)
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped && kiosk.status.track == 1)
  }

  @Test("H1.5, O3: where the clock has closed meanwhile, what a closed contact kept is over")
  func heldContactOverClosing() {
    let kiosk = Self.seated(H.open)
    Self.turn(kiosk, true)
    kiosk.feed(.hours(H.closed))
    Self.turn(kiosk, false)
    kiosk.feed(.hours(H.tomorrow), then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }
}
