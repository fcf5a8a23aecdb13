import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A Bluetooth headset, seen from the brain. Its line is called JACK here.
@Suite struct WirelessRows {
  func kiosk(
    plugged: Set<String> = ["JACK"], isPrivate: Bool = true, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: isPrivate, isWireless: true)
    let kiosk = Kiosk(plugged: plugged, ports: [headset] + Kiosk.allPorts.dropFirst(), change)
    kiosk.engine.faultyPort = .bluetooth
    return kiosk
  }

  func playing(isPrivate: Bool = true, _ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = kiosk(isPrivate: isPrivate, change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test("B1, P2, R13: a headset that connects takes over at its own volume")
  func connects() {
    let kiosk = kiosk(plugged: [])
    kiosk.type("play", then: .seconds(5))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .bluetooth)
    #expect(kiosk.last(.routeChanged)?["reason"] == "new-device-available")
  }

  @Test("B2: a headset whose device fails is a plug that is out: hold, prompt, and nothing on another port")
  func deviceFails() {
    let kiosk = playing()
    kiosk.loseOutput()
    #expect(kiosk.eventNames == [.outputLost, .portDisconnected, .routeChanged, .playbackPaused, .promptShown])
    #expect(kiosk.last(.playbackPaused)?["cause"] == "route-lost")
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.status.frame == Kiosk.heldFrame)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.engine.port == .speaker)
    kiosk.forget()
    kiosk.unplug("JACK", then: .seconds(100))
    #expect(kiosk.eventNames.filter { $0 != .stateSaved } == [])
    #expect(kiosk.sounding == nil)
  }

  @Test("B2, P8: after a failed device Play goes on here, where the music stood")
  func playHere() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("B2, V2: whose headset fails goes on nowhere: the gap ends the visit, once somebody has answered the prompt")
  func endsVisit() {
    let kiosk = playing()
    kiosk.pressOnce(.volumeUp)
    kiosk.loseOutput()
    kiosk.unplug("JACK", then: .seconds(3))
    kiosk.pressOnce(.next, then: .seconds(9))
    #expect(kiosk.status.isVisited)
    kiosk.wait(.seconds(2))
    #expect(kiosk.last(.visitEnded)?["reason"] == "hung-up")
  }

  @Test("B4, P3: a headset that went and came inside the window goes on at the held frame")
  func comesBack() {
    for fails in [true, false] {
      let kiosk = playing()
      if fails { kiosk.loseOutput() }
      kiosk.unplug("JACK")
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(60))
      #expect(kiosk.sounding == nil)
      kiosk.plug("JACK")
      #expect(kiosk.sounding == .bluetooth)
      #expect(kiosk.heard?.frame == Kiosk.heldFrame)
    }
  }

  @Test("B4, P4: after the window nothing starts by itself")
  func tooLate() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.unplug("JACK")
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(301))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
  }

  @Test("B2, P3: a headset that is still offered is tried again after pauses that grow, and then goes on")
  func stillOffered() {
    let kiosk = playing()
    kiosk.loseOutput()
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      kiosk.forget()
      kiosk.wait(.seconds(seconds) - .nanoseconds(1))
      #expect(kiosk.names(.portConnected).isEmpty)
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.names(.portConnected).count == 1)
      #expect(kiosk.sounding == nil)
      #expect(kiosk.status.holds == [.routeLost])
    }
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(30))
    #expect(kiosk.sounding == .bluetooth)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("B2: a line that moved begins the pauses anew")
  func movedLine() {
    let kiosk = playing()
    kiosk.loseOutput(then: .seconds(10))
    kiosk.unplug("JACK", then: .seconds(100))
    kiosk.plug("JACK")
    kiosk.forget()
    kiosk.wait(.seconds(1))
    #expect(kiosk.names(.portConnected).count == 1)
  }

  @Test(
    "B2, R3: while its plug moves a headset is not tried again, but as soon as that is steady",
    arguments: [true, false])
  func movingLine(comesBack: Bool) {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.engine.deviceWorks = true
    kiosk.wait(.milliseconds(990))
    kiosk.forget()
    kiosk.edge("JACK", false, then: .milliseconds(15))
    if comesBack { kiosk.edge("JACK", true) }
    kiosk.wait(.milliseconds(29))
    #expect(kiosk.eventNames.isEmpty && kiosk.sounding == nil)
    kiosk.wait(.milliseconds(100))
    #expect(kiosk.names(.portConnected).count == (comesBack ? 1 : 0))
    #expect(kiosk.sounding == (comesBack ? .bluetooth : nil))
  }

  @Test("B2, P7: a loudspeaker without a wire is heard by all: the music plays on elsewhere")
  func loudspeaker() {
    let kiosk = playing(isPrivate: false)
    kiosk.loseOutput()
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.holds.isEmpty)
  }

  @Test("B2, P5: who paused while the headset was away hears nothing when it is back")
  func pausedMeanwhile() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.type("pause")
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(100))
    #expect(kiosk.status.connected.contains(.bluetooth))
    #expect(kiosk.sounding == nil)
  }

  /// A kiosk with a headset's key, which is not a contact: a press and its end may come in one instant.
  private func keys() -> Kiosk {
    let kiosk = Kiosk(plugged: ["JACK"], selectors: [Line(name: "KEY", role: .button(.play), debounce: .zero)])
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  private func tap(_ kiosk: Kiosk) {
    for isDown in [true, false] { kiosk.feed(.edge(kiosk.line("KEY"), asserted: isDown, at: kiosk.now)) }
  }

  @Test("B5: a key of the headset acts exactly once, however short the press is")
  func key() {
    let kiosk = keys()
    tap(kiosk)
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.eventNames == [.visitBegan, .buttonPressed, .playbackPaused, .sessionDeactivated])
    kiosk.wait(.seconds(2))
    #expect(kiosk.names(.buttonPressed).count == 1)
    tap(kiosk)
    #expect(kiosk.status.state == .playing)
  }

  @Test("B5: keys that are hammered act once each, and none is lost")
  func hammered() {
    let kiosk = keys()
    for count in 1...41 {
      tap(kiosk)
      #expect(kiosk.names(.buttonPressed).count == count)
      #expect((kiosk.status.state == .paused) == (count % 2 == 1))
      kiosk.wait(.milliseconds(700))
    }
  }

  @Test("B5: a key that is down when the headset goes is up, and no key is stuck")
  func goneWhileDown() {
    let kiosk = keys()
    kiosk.feed(.edge(kiosk.line("KEY"), asserted: true, at: kiosk.now), then: .milliseconds(200))
    kiosk.feed(.edge(kiosk.line("KEY"), asserted: false, at: kiosk.now), then: .seconds(60))
    #expect(kiosk.names(.buttonPressed).count == 1)
    #expect(kiosk.names(.lineStuck).isEmpty)
  }

  @Test("B2, D7: a cue that was heard there does not go on elsewhere")
  func cue() {
    let kiosk = playing()
    kiosk.type("cue welcome", then: .seconds(1))
    kiosk.loseOutput()
    #expect(kiosk.engine.speaking == nil)
    #expect(kiosk.status.cue == nil)
  }
}
