import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What keeps a visit when its gap has passed, and who goes on without a private port.
@Suite struct VisitCrossingRows {
  private static func visited(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk {
      $0.startVolume = 40
      change(&$0)
    }
    kiosk.plug("JACK")
    if kiosk.sounding == nil { kiosk.pressOnce(.play) }
    kiosk.press(.volumeUp, for: .seconds(10))
    return kiosk
  }

  private static func move(_ line: String, _ asserted: Bool, _ kiosk: Kiosk) {
    kiosk.edge(line, asserted, then: .milliseconds(30))
  }

  @Test("V4: a page or alarm under way does not end a visit, which ends when they do", arguments: ["PAGE", "ALARM"])
  func page(line: String) {
    let kiosk = Self.visited()
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: .seconds(5))
    Self.move(line, true, kiosk)
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.isVisited)
    #expect(kiosk.jukebox.volumes.volume(of: .headphones) == 80)
    Self.move(line, false, kiosk)
    #expect(kiosk.last(.visitEnded)?["reason"] == "hung-up")
    #expect(kiosk.jukebox.volumes.volume(of: .headphones) == 40)
  }

  @Test("V4: nor does a recording, which the end of its time ends")
  func recording() {
    let kiosk = Self.visited { $0.recordingLimit = .seconds(60) }
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK")
    kiosk.pressOnce(.record, then: .seconds(50))
    #expect(kiosk.status.state == .recording && kiosk.status.isVisited)
    kiosk.wait(.seconds(10))
    #expect(!kiosk.status.isVisited)
    let last = kiosk.eventNames.filter { [.recordingStopped, .visitEnded].contains($0) }
    #expect(last == [.recordingStopped, .visitEnded])
  }

  @Test("V4, Q4: the time-out of a prompt waits for the end of a page, too, and for nothing else")
  func promptUnderPage() {
    let kiosk = Self.visited { $0.promptTimeout = .seconds(20) }
    kiosk.unplug("JACK")
    Self.move("PAGE", true, kiosk)
    kiosk.wait(.seconds(100))
    #expect(kiosk.status.isPromptShown)
    Self.move("PAGE", false, kiosk)
    #expect(kiosk.names(.promptExpired).count == 1)
    #expect(kiosk.last(.visitEnded)?["reason"] == "expired")
    #expect(kiosk.status.state == .stopped && kiosk.jukebox.volumes.volume(of: .headphones) == 40)
  }

  @Test("V4, K8: the idle time begins when a page has ended")
  func idleUnderPage() {
    let kiosk = Kiosk { $0.idleReset = .seconds(60) }
    kiosk.pressOnce(.next)
    Self.move("PAGE", true, kiosk)
    kiosk.wait(.seconds(100))
    #expect(kiosk.status.isVisited)
    Self.move("PAGE", false, kiosk)
    kiosk.wait(.seconds(61))
    #expect(kiosk.last(.visitEnded)?["reason"] == "idle")
  }

  @Test("V3, V4: who plugs in under a page later than the gap is the next visitor, and finds no port above its start")
  func plugUnderPage() {
    let kiosk = Self.visited { $0.onConnect = .play }
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK")
    Self.move("PAGE", true, kiosk)
    kiosk.wait(.seconds(20))
    kiosk.forget()
    kiosk.plug("JACK")
    #expect(
      kiosk.eventNames.filter { [.visitBegan, .visitEnded, .portConnected].contains($0) } == [
        .visitEnded, .visitBegan, .portConnected,
      ])
    #expect(kiosk.status.volume == 40)
    Self.move("PAGE", false, kiosk)
    #expect(kiosk.sounding == .headphones && kiosk.engine.volume == 40)
  }

  @Test("V5, P3, Q4: while the prompt waits, the music is held for whoever comes back")
  func promptWaits() {
    let kiosk = Self.visited()
    kiosk.unplug("JACK", then: .seconds(299))
    #expect(kiosk.status.isPromptShown && kiosk.status.isVisited)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones && kiosk.status.volume == 80)
    #expect(kiosk.names(.visitEnded).isEmpty)
    kiosk.unplug("JACK", then: .seconds(300))
    #expect(kiosk.last(.visitEnded)?["reason"] == "expired")
    #expect(kiosk.timers[.visitGap] == nil)
  }

  @Test("V3, P4: a plug later than the gap that brings nothing back is the next visitor's")
  func plugThatResumesNothing() {
    let changes: [(inout Settings) -> Void] = [
      { $0.onConnect = .nothing },
      {
        $0.resumeWindow = .seconds(15)
        $0.promptTimeout = .seconds(300)
      },
      {
        $0.resumeWindow = .seconds(15)
        $0.promptTimeout = .zero
        $0.onConnect = .play
      },
    ]
    for change in changes {
      let kiosk = Self.visited(change)
      kiosk.pressOnce(.next, then: .seconds(5))
      kiosk.unplug("JACK", then: .seconds(20))
      #expect(kiosk.status.isPromptShown)
      kiosk.plug("JACK")
      #expect(kiosk.last(.promptAnswered)?["answer"] == "plug")
      #expect(kiosk.last(.visitEnded)?["reason"] == "hung-up")
      #expect(kiosk.status.volume == 40 && kiosk.status.track == 1 && kiosk.status.holds.isEmpty)
      #expect(kiosk.status.state == (kiosk.jukebox.configuration.settings.onConnect == .play ? .playing : .stopped))
    }
  }

  @Test(
    "V6, P8: Play at the prompt goes on aloud until K8; at the end of the gap only the headphones' volume goes back")
  func goesOnAloud() {
    let kiosk = Self.visited()
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    kiosk.press(.volumeUp, for: .seconds(3), then: .seconds(5))
    kiosk.forget()
    kiosk.wait(.seconds(5))
    #expect(kiosk.sounding == .speaker && kiosk.status.volume == 50 && kiosk.status.isVisited)
    #expect(kiosk.names(.volumeChanged).map { $0["port"] } == ["headphones"])
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones && kiosk.engine.volume == 40)
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play, then: .seconds(20))
    kiosk.pressOnce(.play)
    let frame = kiosk.status.frame
    kiosk.wait(.seconds(599))
    #expect(kiosk.status.state == .paused && kiosk.status.frame == frame)
    kiosk.wait(.seconds(1))
    #expect(kiosk.last(.visitEnded)?["reason"] == "idle")
  }

  @Test("V6, P8: who pauses aloud within the gap goes on there, too; who plugs in within it finds everything as it was")
  func pausesAloud() {
    let kiosk = Self.visited()
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play, then: .seconds(3))
    kiosk.pressOnce(.play, then: .seconds(100))
    #expect(kiosk.status.state == .paused && kiosk.status.isVisited)
    let back = Self.visited()
    back.unplug("JACK")
    back.pressOnce(.play, then: .seconds(5))
    back.plug("JACK")
    #expect(back.sounding == .headphones && back.engine.volume == 80)
  }

  @Test("V4, V6: who waits aloud for the end of a page goes on there, whoever plugs in meanwhile")
  func plugWhileAloud() {
    let kiosk = Self.visited()
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play)
    Self.move("PAGE", true, kiosk)
    kiosk.wait(.seconds(30))
    kiosk.plug("JACK")
    #expect(kiosk.names(.visitEnded).isEmpty)
    #expect(kiosk.status.volume == 40)
    Self.move("PAGE", false, kiosk)
    #expect(kiosk.sounding == .headphones && kiosk.engine.volume == 40)
  }

  @Test("V2, V6, P11: Play at the prompt of music that cannot be played keeps nothing")
  func failsAloud() {
    let kiosk = Self.visited()
    kiosk.bad = [0: "damaged", 1: "damaged", 2: "damaged"]
    kiosk.unplug("JACK")
    kiosk.pressOnce(.next)
    kiosk.pressOnce(.play)
    #expect(kiosk.status.state == .stopped)
    kiosk.wait(.seconds(10))
    #expect(kiosk.last(.visitEnded)?["reason"] == "hung-up")
  }

  @Test("V6, P7: music that plays on the loudspeaker anyway is not stopped by the headphones that leave")
  func playsAnyway() {
    let kiosk = Self.visited()
    kiosk.type("route speaker")
    kiosk.unplug("JACK", then: .seconds(20))
    #expect(kiosk.sounding == .speaker && kiosk.status.isVisited)
    #expect(kiosk.jukebox.volumes.volume(of: .headphones) == 40)
  }

  @Test("V2, P1: Play pressed at a handset that hangs, where nothing else can sound, keeps nothing")
  func hungUp() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]]) { $0.startVolume = 40 }
    kiosk.plug("JACK")
    kiosk.pressOnce(.play)
    kiosk.press(.volumeUp, for: .seconds(10))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play, then: .seconds(10))
    #expect(!kiosk.status.isVisited)
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 40 && kiosk.sounding == nil)
  }

  @Test(
    "V3.2: who plugs in later than the gap, where somebody was without a private port, is the next visitor",
    arguments: [true, false], [8, 11])
  func plugAfterwards(isAloud: Bool, seconds: Int) {
    let kiosk = isAloud ? Self.visited() : Kiosk { $0.startVolume = 40 }
    if isAloud {
      kiosk.unplug("JACK")
      kiosk.pressOnce(.play)
      kiosk.press(.volumeUp, for: .seconds(20))
      kiosk.pressOnce(.stop)
    }
    kiosk.pressOnce(.next, then: .seconds(seconds))
    kiosk.plug("JACK")
    let isNext = seconds > 10
    #expect(kiosk.names(.visitEnded).map { $0["reason"] } == (isNext ? ["hung-up"] : []))
    #expect(kiosk.jukebox.player.queue.place.index == (isNext ? 0 : 1))
    #expect(kiosk.jukebox.volumes.volume(of: .speaker) == (isAloud && !isNext ? 50 : 40))
  }

  @Test("V3.2: Play pressed at a handset that hangs is not answered when the next visitor lifts it")
  func pressedWhileHanging() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]])
    kiosk.pressOnce(.play, then: .seconds(11))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil && kiosk.names(.visitEnded).count == 1)
  }

  @Test(
    "V3.2: of music that has ended by itself the gap is counted from its end, also within the gap of the unplug",
    arguments: [false, true], [8, 11])
  func plugAfterTheEnd(isEarly: Bool, seconds: Int) {
    let kiosk = Self.visited { if isEarly { $0.afterTrack = .stop } }
    if isEarly {
      kiosk.type("track 1")
      kiosk.type("seek 55")
    }
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play)
    while kiosk.sounding != nil { kiosk.wait(.milliseconds(100)) }
    kiosk.wait(.seconds(seconds))
    kiosk.plug("JACK")
    #expect(kiosk.names(.visitEnded).count == (seconds > 10 ? 1 : 0))
  }

  @Test("V2: of two private ports the last one counts")
  func lastPort() {
    let kiosk = Self.visited()
    kiosk.pressOnce(.stop)
    kiosk.plug("DOCK")
    kiosk.unplug("JACK", then: .seconds(100))
    #expect(kiosk.status.isVisited)
    kiosk.unplug("DOCK", then: .seconds(10))
    #expect(!kiosk.status.isVisited)
  }

  @Test("V4, H1.5: a page puts off no end of a visit that closing brings")
  func closingInPage() {
    let kiosk = HoursRows.playing()
    kiosk.edge("PAGE", true, then: .seconds(1))
    HoursRows.closes(kiosk)
    #expect(kiosk.last(.visitEnded)?["reason"] == "closed" && kiosk.status.state == .stopped)
  }
}
