import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// S1 to S9 as far as the board shows them; the rules themselves are in `SessionArbiterTests`.
@Suite struct SessionRows {
  private func playing(_ category: SessionCategory, plugged: Set<String> = []) -> Kiosk {
    let music = SessionClient(name: "music", category: category, priority: 10)
    let kiosk = Kiosk(plugged: plugged, clients: [music])
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test(
    "S1, S2: the mute line silences ambient music and gives it back",
    arguments: [SessionCategory.ambient, .soloAmbient])
  func mute(category: SessionCategory) {
    let kiosk = playing(category)
    kiosk.plug("MUTE")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.last(.interruptionBegan)?["reason"] == "mute")
    kiosk.type("play")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.last(.sessionRefused)?["reason"] == "mute")
    kiosk.unplug("MUTE")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("S1, I9: the mute line has no limit, and a page under it has its own")
  func muteForHours() {
    let kiosk = playing(.ambient)
    kiosk.plug("MUTE")
    #expect(kiosk.timers[.interruptionLimit] == nil)
    kiosk.wait(.seconds(40_000))
    kiosk.unplug("MUTE")
    #expect(kiosk.sounding == .speaker)
    kiosk.plug("MUTE")
    kiosk.plug("PAGE", then: .seconds(601))
    #expect(kiosk.last(.playbackPaused)?["reason"] == "limit")
    kiosk.unplug("PAGE")
    kiosk.unplug("MUTE")
    #expect(kiosk.sounding == nil)
  }

  @Test("S1, I9: a client that is called mute is a client, and not the mute line")
  func clientCalledMute() {
    let kiosk = playing(.ambient)
    kiosk.type("interrupt begin mute")
    #expect(kiosk.timers[.interruptionLimit] != nil)
    kiosk.wait(.seconds(601))
    #expect(kiosk.last(.playbackPaused)?["reason"] == "limit")
  }

  @Test("S8: status distinguishes interrupted clients from those that have the session")
  func interrupted() {
    let kiosk = playing(.playback)
    #expect(kiosk.status.sessions == ["music"] && kiosk.status.interrupted.isEmpty)
    kiosk.plug("PAGE")
    #expect(kiosk.status.sessions == ["page"] && kiosk.status.interrupted == ["music"])
    #expect(kiosk.status.line.hasSuffix(" interrupted=music"))
    kiosk.unplug("PAGE")
    #expect(kiosk.status.sessions == ["music"] && kiosk.status.interrupted.isEmpty)
  }

  @Test("S1: a mute line that is closed at power on mutes from the start")
  func muteAtPowerOn() {
    let kiosk = playing(.ambient, plugged: ["MUTE"])
    #expect(kiosk.sounding == nil)
  }

  @Test("S3: music of the category playback ignores the mute line")
  func playbackIgnoresMute() {
    let kiosk = playing(.playback)
    kiosk.plug("MUTE")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.names(.interruptionBegan).isEmpty)
  }

  @Test("S4: without an input nothing is recorded and the music plays on")
  func noInput() {
    let kiosk = Kiosk(input: nil)
    kiosk.type("play")
    kiosk.forget()
    kiosk.type("record")
    #expect(kiosk.last(.sessionRefused)?["reason"] == "no-input")
    #expect(kiosk.status.state == .playing)
    #expect(!kiosk.isCapturing)
  }

  @Test("S4: recording silences the music, and its end gives it back")
  func recordingSilences() {
    let kiosk = playing(.playback)
    kiosk.type("record")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.state == .recording)
    kiosk.type("record")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("S5: a recorder that plays and records with others lets the music go on")
  func playAndRecord() {
    let recorder = SessionClient(
      name: "recorder", category: .playAndRecord, options: [.mixWithOthers], priority: 30)
    let kiosk = Kiosk(clients: [recorder])
    kiosk.type("play")
    kiosk.type("record")
    #expect(kiosk.isCapturing)
    #expect(kiosk.sounding == .speaker)
  }

  @Test("S6: a multi-route plays on every connected port, each at its own volume and below its ceiling")
  func multiRoute() {
    let kiosk = playing(.multiRoute, plugged: ["JACK"])
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.engine.others == [.speaker: 50])
    kiosk.plug("DOCK")
    #expect(kiosk.engine.others == [.speaker: 50, .lineOut: 60])
    kiosk.type("volume 20")
    #expect(kiosk.engine.volume == 20)
    #expect(kiosk.engine.others == [.speaker: 50, .lineOut: 60])
    kiosk.type("category playback")
    #expect(kiosk.engine.others == [:])
    #expect(kiosk.sounding == .headphones)
  }

  @Test("S6.1, P1: if the private port that is its route is pulled, a multi-route is silent at every port")
  func multiRoutePulled() {
    let kiosk = playing(.multiRoute, plugged: ["JACK"])
    kiosk.unplug("JACK", then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    kiosk.plug("JACK", then: .seconds(1))
    #expect(kiosk.sounding == .headphones && kiosk.engine.others == [.speaker: 50])
  }

  @Test("S7: a weaker client is refused while a stronger one holds the session, and nothing of it plays")
  func refused() {
    let kiosk = playing(.playback)
    kiosk.type("interrupt begin page")
    kiosk.forget()
    kiosk.type("cue welcome")
    #expect(kiosk.last(.sessionRefused)?["client"] == "cue")
    #expect(kiosk.last(.cueFailed)?["reason"] == "refused")
    #expect(kiosk.engine.cue == nil)
    kiosk.type("record")
    #expect(kiosk.last(.sessionRefused)?["client"] == "recorder")
    #expect(!kiosk.isCapturing)
  }

  @Test("S8: only an interrupter with notify-others lets the music go on", arguments: [true, false])
  func notifies(doesNotify: Bool) {
    let alarm = SessionClient(
      name: "alarm", category: .playback, options: doesNotify ? [.notifyOthers] : [], priority: 60)
    let kiosk = Kiosk(clients: [alarm])
    kiosk.type("play")
    kiosk.plug("ALARM")
    kiosk.unplug("ALARM")
    #expect(kiosk.last(.interruptionEnded)?["resume"] == (doesNotify ? "true" : "false"))
    #expect((kiosk.sounding != nil) == doesNotify)
  }

  @Test("S9: a session that ends while its cue speaks stops it and is busy")
  func busy() {
    let kiosk = playing(.playback)
    kiosk.type("cue call")
    #expect(kiosk.engine.speaking == 2)
    #expect(kiosk.sounding == nil)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.engine.speaking == nil)
    #expect(kiosk.last(.sessionDeactivated)?["client"] == "page")
    #expect(kiosk.last(.sessionDeactivated)?["busy"] == "true")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("The music has the session exactly while music is wanted")
  func musicSession() {
    let kiosk = playing(.playback)
    #expect(kiosk.status.sessions == ["music"])
    kiosk.type("pause")
    #expect(kiosk.status.sessions == [])
    kiosk.type("play")
    kiosk.type("stop")
    #expect(kiosk.status.sessions == [])
  }
}
