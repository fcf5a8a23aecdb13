import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// L: a card that lies on a reader.
@Suite struct CardRows {
  private static func kiosk(
    plugged: Set<String> = [], waits: Bool = true, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(
      plugged: plugged, tracks: 5, buttons: [.track(.number(1))], lifts: ["card": .milliseconds(700)]
    ) {
      $0.tokens = ["ONE": .track(.number(1)), "TWO": .track(.number(2)), "HI": .cue("welcome")]
      change(&$0)
    }
    if waits { kiosk.wait(.seconds(11)) }
    return kiosk
  }

  private func lay(_ token: String, _ kiosk: Kiosk) { kiosk.type("token \(token) card") }

  private func lift(_ kiosk: Kiosk) {
    kiosk.type("token lifted card", then: .seconds(1))
  }

  private func tokens(_ kiosk: Kiosk) -> [String] {
    kiosk.events.filter { [.tokenRead, .tokenLifted].contains($0.name) }.map { event in
      "\(event.name == .tokenRead ? "read" : "lifted") \(event["token"] ?? "")"
        + (event["ignored"].map { " \($0)" } ?? "")
    }
  }

  @Test("L1, L2, L3: laid it plays, lifted it pauses, and laid again it goes on at the frame")
  func inTurn() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    #expect(kiosk.sounding == .speaker && kiosk.names(.visitBegan).map { $0["by"] } == ["token"])
    lift(kiosk)
    #expect(kiosk.sounding == nil && kiosk.last(.playbackPaused)?["cause"] == "lifted")
    let frame = kiosk.status.frame
    kiosk.wait(.seconds(60))
    lay("ONE", kiosk)
    #expect(kiosk.sounding == .speaker && kiosk.status.frame == frame)
    #expect(tokens(kiosk) == ["read ONE", "lifted ONE", "read ONE"] && kiosk.names(.trackStarted).count == 1)
  }

  @Test("L1, L7: a reader that repeats itself, and a card that flickers, are one reading, and nothing is heard of it")
  func flickers() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    kiosk.forget()
    for _ in 0..<50 {
      kiosk.type("token lifted card", then: .milliseconds(650))
      lay("ONE", kiosk)
      lay("ONE", kiosk)
      kiosk.wait(.milliseconds(100))
    }
    #expect(tokens(kiosk) == [] && kiosk.names(.playbackPaused).isEmpty && kiosk.sounding == .speaker)
    #expect(kiosk.timers.keys.allSatisfy { if case .lift = $0 { false } else { true } })
  }

  @Test("L1.1, T2: a card that is laid makes nothing silent, whatever `again` says; a typed number does")
  func playsAlready() {
    for again in Settings.Again.allCases {
      let kiosk = Self.kiosk { $0.again = again }
      kiosk.type("token 1", then: .seconds(5))
      let frame = kiosk.status.frame
      lay("ONE", kiosk)
      kiosk.wait(.seconds(4))
      #expect(kiosk.sounding == .speaker && (kiosk.status.frame > frame) == (again != .restart), "\(again)")
      kiosk.type("token 1")
      #expect((kiosk.sounding == nil) == (again == .pause), "\(again)")
    }
  }

  @Test("L1.1, J7: nor does a card of what is heard most, which plays already")
  func playsAlreadyAsPopular() {
    let kiosk = Self.kiosk {
      $0.again = .pause
      $0.tokens["TOP"] = .popular(1)
    }
    kiosk.ranking = .ranked(["1.mp3"])
    kiosk.type("token 1", then: .seconds(5))
    lay("TOP", kiosk)
    kiosk.wait(.seconds(4))
    #expect(kiosk.sounding == .speaker && kiosk.status.frame >= 8 * Kiosk.rate)
    kiosk.type("token TOP")
    #expect(kiosk.sounding == nil)
  }

  @Test("L1.1, T4: a card of a playlist that is not there chooses nothing, and is no card of what plays")
  func absentPlaylist() {
    let kiosk = Self.kiosk {
      $0.again = .pause
      $0.tokens["GONE"] = .playlist("gone")
    }
    kiosk.type("token 1", then: .seconds(5))
    lay("GONE", kiosk)
    #expect(kiosk.names(.choiceFailed).count == 1 && kiosk.sounding == .speaker)
  }

  @Test("L3: behind the window, behind Stop, and with another card, it is as any token")
  func otherwise() {
    for what in ["window", "stop", "other"] {
      let kiosk = Self.kiosk { $0.idleReset = .zero }
      lay("ONE", kiosk)
      kiosk.wait(.seconds(5))
      lift(kiosk)
      if what == "window" { kiosk.wait(.seconds(301)) }
      if what == "stop" { kiosk.type("stop") }
      lay(what == "other" ? "TWO" : "ONE", kiosk)
      #expect(kiosk.heard?.frame == 0 && kiosk.sounding == .speaker, "\(what)")
    }
  }

  @Test("L2: a card that speaks pauses nothing, nor one of nothing; Play goes on without any")
  func others() {
    let kiosk = Self.kiosk()
    kiosk.type("play")
    lay("HI", kiosk)
    kiosk.wait(.seconds(10))
    lift(kiosk)
    lay("NONE", kiosk)
    lift(kiosk)
    #expect(kiosk.sounding == .speaker && kiosk.names(.playbackPaused).isEmpty)
    lay("ONE", kiosk)
    kiosk.wait(.seconds(3))
    lift(kiosk)
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    lay("ONE", kiosk)
    #expect(kiosk.status.track == 1)
  }

  @Test("L4: without a card no button brings sound; the console may")
  func withoutCard() {
    let kiosk = Self.kiosk { $0.withoutCard = .silent }
    for button in [Button.play, .next, .track(.number(1)), .cue] { kiosk.pressOnce(button) }
    kiosk.wait(.seconds(3))
    #expect(kiosk.sounding == nil && kiosk.names(.buttonPressed).allSatisfy { $0["ignored"] == "no-card" })
    lay("ONE", kiosk)
    kiosk.wait(.seconds(3))
    kiosk.pressOnce(.play)
    kiosk.pressOnce(.play, then: .seconds(1))
    #expect(kiosk.sounding == .speaker)
    lift(kiosk)
    kiosk.pressOnce(.play, then: .seconds(1))
    #expect(kiosk.sounding == nil)
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    let typed = Kiosk { $0.withoutCard = .silent }
    typed.pressOnce(.play)
    #expect(typed.sounding == .speaker, "no such reader")
  }

  @Test("L5: another card on the first one")
  func exchanged() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    lay("TWO", kiosk)
    #expect(tokens(kiosk) == ["read ONE", "lifted ONE", "read TWO"])
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 2)
  }

  @Test("L5, P3: a card that goes on with what the other one was lifted from does so at the frame heard then")
  func exchangedForTheSame() {
    let kiosk = Self.kiosk { $0.again = .pause }
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    lift(kiosk)
    lay("99", kiosk)
    kiosk.type("play", then: .seconds(5))
    lay("ONE", kiosk)
    let frames = [EventName.playbackPaused, .playbackResumed].map { kiosk.last($0)?["frame"] }
    #expect(frames[0] == frames[1] && kiosk.sounding == .speaker)
    let frame = kiosk.status.frame
    kiosk.wait(.seconds(1))
    #expect(kiosk.status.frame > frame && frame > 400_000)
  }

  @Test("L6, W2: what lay there at power on starts nothing; lifted and laid again it does")
  func atPowerOn() {
    let kiosk = Self.kiosk(waits: false)
    kiosk.wait(.seconds(3))
    lay("ONE", kiosk)
    kiosk.wait(.seconds(3))
    #expect(kiosk.sounding == nil && tokens(kiosk) == ["read ONE boot"] && kiosk.names(.visitBegan).isEmpty)
    lift(kiosk)
    lay("ONE", kiosk)
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker)
    let empty = Self.kiosk(waits: false)
    empty.type("token lifted card", then: .seconds(1))
    lay("ONE", empty)
    #expect(empty.sounding == .speaker, "it said that none was there")
  }

  @Test("L8, P1: what was heard through headphones is heard on no loudspeaker by the card that is laid again")
  func headphones() {
    for isHeldFirst in [true, false] {
      let kiosk = Self.kiosk(plugged: ["JACK"])
      lay("ONE", kiosk)
      kiosk.wait(.seconds(5))
      if isHeldFirst { kiosk.unplug("JACK") }
      lift(kiosk)
      if !isHeldFirst { kiosk.unplug("JACK") }
      kiosk.wait(.seconds(1))
      lay("ONE", kiosk)
      kiosk.wait(.seconds(1))
      #expect(kiosk.sounding == nil && tokens(kiosk).last == "read ONE unplugged")
      lift(kiosk)
      kiosk.plug("JACK", then: .seconds(1))
      #expect(kiosk.sounding == nil)
      lay("ONE", kiosk)
      #expect(kiosk.sounding == .headphones)
    }
  }

  @Test("L8: what was paused before the lift is on no loudspeaker behind headphones, either")
  func pausedBefore() {
    for isPulled in [false, true] {
      let kiosk = Self.kiosk(plugged: ["JACK"]) { $0.visitGap = .zero }
      lay("ONE", kiosk)
      kiosk.wait(.seconds(5))
      kiosk.type("pause")
      if isPulled { kiosk.unplug("JACK") }
      lift(kiosk)
      lay("ONE", kiosk)
      kiosk.wait(.milliseconds(100))
      #expect(kiosk.sounding == (isPulled ? nil : .headphones))
    }
  }

  @Test("L3: a card goes on with nothing but what it names")
  func ofAnother() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    kiosk.type("track 3", then: .seconds(5))
    lift(kiosk)
    #expect(kiosk.sounding == nil)
    lay("ONE", kiosk)
    kiosk.wait(.milliseconds(100))
    #expect(kiosk.status.track == 1 && kiosk.sounding == .speaker)
  }

  @Test("L3: what somebody has skipped to meanwhile is not gone on with")
  func skipped() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    lift(kiosk)
    kiosk.type("next")
    lay("ONE", kiosk)
    kiosk.wait(.milliseconds(100))
    #expect(kiosk.status.track == 1 && kiosk.names(.trackStarted).last?["frame"] == "0")
  }

  @Test("L8: headphones that are put in between lift and lay are no reason to be silent")
  func pluggedIn() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    lift(kiosk)
    let frame = kiosk.status.frame
    kiosk.plug("JACK", then: .seconds(1))
    lay("ONE", kiosk)
    #expect(kiosk.sounding == .headphones && kiosk.status.frame == frame)
  }

  @Test("L2, I: a page that held the music gives nothing back to whoever has lifted the card")
  func paged() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    kiosk.edge("PAGE", true, then: .seconds(1))
    lift(kiosk)
    kiosk.edge("PAGE", false, then: .seconds(1))
    #expect(kiosk.sounding == nil)
    lay("ONE", kiosk)
    #expect(kiosk.sounding == .speaker && kiosk.heard?.frame ?? 0 > 0)
  }

  @Test("L9: where choices wait their turn, a card that is lifted pauses nothing")
  func queued() {
    let kiosk = Self.kiosk { $0.requests = RequestSettings() }
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    lift(kiosk)
    #expect(kiosk.sounding == .speaker && tokens(kiosk).last == "lifted ONE")
  }

  @Test("K7.3: what is said of a reader that does not know when a card is lifted is refused")
  func refused() {
    let kiosk = Self.kiosk()
    for command in ["token lifted keypad", "token lifted nowhere"] { kiosk.type(command) }
    #expect(kiosk.replies.suffix(2).allSatisfy { $0.hasPrefix("error: token") })
    kiosk.type("token lifted")
    #expect(kiosk.replies.count == 2, "there is only one")
  }

  @Test("L7, R11: time asleep is not the time for which a card was gone")
  func asleep() {
    let kiosk = Self.kiosk()
    lay("ONE", kiosk)
    kiosk.wait(.seconds(5))
    kiosk.type("token lifted card", then: .milliseconds(300))
    kiosk.feed(.woke(asserted: [], slept: .seconds(600)))
    lay("ONE", kiosk)
    #expect(kiosk.names(.tokenLifted).isEmpty)
  }

  @Test("L2, X6.2: a card that is lifted before what it names is listed plays nothing when it is")
  func liftedBeforeListing() {
    func kept() -> Kiosk {
      Kiosk(names: ["old.mp3"], isMusicKept: true, lifts: ["card": .milliseconds(700)]) {
        $0.tokens = ["ONE": .track(.file("new.mp3"))]
      }
    }
    for isLifted in [true, false] {
      let kiosk = kept()
      kiosk.wait(.seconds(11))
      lay("ONE", kiosk)
      if isLifted { lift(kiosk) }
      kiosk.list(["new.mp3", "old.mp3"], then: .seconds(1))
      #expect((kiosk.sounding == nil) == isLifted)
    }
  }
}
