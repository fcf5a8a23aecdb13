import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct IdleRows {
  @Test("K8: without input and sound the kiosk returns to its start")
  func idleReset() {
    let kiosk = Kiosk()
    kiosk.type("volume 10")
    kiosk.type("next")
    kiosk.type("play", then: .seconds(5))
    kiosk.type("play")
    kiosk.forget()
    kiosk.wait(.seconds(600) - .nanoseconds(1))
    #expect(kiosk.status.track == 2)
    kiosk.wait(.nanoseconds(1))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.track == 1)
    #expect(kiosk.status.frame == 0)
    #expect(kiosk.status.volume == 50)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "idle")
    #expect(kiosk.last(.volumeChanged)?["cause"] == "idle")
    #expect(kiosk.engine.volume == 50)
  }

  @Test(
    "K8, K7, K7.5: neither what only asks, as a monitor does each minute, nor what is no command keeps anybody's visit",
    arguments: [["status", "status --json", "stats", "help"], ["statsu"]])
  func monitored(lines: [String]) {
    let kiosk = Kiosk()
    kiosk.type("next")
    for _ in 0..<9 {
      kiosk.wait(.seconds(60))
      for line in lines { kiosk.type(line) }
    }
    #expect(kiosk.status.track == 2)
    kiosk.wait(.seconds(61))
    #expect(kiosk.status.track == 1)
  }

  @Test("K8: every input starts the time again")
  func touched() {
    let touches: [(Kiosk) -> Void] = [
      { $0.pressOnce(.volumeUp) }, { $0.type("volume 50") }, { $0.plug("JACK") }, { $0.edge("DOCK", true) },
    ]
    for touch in touches {
      let kiosk = Kiosk()
      kiosk.type("next", then: .seconds(590))
      touch(kiosk)
      kiosk.wait(.seconds(590))
      #expect(kiosk.status.track == 2)
      kiosk.wait(.seconds(20))
      #expect(kiosk.status.track == 1)
    }
  }

  @Test("K8: music keeps it awake, and the time starts when it ends")
  func soundKeepsAwake() {
    let kiosk = Kiosk(tracks: 20)
    kiosk.type("next")
    kiosk.type("play", then: .seconds(900))
    #expect(kiosk.sounding == .speaker)
    kiosk.loseOutput()
    #expect(kiosk.timers[.idleReset] == kiosk.now + .seconds(600))
    kiosk.wait(.seconds(600))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.track == 1)
    let ending = Kiosk(tracks: 1)
    ending.type("play", then: .seconds(61))
    #expect(ending.timers[.idleReset] == .powerOn + .seconds(660))
  }

  @Test("K8, P3: while a prompt waits, only its own time-out counts, and the idle time begins when it is answered")
  func promptWaits() {
    let kiosk = Kiosk.held {
      $0.promptTimeout = .zero
      $0.resumeWindow = .zero
    }
    kiosk.wait(.seconds(6_000))
    #expect(kiosk.status.isPromptShown)
    #expect(kiosk.status.lamp == .blink)
    kiosk.type("pause", then: .seconds(600) - .nanoseconds(1))
    #expect(kiosk.status.state == .paused)
    kiosk.wait(.nanoseconds(1))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "idle")
  }

  @Test("K8, P3: the idle reset does not shorten a resume window that is longer")
  func longWindow() {
    let kiosk = Kiosk.held {
      $0.promptTimeout = .seconds(3_600)
      $0.resumeWindow = .seconds(3_600)
    }
    kiosk.wait(.seconds(3_500))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.last(.playbackResumed)?["frame"] == String(Kiosk.heldFrame))
  }

  @Test("K8, Q4: after a plug that answered the prompt and resumed nothing, the idle reset comes and is logged")
  func heldWithoutPrompt() {
    let kiosk = Kiosk.held { $0.onConnect = .nothing }
    kiosk.plug("JACK", then: .seconds(601))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "idle")
  }

  @Test("K8: zero means never")
  func never() {
    let kiosk = Kiosk { $0.idleReset = .zero }
    kiosk.type("next", then: .seconds(100_000))
    #expect(kiosk.status.track == 2)
  }

  @Test("K8, O11: a sensor whose presses are ignored keeps nobody's visit, nor does a line that only bounces")
  func sensors() {
    let kiosk = Kiosk(
      buttons: [.cue],
      selectors: [ContactRows.line("PIR", .track(.number(2)), Manners(.once, ignoreAtBoot: .seconds(86_400)))])
    kiosk.type("next")
    for _ in 0..<6 {
      kiosk.wait(.seconds(100))
      kiosk.plug("PIR")
      kiosk.unplug("PIR")
      kiosk.edge(Kiosk.name(of: .stop), true, then: .milliseconds(2))
      kiosk.edge(Kiosk.name(of: .stop), false)
    }
    #expect(kiosk.sounding == nil && kiosk.status.track == 1)
  }
}
