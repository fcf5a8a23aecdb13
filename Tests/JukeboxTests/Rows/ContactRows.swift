import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Contacts with manners: whether a press counts, and what waits (O1, O2, O4 to O7).
@Suite struct ContactRows {
  static func line(_ name: String, _ button: Button, _ manners: Manners?) -> Line {
    Line(name: name, role: .button(button), manners: manners)
  }

  static func kiosk(
    _ manners: Manners, _ button: Button = .track(.number(2)), more: [Line] = [], plugged: Set<String> = [],
    names: [String]? = nil, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(plugged: plugged, selectors: [line("PIR", button, manners)] + more, names: names, change)
  }

  /// Closes a contact for a moment.
  static func trip(_ kiosk: Kiosk, _ name: String = "PIR") {
    kiosk.plug(name)
    kiosk.unplug(name)
  }

  static func ignored(_ kiosk: Kiosk) -> [String?] { kiosk.names(.buttonPressed).map { $0["ignored"] } }

  // MARK: - Visits

  @Test("K8, O11: a sensor whose delay ends in nothing is no input")
  func delayedNothing() {
    let kiosk = Self.kiosk(Manners(.once, delay: .seconds(2)), .track(.number(99))) { $0.idleReset = .seconds(20) }
    kiosk.type("track 2")
    kiosk.type("pause")
    for _ in 0..<4 {
      kiosk.wait(.seconds(4))
      Self.trip(kiosk)
    }
    // The first one has begun a visit.
    kiosk.wait(.seconds(9))
    #expect(kiosk.status.track == 1)
  }

  @Test("O11: a sensor that fires puts off the end of no visit, and begins one only where its press counts")
  func visits() {
    let kiosk = Self.kiosk(Manners(.finish, inhibit: .seconds(3_600))) { $0.afterTrack = .stop }
    Self.trip(kiosk)
    kiosk.type("stop")
    #expect(kiosk.last(.visitBegan)?["by"] == "press")
    kiosk.plug("JACK")
    kiosk.pressOnce(.volumeUp)
    kiosk.unplug("JACK")
    for _ in 0..<3 {
      kiosk.wait(.seconds(3))
      Self.trip(kiosk)
    }
    kiosk.wait(.seconds(2))
    // The next visitor finds the volume at its start.
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == kiosk.jukebox.volumes.start)
    #expect(kiosk.names(.visitEnded).map { $0["reason"] } == ["hung-up"])
    kiosk.unplug("JACK", then: .seconds(11))
    kiosk.plug("JACK")
    kiosk.unplug("JACK")
    let visits = kiosk.names(.visitBegan).count
    kiosk.wait(.seconds(600))
    Self.trip(kiosk)
    #expect(kiosk.names(.visitBegan).count == visits && kiosk.last(.buttonPressed)?["ignored"] == "inhibited")
  }

  // MARK: - once, finish

  @Test("O1: a contact that chooses once is a button: each press begins the track anew")
  func once() {
    let kiosk = Self.kiosk(Manners(.once))
    Self.trip(kiosk)
    kiosk.wait(.seconds(10))
    #expect(kiosk.status.track == 2 && kiosk.sounding == .speaker)
    Self.trip(kiosk)
    #expect(kiosk.status.frame < Kiosk.rate && Self.ignored(kiosk) == [nil, nil])
  }

  @Test("O2: a press does nothing while something chosen sounds or waits, and counts again behind its end")
  func finish() {
    let kiosk = Self.kiosk(Manners(.finish), more: [Self.line("B", .track(.number(3)), Manners(.finish))]) {
      $0.afterTrack = .stop
    }
    // What nobody has chosen gives way.
    kiosk.type("play")
    Self.trip(kiosk)
    #expect(kiosk.status.track == 2)
    kiosk.wait(.seconds(10))
    Self.trip(kiosk, "B")
    Self.trip(kiosk)
    kiosk.type("interrupt begin page")
    Self.trip(kiosk, "B")
    #expect(kiosk.status.track == 2 && Self.ignored(kiosk) == [nil, "busy", "busy", "busy"])
    kiosk.type("interrupt end page resume", then: .seconds(60))
    #expect(kiosk.sounding == nil)
    Self.trip(kiosk, "B")
    #expect(kiosk.status.track == 3 && kiosk.sounding == .speaker)
  }

  @Test("O2: behind the chosen track, what follows by itself is not chosen; a playlist is until it is left")
  func finishAfter() {
    let kiosk = Self.kiosk(Manners(.finish))
    Self.trip(kiosk)
    kiosk.wait(.seconds(61))
    #expect(kiosk.status.track == 3)
    Self.trip(kiosk)
    #expect(kiosk.status.track == 2)
    let folder = Self.kiosk(Manners(.finish), .playlist("english"), names: Kiosk.folders)
    Self.trip(folder)
    folder.wait(.seconds(61))
    #expect(folder.status.track == 2 && folder.sounding == .speaker)
    Self.trip(folder)
    #expect(folder.status.track == 2 && Self.ignored(folder) == [nil, "busy"])
    folder.type("stop")
    Self.trip(folder)
    #expect(Self.ignored(folder) == [nil, "busy", nil])
  }

  @Test("O2, D3: a cue that is spoken, or waits, is not asked for again")
  func finishCue() {
    let kiosk = Self.kiosk(Manners(.finish), .cue)
    Self.trip(kiosk)
    Self.trip(kiosk)
    #expect(kiosk.status.cue == "welcome" && Self.ignored(kiosk) == [nil, "busy"])
    kiosk.wait(Kiosk.cueTime)
    Self.trip(kiosk)
    #expect(kiosk.names(.cueStarted).count == 2 && kiosk.names(.cueEnded).count == 1)
  }

  // MARK: - Times

  @Test("O5: a press counts only where the contact was open for long enough")
  func rearm() {
    let kiosk = Self.kiosk(Manners(.once, rearm: .milliseconds(500)))
    Self.trip(kiosk)
    kiosk.wait(.milliseconds(400))
    Self.trip(kiosk)
    kiosk.wait(.milliseconds(470))
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, "rearm", nil])
  }

  @Test("O5.1: for a while after the end of what it has started, no press counts", arguments: ["end", "stop", "other"])
  func inhibit(ending: String) {
    let kiosk = Self.kiosk(Manners(.once, inhibit: .seconds(30))) { $0.afterTrack = .stop }
    Self.trip(kiosk)
    // What sounds has not ended.
    Self.trip(kiosk)
    kiosk.wait(ending == "end" ? .seconds(59) : .seconds(20))
    if ending == "stop" { kiosk.pressOnce(.stop) }
    if ending == "other" { kiosk.type("track 3") }
    kiosk.wait(.seconds(25))
    Self.trip(kiosk)
    kiosk.wait(.seconds(6))
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk).filter { $0 != nil } == ["inhibited"] && kiosk.status.track == 2)
  }

  @Test("O5.1: after a cue, too")
  func inhibitCue() {
    let kiosk = Self.kiosk(Manners(.once, inhibit: .seconds(30)), .cue)
    Self.trip(kiosk)
    kiosk.wait(Kiosk.cueTime + .seconds(20))
    Self.trip(kiosk)
    kiosk.wait(.seconds(10))
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, "inhibited", nil])
  }

  @Test("O5.2: what a press starts begins later, once")
  func delay() {
    let kiosk = Self.kiosk(Manners(.once, delay: .seconds(4)))
    Self.trip(kiosk)
    kiosk.wait(.seconds(2))
    Self.trip(kiosk)
    #expect(kiosk.sounding == nil && Self.ignored(kiosk) == [nil, "busy"])
    kiosk.wait(.milliseconds(1_850))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(60))
    #expect(kiosk.status.track == 2 && kiosk.sounding == .speaker)
  }

  @Test(
    "O5.2: it does not begin where somebody decides otherwise, the port is another, or the system sleeps",
    arguments: ["stop", "track", "unplug", "plug", "sleep", "off"])
  func cancelledDelay(by what: String) {
    let kiosk = Self.kiosk(
      Manners(.once, delay: .seconds(4)), more: [Self.line("B", .track(.number(3)), Manners(.once))],
      plugged: what == "plug" ? [] : ["JACK"])
    Self.trip(kiosk)
    switch what {
    case "stop": kiosk.pressOnce(.stop)
    case "track": Self.trip(kiosk, "B")
    case "unplug": kiosk.unplug("JACK")
    case "plug": kiosk.plug("JACK")
    case "sleep": kiosk.feed(.woke(asserted: [kiosk.line("JACK")], slept: .zero))
    default: kiosk.feed(.shutdown(reason: "test"))
    }
    kiosk.wait(.seconds(9))
    #expect(kiosk.status.track == (what == "track" ? 3 : 1) && (kiosk.sounding == nil) == (what != "track"))
  }

  @Test("O5.2, O2: a delay is something that waits, for another contact that lets things finish")
  func delayedAndFinish() {
    let kiosk = Self.kiosk(
      Manners(.finish, delay: .seconds(4)), more: [Self.line("B", .track(.number(3)), Manners(.finish))])
    Self.trip(kiosk)
    Self.trip(kiosk, "B")
    kiosk.wait(.seconds(5))
    #expect(kiosk.status.track == 2 && Self.ignored(kiosk) == [nil, "busy"])
  }

  @Test("O5.3, V1: a contact is not heeded for a while after power on, and begins no visit then")
  func atBoot() {
    let kiosk = Self.kiosk(Manners(.once, ignoreAtBoot: .seconds(60)))
    for _ in 0..<5 {
      kiosk.wait(.seconds(10))
      Self.trip(kiosk)
    }
    #expect(Self.ignored(kiosk) == Array(repeating: "boot", count: 5) && kiosk.names(.visitBegan).isEmpty)
    kiosk.wait(.seconds(10))
    Self.trip(kiosk)
    #expect(kiosk.status.track == 2 && kiosk.names(.visitBegan).count == 1)
  }

  // MARK: - Together, at power on, asleep

  @Test(
    "O6: of two that close in one instant, the first of the board file counts",
    arguments: [["PIR", "B"], ["B", "PIR"]])
  func together(order: [String]) {
    for mode in [Manners.Mode.once, .finish, .while] {
      let kiosk = Self.kiosk(Manners(mode), more: [Self.line("B", .track(.number(3)), Manners(mode))])
      for name in order { kiosk.edge(name, true) }
      kiosk.wait(.milliseconds(30))
      #expect(kiosk.status.track == 2)
      #expect(kiosk.names(.buttonPressed).map { $0["line"] } == ["PIR", "B"] && Self.ignored(kiosk) == [nil, "busy"])
    }
  }

  @Test("O6: whichever of their timers fires first")
  func firstTimer() {
    let kiosk = Self.kiosk(Manners(.once), more: [Self.line("B", .track(.number(3)), Manners(.once))])
    for name in ["B", "PIR"] { kiosk.edge(name, true) }
    let effects = kiosk.jukebox.handle(.timer(.settle(kiosk.line("B"))), at: kiosk.now + .milliseconds(30))
    let pressed = effects.compactMap { effect in
      if case .log(let event) = effect, event.name == .buttonPressed { event["line"] } else { nil }
    }
    #expect(pressed == ["PIR", "B"] && kiosk.jukebox.player.queue.track == 1)
  }

  @Test(
    "O7, K4: a contact that is closed at power on starts nothing until it was open once",
    arguments: Manners.Mode.allCases)
  func closedAtPowerOn(mode: Manners.Mode) {
    let isFolder = mode == .next || mode == .random
    let kiosk = Self.kiosk(
      Manners(mode), isFolder ? .playlist("english") : .track(.number(2)), plugged: ["PIR"],
      names: isFolder ? Kiosk.folders : nil)
    kiosk.wait(.seconds(20))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.names(.lineStuck).count == (mode == .while ? 0 : 1))
    kiosk.unplug("PIR")
    kiosk.plug("PIR")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("O9, R11: time asleep does not count for any of its times")
  func asleep() {
    let kiosk = Self.kiosk(Manners(.once, rearm: .seconds(2), inhibit: .seconds(30))) { $0.afterTrack = .stop }
    Self.trip(kiosk)
    kiosk.type("stop", then: .seconds(20))
    kiosk.feed(.woke(asserted: [], slept: .seconds(15)), then: .seconds(20))
    Self.trip(kiosk)
    #expect(Self.ignored(kiosk) == [nil, "inhibited"])
  }

  @Test("O1 to O9: a week of a motion sensor that trips every few seconds")
  func week() {
    let kiosk = Self.kiosk(Manners(.finish, rearm: .milliseconds(100), inhibit: .seconds(20))) { $0.afterTrack = .stop }
    for day in 0..<7 {
      for visitor in 0..<20 {
        for _ in 0..<30 {
          kiosk.plug("PIR", then: .milliseconds(500))
          kiosk.unplug("PIR", then: .seconds(4))
        }
        kiosk.wait(.seconds(600))
        #expect(kiosk.sounding == nil, "day \(day), visitor \(visitor)")
      }
      #expect(kiosk.names(.playbackStarted).count == 40)
      kiosk.forget()
    }
  }
}
