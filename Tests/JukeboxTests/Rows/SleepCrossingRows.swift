import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// The sleep timer among cards, holds, choices and repeats (H5 rows).
@Suite struct SleepCrossingRows {
  private static func playing(
    buttons: [Button] = [], plugged: Set<String> = [], names: [String]? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, buttons: buttons, names: names, change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  // MARK: - Cards

  /// A card lies on the reader, and its track plays.
  private static func laid() -> Kiosk {
    let kiosk = Kiosk(lifts: ["card": .milliseconds(700)]) {
      $0.tokens = ["ONE": .track(.number(1)), "TWO": .track(.number(2)), "TOP": .popular(1)]
    }
    kiosk.wait(.seconds(11))
    kiosk.type("token ONE card", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  private static func lift(_ kiosk: Kiosk) { kiosk.type("token lifted card", then: .seconds(1)) }

  @Test("H5.8, L3, L5: the timer outlasts a card that is lifted, laid again, or changed for another")
  func cards() {
    let kiosk = Self.laid()
    kiosk.type("sleep 40s", then: .seconds(5))
    Self.lift(kiosk)
    #expect(kiosk.sounding == nil && kiosk.status.sleepText == "34")
    kiosk.wait(.seconds(4))
    kiosk.type("token ONE card", then: .seconds(10))
    #expect(kiosk.sounding == .speaker && kiosk.status.sleepText == "20")
    kiosk.type("token TWO card", then: .seconds(10))
    #expect(kiosk.sounding == .speaker && kiosk.status.sleepText == "10" && kiosk.names(.sleepSet).count == 1)
    kiosk.wait(.seconds(20))
    #expect(kiosk.status.state == .paused && kiosk.names(.sleepEnded).map { $0["reason"] } == ["time"])
  }

  @Test("H5.8: if the time comes while no card lies there, the timer is gone, and the next card begins its track")
  func timeWithoutCard() {
    let kiosk = Self.laid()
    kiosk.type("sleep 20s", then: .seconds(5))
    Self.lift(kiosk)
    kiosk.wait(.seconds(15))
    #expect(kiosk.names(.sleepEnded).map { $0["reason"] } == ["time"] && kiosk.status.sleepText == nil)
    kiosk.type("token ONE card", then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.last(.trackStarted)?["frame"] == "0")
  }

  @Test("H5.8, L8: nor is it heard by a card on a loudspeaker, where it was heard through headphones before")
  func elsewhereWithoutCard() {
    let kiosk = Self.laid()
    kiosk.plug("JACK", then: .seconds(1))
    kiosk.type("sleep 5s", then: .seconds(1))
    kiosk.unplug("JACK")
    Self.lift(kiosk)
    kiosk.wait(.seconds(5))
    kiosk.type("token ONE card", then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.last(.tokenRead)?["ignored"] == "unplugged")
  }

  @Test("H5.8, J7: it runs on for a card of what is heard most, also until that is found", arguments: [true, false])
  func popularCard(isLifted: Bool) {
    let kiosk = Self.laid()
    kiosk.type("sleep 40s", then: .seconds(5))
    if isLifted { Self.lift(kiosk) }
    kiosk.type("token TOP card", then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.sleepText != nil)
    kiosk.feed(.ranking(.ranked(["2.mp3"])), then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.track == 2)
    #expect(kiosk.status.sleepText != nil && kiosk.names(.sleepEnded).isEmpty)
  }

  @Test("H5.8, L8: and for a card that has to be laid twice, because it was heard through headphones before")
  func laidTwice() {
    let kiosk = Self.laid()
    kiosk.plug("JACK", then: .seconds(1))
    kiosk.type("sleep 40s", then: .seconds(1))
    kiosk.unplug("JACK")
    Self.lift(kiosk)
    kiosk.type("token ONE card", then: .seconds(1))
    #expect(kiosk.last(.tokenRead)?["ignored"] == "unplugged" && kiosk.status.sleepText != nil)
    Self.lift(kiosk)
    kiosk.type("token ONE card", then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.sleepText != nil && kiosk.names(.sleepEnded).isEmpty)
  }

  @Test("H5.3, H5.8: a card that is laid in a fade has its own level, and one that is lifted in it ends the timer")
  func fade() {
    let changed = Self.laid()
    changed.type("sleep 30s", then: .seconds(35))
    changed.type("token TWO card", then: .seconds(1))
    #expect(changed.sounding == .speaker && changed.engine.duck == 0 && changed.status.sleepText == "29")
    let lifted = Self.laid()
    lifted.type("sleep 30s", then: .seconds(35))
    Self.lift(lifted)
    lifted.wait(.seconds(10))
    #expect(lifted.status.sleepText == nil && lifted.engine.duck == 0)
    #expect(lifted.names(.sleepEnded).map { $0["reason"] } == ["time"])
  }

  @Test("H5.4, H5.8: Stop ends the timer at once, also where the card was lifted")
  func stopped() {
    let kiosk = Self.laid()
    kiosk.type("sleep 40s", then: .seconds(5))
    Self.lift(kiosk)
    kiosk.press(.stop)
    #expect(kiosk.status.sleepText == nil && kiosk.last(.sleepEnded)?["reason"] == "silent")
  }

  // MARK: - Presses in a fade

  @Test("H5.3, Q2, P8: in a fade of which nothing is heard, Play answers the prompt", arguments: [true, false])
  func playAtPrompt(isPressed: Bool) {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("sleep 30s", then: .seconds(32))
    kiosk.unplug("JACK")
    #expect(kiosk.status.isPromptShown)
    if isPressed { kiosk.pressOnce(.play) } else { kiosk.type("play") }
    #expect(kiosk.sounding == .speaker && kiosk.last(.promptAnswered)?["answer"] == "resume")
    #expect(kiosk.engine.duck == 0 && kiosk.last(.sleepSet)?["in"] == "30.000")
  }

  @Test("H5.3, I6: during a page Play asks for the session, also in a fade", arguments: [true, false])
  func playInPage(isPressed: Bool) {
    let kiosk = Self.playing()
    kiosk.type("sleep 30s", then: .seconds(32))
    kiosk.edge("PAGE", true, then: .seconds(1))
    #expect(kiosk.names(.sessionRefused).isEmpty)
    if isPressed { kiosk.pressOnce(.play) } else { kiosk.type("play") }
    #expect(kiosk.names(.sessionRefused).map { $0["client"] } == ["music"])
  }

  @Test("H5.3, R3: while the plug only moves, Play still does nothing but bring back the level")
  func playInDoubt() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("sleep 30s", then: .seconds(32))
    kiosk.edge("JACK", false, then: .milliseconds(5))
    kiosk.type("play")
    kiosk.edge("JACK", true, then: .seconds(1))
    #expect(kiosk.sounding == .headphones && kiosk.engine.duck == 0)
  }

  @Test("H5.3, T2: what plays already has its own level again and is not paused, whatever `again` says")
  func again() {
    let acts: [(Kiosk) -> Void] = [
      { $0.press(.track(.number(1))) }, { $0.press(.playlist("deutsch")) }, { $0.read("1") },
      { $0.type("track 1") }, { $0.type("playlist deutsch") },
      { $0.press(.popular(1)) }, { $0.read("TOP") }, { $0.type("popular 1") },
    ]
    for (number, act) in acts.enumerated() {
      let buttons: [Button] = [.track(.number(1)), .playlist("deutsch"), .popular(1)]
      let kiosk = Kiosk(buttons: buttons, names: Kiosk.folders) {
        $0.again = .pause
        $0.readerRepeat = .zero
        $0.tokens = ["TOP": .popular(1)]
      }
      kiosk.ranking = .ranked(["deutsch/1 Haus.mp3"])
      kiosk.type("playlist deutsch", then: .seconds(5))
      kiosk.type("sleep 30s", then: .seconds(35))
      act(kiosk)
      #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0, "\(number)")
      act(kiosk)
      #expect(kiosk.status.state == .paused, "\(number): without a fade it pauses")
    }
  }

  @Test("H5.3, T4.4: so has all the music, and the only playlist, also behind requests", arguments: [true, false])
  func againInAll(hasRequests: Bool) {
    for words in ["playlist", "playlist deutsch", "playlist +", "playlist -"] {
      let kiosk = Kiosk(names: ["deutsch/1 Haus.mp3", "deutsch/2 Hof.mp3", "loose.mp3"]) {
        $0.again = .pause
        if hasRequests { $0.requests = RequestSettings() }
      }
      kiosk.type(words == "playlist" ? "play" : "playlist deutsch", then: .seconds(5))
      kiosk.type("sleep 30s", then: .seconds(35))
      kiosk.type(words)
      #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0, "\(words)")
      kiosk.type(words)
      #expect(kiosk.status.state == .paused, "\(words): without a fade it pauses")
    }
  }

  // MARK: - Behind the track

  @Test("H5.1, T3: a chosen track that repeats is heard out, and waits at its start")
  func behindChosen() {
    for after in Settings.AfterTrack.allCases {
      let kiosk = Kiosk { $0.afterTrack = after }
      kiosk.type("track 1", then: .seconds(5))
      kiosk.type("sleep track", then: .seconds(56))
      #expect(kiosk.status.state == (after == .stop ? .stopped : .paused), "\(after)")
      #expect(kiosk.status.track == (after == .next ? 2 : 1) && kiosk.status.frame == 0 && kiosk.sounding == nil)
      #expect(kiosk.names(.trackEnded).count == 1)
      #expect(kiosk.last(.sleepEnded)?["reason"] == (after == .stop ? "silent" : "track"))
    }
  }

  @Test("H5.1, O3: so does the track that a closed contact keeps sounding, which the contact still ends")
  func behindHeld() {
    let kiosk = HeldContactRows.kiosk()
    kiosk.plug("MAT")
    kiosk.type("sleep track", then: .seconds(61))
    #expect(kiosk.status.state == .paused && kiosk.status.track == 2 && kiosk.sounding == nil)
    kiosk.unplug("MAT")
    #expect(kiosk.status.state == .stopped && kiosk.last(.playbackStopped)?["cause"] == "contact")
  }

  @Test("H5.1, T8: a track that would repeat and cannot be played stops, as without the timer")
  func behindBad() {
    let kiosk = Kiosk { $0.afterTrack = .repeat }
    kiosk.type("track 1", then: .seconds(5))
    kiosk.type("sleep track")
    kiosk.bad = [1: "noise"]
    kiosk.type("track 2", then: .seconds(1))
    #expect(kiosk.status.state == .stopped && kiosk.names(.trackFailed).count == 1)
  }
}
