import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A headset that fails again before it has sounded for long enough: nothing has ended, and nothing begins again.
extension WirelessRows {
  private static let enough = Duration.milliseconds(2_250)

  private func count(_ kiosk: Kiosk, _ name: EventName) -> Int { kiosk.names(name).count }

  @Test("B2, P4, Q4: a headset that fails at every try shows one prompt, and its times run from the loss on")
  func failsAgainAndAgain() {
    let kiosk = playing()
    kiosk.loseOutput(then: .seconds(46))
    #expect(count(kiosk, .portConnected) == 5)
    #expect(count(kiosk, .promptShown) == 1 && count(kiosk, .promptAnswered) == 0)
    #expect(kiosk.status.isPromptShown && kiosk.status.holds == [.routeLost])
    kiosk.wait(.seconds(300 - 46))
    #expect(count(kiosk, .promptExpired) == 1 && count(kiosk, .promptShown) == 1)
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(60))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("B2, P4: the window closes while a headset fails at every try, and then it starts nothing")
  func windowCloses() {
    let kiosk = playing { $0.promptTimeout = .seconds(1_000) }
    kiosk.loseOutput(then: .seconds(301))
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(60))
    #expect(kiosk.sounding == nil && count(kiosk, .promptShown) == 1)
  }

  @Test("B2, B3: a headset that begins and stands still is the same loss; one that has sounded is another")
  func standsStillAgain() {
    for time in [Self.enough - .milliseconds(1), Self.enough] {
      let kiosk = playing()
      kiosk.loseOutput()
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(1))
      #expect(kiosk.sounding == .bluetooth && !kiosk.status.isPromptShown && kiosk.status.lamp == .on)
      let frame = kiosk.status.frame
      kiosk.wait(time)
      #expect(count(kiosk, .promptAnswered) == (time < Self.enough ? 0 : 1))
      kiosk.loseOutput()
      #expect(kiosk.status.isPromptShown && kiosk.status.lamp == .blink && kiosk.sounding == nil)
      #expect(count(kiosk, .promptShown) == (time < Self.enough ? 1 : 2))
      #expect(kiosk.status.frame > frame && kiosk.last(.playbackPaused)?["cause"] == "route-lost")
    }
  }

  @Test("B2: a headset that begins with the next track, as its own cannot be opened any more, passes its trial, too")
  func beginsElsewhere() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.feed(.audio(.playback(.outputChanged(rate: Kiosk.rate, bufferFrames: 4_800, nil))))
    kiosk.bad = [0: "damaged"]
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .bluetooth && kiosk.heard?.track == 1 && count(kiosk, .promptAnswered) == 0)
    kiosk.wait(Self.enough)
    #expect(count(kiosk, .promptAnswered) == 1)
  }

  @Test("B2: a headset that has sounded for long enough is tried again after 1 s, however often it failed before")
  func pausesBeginAnew() {
    for (time, pause) in [(Self.enough - .milliseconds(1), 8), (Self.enough, 1)] {
      let kiosk = playing()
      kiosk.loseOutput()
      // Two tries fail, after 1 and 3 s; the third one, after 7 s, does not.
      kiosk.wait(.seconds(6))
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(1))
      #expect(kiosk.sounding == .bluetooth)
      kiosk.wait(time)
      kiosk.loseOutput()
      #expect(kiosk.timers[.portRetry(.bluetooth)] == kiosk.now + .seconds(pause))
    }
  }

  @Test("B2, Q4: a prompt whose time is over while the headset is tried has expired when that fails, and only then")
  func expiresMeanwhile() {
    for fails in [false, true] {
      let kiosk = playing { $0.promptTimeout = .seconds(2) }
      kiosk.loseOutput()
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(2))
      #expect(kiosk.sounding == .bluetooth && count(kiosk, .promptExpired) == 0)
      if fails { kiosk.loseOutput() }
      kiosk.wait(.seconds(3))
      #expect(count(kiosk, .promptExpired) == (fails ? 1 : 0))
      #expect(kiosk.sounding == (fails ? nil : .bluetooth))
      #expect(kiosk.last(.promptAnswered)?["answer"] == (fails ? nil : "plug"))
    }
  }

  @Test("B2, Q3, P9, R8: who pauses, stops or takes the route elsewhere while a headset is tried has answered")
  func answered() {
    for (command, answer) in [("pause", "pause"), ("stop", "stop"), ("route speaker", "plug")] {
      let kiosk = playing()
      kiosk.loseOutput()
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(2))
      kiosk.type(command)
      #expect(kiosk.last(.promptAnswered)?["answer"] == answer)
      kiosk.type("route auto")
      kiosk.loseOutput()
      #expect(!kiosk.status.isPromptShown == (answer != "plug"))
      #expect(count(kiosk, .promptAnswered) == 1)
    }
  }

  @Test("B2, P3: the headset that is tried need not be the port that was lost")
  func anotherPort() {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("DOCK"), priority: 40, isPrivate: true, isWireless: true)
    let kiosk = Kiosk(plugged: ["JACK"], ports: [headset, Kiosk.allPorts[0], Kiosk.allPorts[2]])
    kiosk.engine.faultyPort = .bluetooth
    kiosk.type("play", then: .seconds(5))
    kiosk.unplug("JACK")
    kiosk.engine.deviceWorks = false
    kiosk.plug("DOCK", then: .seconds(20))
    #expect(count(kiosk, .promptShown) == 1 && kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones && kiosk.last(.promptAnswered)?["answer"] == "plug")
  }

  // MARK: - A try is nobody's plug

  @Test("B2.1, Q4: a try that fails answers no prompt, also where no plug is to resume the music")
  func promptStays() {
    let kiosk = playing { $0.onConnect = .nothing }
    kiosk.loseOutput(then: .seconds(60))
    #expect(kiosk.status.isPromptShown && count(kiosk, .portConnected) == 5)
    #expect(count(kiosk, .promptAnswered) == 0 && count(kiosk, .visitEnded) == 0)
  }

  @Test("B2.1, Q3: a try begins nothing that somebody has ended")
  func stoppedStays() {
    for command in ["stop", "pause"] {
      let kiosk = playing { $0.onConnect = .play }
      kiosk.loseOutput()
      kiosk.type(command)
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(60))
      #expect(kiosk.sounding == nil && count(kiosk, .portConnected) == 1, "\(command)")
    }
  }

  @Test("B2.1, C3: a try waits for the end of a recording")
  func recordingGoesOn() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.pressOnce(.record)
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(5))
    #expect(kiosk.isCapturing && count(kiosk, .portConnected) == 0)
    kiosk.pressOnce(.record, then: .seconds(2))
    #expect(count(kiosk, .portConnected) == 1)
  }

  @Test("B2.1, V1: tries in an empty room begin no visit")
  func emptyRoom() {
    let kiosk = kiosk(plugged: ["JACK"])
    kiosk.loseOutput(then: .seconds(300))
    #expect(count(kiosk, .portConnected) > 5 && count(kiosk, .visitBegan) == 0)
  }

  @Test("B2.1: the pauses begin anew also where no prompt had waited for the headset that has sounded")
  func pausesBeginAnewUnasked() {
    let kiosk = playing { $0.repeats = .queue }
    kiosk.loseOutput(then: .seconds(6))
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(60))
    #expect(kiosk.sounding == .bluetooth)
    kiosk.loseOutput()
    #expect(kiosk.timers[.portRetry(.bluetooth)] == kiosk.now + .seconds(1))
  }

  @Test("B2.2: what is silent passes no trial: a page during it leaves the loss what it was")
  func silentTrial() {
    let kiosk = playing()
    kiosk.loseOutput()
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .bluetooth)
    kiosk.type("interrupt begin page", then: .seconds(10))
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .bluetooth && count(kiosk, .promptAnswered) == 0)
    kiosk.loseOutput()
    #expect(kiosk.status.isPromptShown && count(kiosk, .promptShown) == 1)
    // Nor does it make the pauses begin again.
    #expect(kiosk.timers[.portRetry(.bluetooth)] == kiosk.now + .seconds(2))
  }

  @Test("H1.5, B2.2: a headset that is tried when it closes has answered nothing, and the prompt goes")
  func closesInTrial() {
    let kiosk = playing { $0.hours = HoursSettings(WeekCalendar(), fade: .zero) }
    kiosk.loseOutput()
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(1))
    kiosk.type("hours closed", then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.closed])
    #expect(count(kiosk, .promptExpired) == 1 && count(kiosk, .promptAnswered) == 0)
  }
}
