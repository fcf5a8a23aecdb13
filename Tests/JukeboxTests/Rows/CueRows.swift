import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// D1 to D8.
@Suite struct CueRows {
  private func playing(
    _ cues: [Cue] = Kiosk.allCues, plugged: Set<String> = ["JACK"], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, cues: cues, change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test("D1, D2: the session is activated, the music ducked, the cue spoken; then all goes back")
  func duck() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    #expect(kiosk.eventNames == [.consoleCommand, .sessionActivated, .duckBegan, .cueStarted])
    #expect(kiosk.commands == [.duck(level: -12, over: .milliseconds(200)), .speak(id: 1, cue: 0)])
    #expect(kiosk.status.isDucked)
    #expect(kiosk.status.cue == "welcome")
    #expect(kiosk.sounding == .headphones)
    kiosk.forget()
    kiosk.wait(.seconds(3))
    #expect(kiosk.eventNames == [.cueEnded, .sessionDeactivated, .duckEnded])
    #expect(kiosk.commands == [.duck(level: 0, over: .milliseconds(500))])
    #expect(!kiosk.status.isDucked)
    #expect(kiosk.status.cue == nil)
  }

  @Test("D3: a second cue ducks no deeper, and only the last one lets the music up")
  func twoCues() {
    let kiosk = playing()
    kiosk.type("cue welcome", then: .seconds(1))
    kiosk.type("cue closing", then: .seconds(3))
    #expect(kiosk.status.isDucked)
    #expect(kiosk.status.cue == "closing")
    kiosk.wait(.seconds(2))
    #expect(!kiosk.status.isDucked)
    #expect(kiosk.names(.duckBegan).count == 1)
    #expect(kiosk.names(.duckEnded).count == 1)
    #expect(kiosk.names(.sessionActivated).count == 1)
  }

  @Test("D3: a button that is pressed for ever queues only a few")
  func manyCues() {
    let kiosk = playing()
    for _ in 0..<9 { kiosk.type("cue welcome") }
    #expect(kiosk.names(.cueFailed).map { $0["reason"] } == Array(repeating: "too many cues wait", count: 4))
    kiosk.wait(.seconds(15))
    #expect(kiosk.names(.cueEnded).count == 5)
    #expect(!kiosk.status.isDucked)
  }

  @Test("D4: a volume that changes while ducked is the volume afterwards")
  func volume() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type("volume 33")
    #expect(kiosk.engine.duck == -12)
    kiosk.wait(.seconds(3))
    #expect(kiosk.engine.duck == 0)
    #expect(kiosk.engine.volume == 33)
  }

  @Test("D5: a cue that fails lets the music up at once")
  func failing() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.engine.failCue("damaged")
    kiosk.feed(.audio(kiosk.engine.reports.removeFirst()))
    #expect(kiosk.last(.cueFailed)?["reason"] == "damaged")
    #expect(!kiosk.status.isDucked)
    #expect(kiosk.status.sessions == ["music"])
  }

  @Test("D5: music that stops or pauses while ducked leaves nothing ducked", arguments: ["stop", "pause"])
  func stopsWhileDucked(command: String) {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type(command)
    #expect(kiosk.engine.duck == 0)
    #expect(!kiosk.status.isDucked)
    kiosk.wait(.seconds(4))
    kiosk.type("play")
    #expect(kiosk.engine.duck == 0)
  }

  @Test("D5: a pause leaves the cue alone, Stop ends it, and music that starts meanwhile is ducked")
  func pauseAndPlay() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type("pause")
    #expect(kiosk.engine.speaking == 0)
    kiosk.type("play")
    #expect(kiosk.engine.duck == -12)
    kiosk.type("stop")
    #expect(kiosk.engine.speaking == nil)
    #expect(kiosk.last(.cueEnded)?["reason"] == "stopped")
  }

  @Test("D7, R8: a cue that was asked for while the plug moves does not come out of the port that the operator forces")
  func forcedMeanwhile() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.edge("JACK", false, then: .milliseconds(20))
    kiosk.type("cue welcome")
    kiosk.type("route speaker", then: .milliseconds(10))
    #expect(kiosk.names(.cueStarted).isEmpty)
    #expect(kiosk.last(.cueEnded)?["reason"] == "route-lost")
    #expect(kiosk.engine.speaking == nil)
  }

  @Test("D6: spoken word pauses for the cue and goes on after it")
  func speech() {
    let music = SessionClient(name: "music", category: .playback, priority: 10, isSpeech: true)
    let kiosk = Kiosk(clients: [music])
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.type("cue welcome")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.engine.speaking == 0)
    #expect(!kiosk.status.isDucked)
    #expect(kiosk.last(.interruptionBegan)?["reason"] == "cue")
    kiosk.wait(.seconds(3))
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.frame == Kiosk.heldFrame)
  }

  @Test("D7: an unplug pauses the cue at its first edge and ends it when it holds")
  func unplug() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.forget()
    kiosk.edge("JACK", false)
    #expect(kiosk.commands.contains(.pauseCue(edge: kiosk.now)))
    #expect(kiosk.sounding == nil && kiosk.engine.speaking == nil)
    kiosk.wait(.milliseconds(30))
    #expect(kiosk.last(.cueEnded)?["reason"] == "route-lost")
    #expect(kiosk.status.cue == nil)
    #expect(kiosk.engine.duck == 0)
    #expect(kiosk.status.holds == [.routeLost])
    #expect(!kiosk.commands.contains(.resumeCue))
  }

  @Test("D7, R5: after contact bounce cue and music go on, ducked as before")
  func bounce() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.edge("JACK", false)
    kiosk.edge("JACK", true, then: .milliseconds(30))
    #expect(kiosk.engine.speaking == 0)
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.engine.duck == -12)
  }

  @Test("A cue without music speaks at once, and so does one after an event")
  func triggers() {
    var cues = Kiosk.allCues
    cues[1].event = .promptShown
    let kiosk = playing(cues)
    kiosk.unplug("JACK")
    #expect(kiosk.engine.speaking == 1)
    #expect(kiosk.engine.port == .speaker)
    #expect(kiosk.sounding == nil)
    kiosk.wait(.seconds(3))
    #expect(kiosk.status.sessions == ["music"])
    #expect(kiosk.status.holds == [.routeLost])
  }

  @Test("A cue whose client stops the music is no reason for itself to speak again")
  func noEndlessTrigger() {
    let cues = [Cue(name: "again", path: "a", client: "page", event: .playbackResumed)]
    let kiosk = playing(cues)
    kiosk.type("pause")
    kiosk.type("play")
    #expect(kiosk.engine.speaking == 0)
    kiosk.wait(.seconds(60))
    #expect(kiosk.names(.cueStarted).count == 1)
    #expect(kiosk.sounding == .headphones)
  }

  @Test("D7, K5: cues that wait for one that is cut short are logged, too")
  func waitingCues() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type("cue closing")
    kiosk.unplug("JACK")
    #expect(kiosk.last(.cueEnded)?["cue"] == "welcome")
    #expect(kiosk.last(.cueFailed)?["cue"] == "closing")
    #expect(kiosk.last(.cueFailed)?["reason"] == "route-lost")
    kiosk.wait(.seconds(10))
    #expect(kiosk.engine.speaking == nil)
  }

  @Test("R12: a cue that was not heard yet is spoken on the output as it is now")
  func reshaped() {
    let kiosk = playing()
    kiosk.type("pause")
    kiosk.jukebox.cues.begin(Speech.Request(cue: 0, client: "cue"), at: .powerOn)
    _ = kiosk.jukebox.cues.goOn(at: nil)
    kiosk.forget()
    kiosk.feed(.audio(.playback(.outputChanged(rate: 44_100, bufferFrames: 9_000, nil))))
    #expect(kiosk.commands.contains(.speak(id: 2, cue: 0)))
    #expect(kiosk.last(.cueStarted)?["cue"] == "welcome")
  }

  @Test("Two cues on the end of an interruption are no reason for each other, but a contact is")
  func noMutualTrigger() {
    let cues = [
      Cue(name: "one", path: "1", client: "page", event: .interruptionEnded),
      Cue(name: "two", path: "2", client: "alarm", event: .interruptionEnded),
    ]
    let kiosk = playing(cues)
    kiosk.plug("PAGE")
    kiosk.unplug("PAGE", then: .seconds(60))
    // As strong as the first, the second takes the session from it before it is heard.
    #expect(kiosk.names(.cueStarted).map { $0["cue"] } == ["two"])
    #expect(kiosk.sounding == .headphones)
  }

  @Test("The Cue button and the time of day speak their cues; a missing cue is logged")
  func sources() {
    let kiosk = playing()
    kiosk.pressOnce(.cue)
    #expect(kiosk.status.cue == "welcome")
    kiosk.wait(.seconds(4))
    kiosk.feed(.scheduled(cue: 1, on: CalendarDay(year: 2026, month: 1, day: 1)))
    #expect(kiosk.status.cue == "closing")
    kiosk.type("cue hello")
    #expect(kiosk.last(.cueFailed)?["reason"] == "no such cue")
    #expect(kiosk.replies == ["error: cue hello: expected welcome, closing, call"])
    let bare = playing([])
    bare.pressOnce(.cue)
    #expect(bare.last(.cueFailed)?["reason"] == "no such cue")
  }

  @Test("D8: a cue whose file is missing fails whenever it is due, and neither ducks nor interrupts anything for that")
  func missing() {
    let kiosk = playing([
      Cue(name: "gone", path: "", client: "page", event: .playbackPaused), Cue(name: "there", path: "/c/there.mp3"),
    ])
    kiosk.type("pause")
    #expect(kiosk.last(.cueFailed)?["cue"] == "gone" && kiosk.last(.cueFailed)?["reason"] == "no such cue")
    kiosk.type("play", then: .seconds(1))
    kiosk.feed(.scheduled(cue: 0, on: CalendarDay(year: 2026, month: 1, day: 1)))
    kiosk.type("cue gone")
    #expect(kiosk.names(.cueFailed).map { $0["cue"] } == ["gone", "gone", "gone"])
    #expect(kiosk.replies == ["error: cue gone: no such cue"])
    #expect(kiosk.names(.interruptionBegan).isEmpty && kiosk.names(.duckBegan).isEmpty && kiosk.sounding == .headphones)
    kiosk.type("cue none")
    #expect(kiosk.replies.last == "error: cue none: expected there")
  }

  @Test("A page that speaks ends the cue, and a cue is refused meanwhile")
  func pageOverCue() {
    let kiosk = playing()
    kiosk.type("cue welcome")
    kiosk.type("cue call")
    #expect(kiosk.last(.cueEnded)?["reason"] == "interrupted")
    #expect(kiosk.engine.speaking == 2)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.sessions == ["page"])
    #expect(kiosk.status.interrupted == ["music"])
    kiosk.type("cue welcome")
    #expect(kiosk.last(.cueFailed)?["reason"] == "refused")
    kiosk.wait(.seconds(3))
    #expect(kiosk.sounding == .headphones)
  }

  @Test("The amplifier opens before sound and is muted after it")
  func amplifier() {
    let kiosk = Kiosk()
    #expect(kiosk.isAmplifierMuted)
    kiosk.type("cue welcome")
    #expect(!kiosk.isAmplifierMuted)
    kiosk.wait(.seconds(3))
    #expect(kiosk.isAmplifierMuted)
    kiosk.type("play")
    #expect(!kiosk.isAmplifierMuted)
    kiosk.type("pause")
    #expect(kiosk.isAmplifierMuted)
  }
}
