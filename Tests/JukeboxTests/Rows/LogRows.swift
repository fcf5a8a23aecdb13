import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// K5: the log has every decision, and nothing that did not happen.
@Suite struct LogRows {
  private static let headphonesOnly = [Kiosk.allPorts[0]]

  @Test("K5, R9: Play without a route logs its hold, and starts when there is a route", arguments: [1, 2])
  func playWithoutRoute(presses: Int) {
    let kiosk = Kiosk(ports: Self.headphonesOnly)
    for _ in 0..<presses { kiosk.pressOnce(.play) }
    #expect(kiosk.names(.sessionRefused).map { $0["reason"] } == Array(repeating: "no-suitable-route", count: presses))
    #expect(kiosk.status.state == .paused)
    kiosk.forget()
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.names(.playbackResumed).isEmpty)
    #expect(kiosk.last(.playbackStarted)?["cause"] == "user")
  }

  @Test("K5, I14: Play without an output logs its hold, and starts when the output is back")
  func playWithoutOutput() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("stop")
    kiosk.loseOutput()
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.last(.sessionRefused)?["reason"] == "output-unavailable")
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(40))
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.names(.playbackResumed).isEmpty && kiosk.names(.playbackStarted).count == 1)
  }

  @Test("K5, P6: a plug that starts playback during a page is logged as held, and the end of the page starts it")
  func plugUnderPage() {
    let kiosk = Kiosk { $0.onConnect = .play }
    kiosk.plug("PAGE")
    kiosk.forget()
    kiosk.plug("JACK")
    #expect(kiosk.last(.sessionRefused)?["client"] == "music")
    #expect(kiosk.last(.sessionRefused)?["by"] == "page")
    kiosk.unplug("PAGE")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.last(.playbackStarted)?["cause"] == "route-connected")
  }

  /// Feeds the brain, whose engine does not answer. Returns what is logged of the music.
  private func log(_ kiosk: Kiosk, _ words: String...) -> [EventName] {
    let effects = words.flatMap { kiosk.jukebox.handle(.console($0), at: kiosk.now) }
    return effects.compactMap { effect in
      guard case .log(let event) = effect, event.name.rawValue.hasPrefix("playback") else { return nil }
      return event.name
    }
  }

  @Test("K5.1: music that goes on and is sent elsewhere before it is heard is logged with the frame heard first")
  func elsewhereBeforeHeard() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(10))
    kiosk.type("interrupt begin page")
    #expect(log(kiosk, "interrupt end page resume", "next") == [])
    let id = kiosk.jukebox.player.stream.id
    kiosk.forget()
    kiosk.feed(.audio(.playback(.started(stream: id, Position(track: 1, frame: 0), at: kiosk.now))))
    #expect(kiosk.last(.playbackResumed)?["frame"] == "0")
    #expect(kiosk.last(.playbackResumed)?["track"] == "2")
  }

  @Test("K5.1: music that is paused or stopped before it is heard is not logged to start")
  func neverHeard() {
    #expect(log(Kiosk(), "play", "pause") == [.playbackPaused])
    #expect(log(Kiosk(), "play", "stop") == [.playbackStopped])
  }

  @Test("K5, D7: contact bounce during a cue logs no change of ducking")
  func bounceUnderCue() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(1))
    kiosk.type("cue welcome", then: .seconds(1))
    kiosk.forget()
    kiosk.edge("JACK", false, then: .milliseconds(3))
    kiosk.edge("JACK", true, then: .milliseconds(30))
    #expect(kiosk.eventNames == [.lineBounced])
    #expect(kiosk.engine.duck == -12 && kiosk.sounding == .headphones)
    kiosk.wait(.seconds(3))
    #expect(kiosk.names(.duckEnded).count == 1)
    #expect(kiosk.engine.duck == 0)
  }

  @Test("K5, D5: the loss of the plug under a cue ends the duck")
  func lossUnderCue() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.type("cue welcome")
    kiosk.unplug("JACK")
    #expect(kiosk.names(.duckEnded).count == 1)
    #expect(kiosk.engine.duck == 0)
  }

  @Test("K5, R8: a missing port that the settings force is logged")
  func forcedAndAbsent() {
    let kiosk = Kiosk { $0.route = .headphones }
    #expect(kiosk.last(.routeInitial)?.level == .notice)
    #expect(kiosk.last(.routeInitial)?["to"] == "speaker")
    #expect(kiosk.last(.routeInitial)?["forced"] == "headphones")
    let obeyed = Kiosk(plugged: ["JACK"]) { $0.route = .headphones }
    #expect(obeyed.last(.routeInitial)?["reason"] == "override")
    #expect(obeyed.last(.routeInitial)?["forced"] == nil)
  }

  @Test("K5, R10, S1: a category that brings a route and an interruption logs nothing about music that is not heard")
  func categoryUnderMute() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("category record")
    kiosk.plug("MUTE")
    kiosk.forget()
    kiosk.type("category ambient")
    #expect(kiosk.names(.playbackResumed).isEmpty && kiosk.names(.playbackPaused).isEmpty)
    kiosk.unplug("MUTE")
    #expect(kiosk.names(.playbackResumed).count == 1)
    #expect(kiosk.sounding == .speaker)
  }

  @Test("K7, S7: the console gets an error for what the session refuses")
  func refusedByTheSession() {
    let alarm = SessionClient(name: "alarm", category: .playback, priority: 90)
    let kiosk = Kiosk(clients: [alarm])
    kiosk.type("interrupt begin alarm")
    kiosk.type("interrupt begin page")
    kiosk.type("record")
    #expect(kiosk.replies == ["error: interrupt begin page: held by alarm", "error: record: held by alarm"])
  }

  @Test("K5, R5: music that resumed while a plug only moved is logged when it is heard")
  func resumesInBounce() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.type("interrupt begin page")
    kiosk.edge("JACK", false)
    kiosk.type("interrupt end page resume")
    kiosk.forget()
    kiosk.edge("JACK", true, then: .milliseconds(30))
    #expect(kiosk.eventNames == [.lineBounced, .playbackResumed])
    #expect(kiosk.last(.playbackResumed)?["cause"] == "interruption-ended")
  }
}
