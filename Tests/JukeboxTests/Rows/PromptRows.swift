import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// The prompt after an unplug, and its answers.
@Suite struct PromptRows {
  @Test("P1, Q1: a private port that is lost holds the music, and the lamp and the console ask")
  func pauses() {
    for (line, port) in [("JACK", "headphones"), ("DOCK", "line-out")] {
      let kiosk = Kiosk(plugged: [line])
      kiosk.type("play", then: .seconds(1))
      kiosk.forget()
      kiosk.unplug(line)
      #expect(kiosk.eventNames == [.portDisconnected, .routeChanged, .playbackPaused, .promptShown])
      #expect(kiosk.last(.playbackPaused)?["cause"] == "route-lost")
      #expect(kiosk.last(.playbackPaused)?["from"] == port)
      #expect(kiosk.last(.playbackPaused)?["frame"] == String(Kiosk.rate))
      #expect(kiosk.last(.promptShown)?["text"]?.contains(port) == true)
      #expect(kiosk.last(.promptShown)?["text"]?.contains("Play") == true)
      #expect(kiosk.last(.promptShown)?["text"]?.contains("Stop") == true)
      #expect(kiosk.status.lamp == .blink)
      #expect(kiosk.lamps.last == .blink)
      #expect(kiosk.status.state == .paused)
      #expect(kiosk.jukebox.player.transport.intent == .playing)
      #expect(kiosk.sounding == nil)
    }
  }

  @Test("Q1: where nothing is left to play on, the console does not say that Play goes on")
  func nowhere() {
    let kiosk = Kiosk(plugged: ["JACK"], ports: [Kiosk.allPorts[0]])
    kiosk.type("play", then: .seconds(1))
    kiosk.unplug("JACK")
    #expect(kiosk.last(.promptShown)?["text"] == "headphones unplugged: plug it in to go on, Stop ends")
  }

  @Test("P8, Q2: Play goes on where the music was held, on the port that is there now")
  func playAnswers() {
    let kiosk = Kiosk.held()
    kiosk.wait(.seconds(20))
    kiosk.forget()
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame + Duration.milliseconds(600).frames(rate: Kiosk.rate))
    #expect(kiosk.last(.promptAnswered)?["answer"] == "resume")
    #expect(kiosk.last(.playbackResumed)?["route"] == "speaker")
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.status.lamp == .on)
    kiosk.wait(.seconds(400))
    #expect(kiosk.names(.promptExpired).isEmpty)
  }

  @Test(
    "Q4: a re-plug takes the prompt away, whatever on_connect and the window make of the music",
    arguments: [true, false])
  func replugs(isLate: Bool) {
    let kiosk = Kiosk.held {
      if !isLate { $0.onConnect = .nothing }
      $0.resumeWindow = isLate ? .seconds(60) : .zero
    }
    kiosk.wait(.seconds(61))
    kiosk.forget()
    kiosk.plug("JACK")
    #expect(!kiosk.status.isPromptShown)
    #expect(kiosk.last(.promptAnswered)?["answer"] == "plug")
    #expect(kiosk.status.lamp == .off)
    #expect(kiosk.timers[.promptTimeout] == nil)
    #expect(kiosk.sounding == nil)
    kiosk.wait(.seconds(400))
    #expect(kiosk.names(.promptExpired).isEmpty)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("Q3: Stop ends it")
  func stopAnswers() {
    let kiosk = Kiosk.held()
    kiosk.pressOnce(.stop)
    #expect(kiosk.last(.promptAnswered)?["answer"] == "stop")
    #expect(kiosk.last(.playbackStopped)?["cause"] == "user")
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.frame == 0)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.status.lamp == .off)
  }

  @Test("Q4: a prompt that nobody answers makes the kiosk ready for the next visitor")
  func promptExpires() {
    let kiosk = Kiosk.held {
      $0.promptTimeout = .seconds(20)
      $0.resumeWindow = .seconds(60)
    }
    kiosk.wait(.milliseconds(19_969))
    #expect(kiosk.status.isPromptShown)
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.names(.promptExpired).count == 1)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "prompt-expired")
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.status.lamp == .off)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.volume == 60)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
  }

  @Test("Q1: pulled out in the last moment of the queue, there is nothing to ask about")
  func pulledAtTheEnd() {
    let kiosk = Kiosk(plugged: ["JACK"], tracks: 1)
    kiosk.type("play")
    kiosk.unplug("JACK")
    #expect(kiosk.status.isPromptShown)
    kiosk.feed(.audio(.playback(.ended(stream: kiosk.jukebox.player.stream.id))))
    #expect(kiosk.status.state == .stopped)
    #expect(!kiosk.status.isPromptShown)
    #expect(kiosk.status.holds.isEmpty)
  }

  @Test("Q1: Play pressed while the plug is still moving means pause, and nothing asks")
  func pressedInDoubt() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(1))
    kiosk.edge("JACK", false)
    kiosk.type("play", then: .milliseconds(30))
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds.isEmpty)
    #expect(!kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
  }

  @Test(
    "Q5, I3, I9: an interruption that ends for good while it asks, or lasts too long, answers it",
    arguments: [true, false])
  func interruption(isEnded: Bool) {
    let kiosk = Kiosk(plugged: ["JACK"]) {
      $0.promptTimeout = .zero
      $0.interruptionLimit = .seconds(60)
    }
    kiosk.type("play", then: .seconds(5))
    kiosk.type("interrupt begin page", then: .seconds(1))
    kiosk.unplug("JACK", then: .seconds(1))
    #expect(kiosk.status.isPromptShown)
    if isEnded { kiosk.type("interrupt end page") } else { kiosk.wait(.seconds(60)) }
    #expect(kiosk.last(.promptAnswered)?["answer"] == "interruption" && !kiosk.status.isPromptShown)
    #expect(kiosk.status.state == .paused && kiosk.status.frame == Kiosk.heldFrame)
    if !isEnded { kiosk.type("interrupt end page resume") }
    kiosk.plug("JACK", then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.state == .paused)
  }
}
