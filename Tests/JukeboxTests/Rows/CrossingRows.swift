import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Combinations of rows of several groups, found by exploration and random sequences.
@Suite struct CrossingRows {
  private func playing(
    clients: [SessionClient] = [], cues: [Cue] = Kiosk.allCues, plugged: Set<String> = ["JACK"],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, clients: clients, cues: cues, change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  // MARK: - Who has the session

  @Test(
    "S4, S5: music that needs an input where there is none is refused, said once, and held", arguments: [true, false])
  func noInput(isOutputToo: Bool) {
    let kiosk = Kiosk(input: nil)
    kiosk.type("category \(isOutputToo ? "play-and-record" : "record")")
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.names(.sessionRefused).map { $0["reason"] } == ["no-input"])
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.sessions == [])
    #expect(kiosk.status.holds == (isOutputToo ? [.interruption] : [.noSuitableRoute]))
    kiosk.type("category playback")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.sessions == ["music"])
  }

  @Test("S7: who waits for its turn gets it in an order that is always the same")
  func orderOfTurns() {
    let siren = SessionClient(name: "siren", category: .playback, options: [.notifyOthers], priority: 90)
    let kiosk = Kiosk(clients: [siren])
    kiosk.type("interrupt begin siren")
    kiosk.plug("PAGE")
    kiosk.plug("ALARM")
    #expect(kiosk.status.sessions == ["siren"])
    kiosk.type("interrupt end siren")
    #expect(kiosk.status.sessions == ["page"])
    #expect(kiosk.status.interrupted == ["alarm"])
  }

  @Test("S7: a contact whose client is active already stands with it, whoever is stronger meanwhile")
  func contactOfActiveClient() {
    let alarm = SessionClient(name: "alarm", category: .playback, options: [.notifyOthers], priority: 90)
    let kiosk = playing(clients: [alarm])
    kiosk.type("interrupt begin page")
    kiosk.type("interrupt begin alarm")
    kiosk.plug("PAGE")
    #expect(kiosk.names(.sessionRefused).isEmpty)
    kiosk.type("interrupt end alarm resume")
    #expect(kiosk.status.holds == [.interruption])
    kiosk.unplug("PAGE")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("S7, R10: a change of category lets in the contact that the music had refused")
  func categoryServesContacts() {
    let alarm = SessionClient(name: "alarm", category: .playback, options: [.notifyOthers], priority: 5)
    let kiosk = playing(clients: [alarm])
    kiosk.plug("ALARM")
    #expect(kiosk.status.sessions == ["music"])
    kiosk.type("category ambient")
    #expect(kiosk.status.sessions == ["music", "alarm"])
    #expect(kiosk.sounding == .headphones)
  }

  @Test("Interrupters are bounded, and leave room for the music")
  func manyInterrupters() {
    let quiet = (0..<20).map {
      SessionClient(
        name: ClientName(stringLiteral: "q\($0)"), category: .playback, options: [.mixWithOthers], priority: 5)
    }
    let kiosk = Kiosk(clients: quiet)
    for client in quiet { kiosk.type("interrupt begin \(client.name)") }
    #expect(Set(kiosk.names(.sessionRefused).map { $0["reason"] }) == ["too-many-clients"])
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.sessions.last == "music")
  }

  @Test("S1: a mute line that is closed at power on is a hold from the start")
  func muteAtPowerOn() {
    let music = SessionClient(name: "music", category: .ambient, priority: 10)
    let kiosk = Kiosk(plugged: ["MUTE"], clients: [music])
    #expect(kiosk.status.holds == [.interruption])
    kiosk.unplug("MUTE")
    #expect(kiosk.status.holds == [])
  }

  @Test("S1, D2: a client that the mute line silences ducks nobody")
  func mutedDuckers() {
    let alarm = SessionClient(name: "alarm", category: .ambient, options: [.duckOthers], priority: 20)
    let kiosk = playing(clients: [alarm])
    kiosk.plug("ALARM")
    #expect(kiosk.status.isDucked)
    kiosk.plug("MUTE")
    #expect(!kiosk.status.isDucked)
    #expect(kiosk.engine.duck == 0)
  }

  @Test("I6, I9: Play that wins ends the interruption's limit, too")
  func limitEndsWithInterruption() {
    let equal = SessionClient(name: "radio", category: .playback, priority: SessionClient.music.priority)
    let kiosk = playing(clients: [equal])
    kiosk.type("interrupt begin radio")
    #expect(kiosk.timers[.interruptionLimit] != nil)
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.timers[.interruptionLimit] == nil)
  }

  @Test("I6, K5: Play that wins over an interrupter is logged once", arguments: ["stop", "pause", "status"])
  func toldOnce(before: String) {
    let equal = SessionClient(name: "radio", category: .playback, priority: SessionClient.music.priority)
    let kiosk = playing(clients: [equal])
    kiosk.type(before)
    kiosk.type("interrupt begin radio")
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.names(.playbackStarted).count == (before == "stop" ? 1 : 0))
    #expect(kiosk.names(.playbackResumed).count == (before == "stop" ? 0 : 1))
  }

  @Test("P1, P5: what is lost after a skip without a route is held at the new track's start")
  func skippedWithoutRoute() {
    let kiosk = playing()
    kiosk.type("category record")
    kiosk.type("next")
    kiosk.unplug("JACK")
    #expect(kiosk.last(.playbackPaused)?["frame"] == "0")
  }

  // MARK: - Cues and plugs

  @Test("D7: the cue of a plug that leaves while the category has no route is not heard elsewhere")
  func cueWithoutRoute() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type("category record")
    kiosk.unplug("JACK")
    #expect(kiosk.status.cue == nil)
    kiosk.type("category playback")
    #expect(kiosk.status.route == Route(.speaker))
    #expect(kiosk.engine.speaking == nil)
  }

  @Test("D7, R8: the cue of a plug on its way out is not heard where the operator forces the route to")
  func cueAndOverride() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.edge("JACK", false)
    kiosk.type("route speaker", then: .milliseconds(30))
    #expect(kiosk.status.cue == nil)
    #expect(kiosk.engine.speaking == nil)
  }

  @Test("D7, R7: a cue on the dock is paused at the dock's first edge, though the headphones are lost already")
  func secondUnplug() {
    var cues = Kiosk.allCues
    cues[0].event = .promptShown
    let kiosk = playing(cues: cues, plugged: ["JACK", "DOCK"])
    kiosk.unplug("JACK")
    #expect(kiosk.engine.speaking == 0)
    #expect(kiosk.engine.port == .lineOut)
    kiosk.edge("DOCK", false)
    #expect(kiosk.engine.speaking == nil)
    kiosk.edge("DOCK", true, then: .milliseconds(30))
    #expect(kiosk.engine.speaking == 0)
  }

  // MARK: - Recorder, output and idleness

  @Test("C1, I13: a recording that a page ends before it began leaves nothing waiting")
  func pagedBeforeItBegan() {
    let cues = [Cue(name: "call", path: "p", client: "page", event: .sessionActivated)]
    let kiosk = Kiosk(cues: cues)
    kiosk.type("record")
    #expect(!kiosk.isCapturing)
    #expect(kiosk.last(.recordingStopped)?["reason"] == "interruption")
    #expect(kiosk.jukebox.recording.phase == .idle)
    kiosk.wait(.seconds(10))
    #expect(kiosk.status.sessions == [])
  }

  @Test("R12: a change of rate that is reported late concerns the stream before, and cuts off no sound")
  func lateShape() {
    let kiosk = playing()
    let old = kiosk.heard
    kiosk.type("next")
    kiosk.type("previous")
    kiosk.forget()
    let frame = kiosk.status.frame
    kiosk.engine.frame = 0
    kiosk.jukebox.player.stream.unload()
    kiosk.feed(.audio(.playback(.outputChanged(rate: 44_100, bufferFrames: 9_000, old))))
    #expect(kiosk.commands.first == .silence(edge: nil))
    #expect(kiosk.status.frame == frame)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("K8: what a late button starts counts from then on")
  func lateButton() {
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0]]) { $0.idleReset = .seconds(60) }
    kiosk.edge("play", true)
    kiosk.feed(.timer(.idleReset), then: .milliseconds(30))
    #expect(kiosk.jukebox.player.transport.intent == .playing)
    #expect(kiosk.timers[.idleReset] == Instant.powerOn + .milliseconds(60_030))
  }

  // MARK: - Log

  @Test("K5, R5: an interruption that begins while a plug bounces is a pause in the log, too")
  func interruptedInBounce() {
    let kiosk = playing()
    kiosk.edge("JACK", false)
    kiosk.type("interrupt begin page")
    kiosk.edge("JACK", true, then: .seconds(1))
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .headphones)
    let logged = kiosk.eventNames.filter { $0 == .playbackPaused || $0 == .playbackResumed }
    #expect(logged == [.playbackPaused, .playbackResumed])
    #expect(kiosk.last(.playbackPaused)?["frame"] == kiosk.last(.playbackResumed)?["frame"])
  }

  @Test("K5, R5: music that was not logged as playing is not logged as paused")
  func interruptedBeforeTold() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.edge("JACK", false)
    kiosk.type("play")
    kiosk.type("interrupt begin page")
    kiosk.edge("JACK", true, then: .seconds(1))
    #expect(kiosk.names(.playbackPaused).isEmpty && kiosk.names(.playbackStarted).isEmpty)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.names(.playbackStarted).count == 1)
  }
}
