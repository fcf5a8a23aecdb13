import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// I1 to I14.
@Suite struct InterruptionRows {
  /// Playing on headphones for five seconds.
  private func playing(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(plugged: ["JACK"], change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  @Test("I1: a page that begins while music plays holds it at the frame, with its reason")
  func begins() {
    let kiosk = playing()
    kiosk.plug("PAGE")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds == [.interruption])
    #expect(kiosk.status.frame == Kiosk.heldFrame + 30 * 48)
    #expect(kiosk.last(.interruptionBegan)?["reason"] == "page")
    #expect(kiosk.last(.interruptionBegan)?["line"] == "PAGE")
    #expect(kiosk.last(.playbackPaused)?["cause"] == "interruption")
    #expect(kiosk.jukebox.player.transport.intent == .playing)
  }

  @Test("I2: the end of a page that lets go resumes at the saved frame")
  func resumes() {
    let kiosk = playing()
    kiosk.plug("PAGE")
    let frame = kiosk.status.frame
    kiosk.wait(.seconds(20))
    kiosk.forget()
    kiosk.edge("PAGE", false, then: .milliseconds(30))
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.status.frame == frame)
    #expect(kiosk.last(.interruptionEnded)?["resume"] == "true")
    #expect(kiosk.last(.playbackResumed)?["cause"] == "interruption-ended")
  }

  @Test("I3: an end without should-resume pauses for good")
  func endsWithoutResume() {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.type("interrupt end page")
    #expect(kiosk.last(.interruptionEnded)?["resume"] == "false")
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds == [])
    #expect(kiosk.sounding == nil)
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.status.frame == Kiosk.heldFrame)
  }

  @Test("I4: a page that begins while paused or stopped leaves it so", arguments: ["pause", "stop"])
  func whilePaused(command: String) {
    let kiosk = playing()
    kiosk.type(command)
    let state = kiosk.status.state
    kiosk.type("interrupt begin page")
    #expect(kiosk.status.state == state)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.status.state == state)
    #expect(kiosk.sounding == nil)
  }

  @Test("I5: who pauses or stops during a page finds it so afterwards", arguments: ["pause", "stop"])
  func pausedDuring(command: String) {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.type(command)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.status.state == (command == "stop" ? .stopped : .paused))
    #expect(kiosk.sounding == nil)
  }

  @Test("I6: Play during a page is refused and logged, and the music resumes after it")
  func playIsRefused() {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.last(.sessionRefused)?["by"] == "page")
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("I6: Play while paused during a page takes effect when the page ends")
  func playWhilePausedWaits() {
    let kiosk = playing()
    kiosk.type("pause")
    kiosk.type("interrupt begin page")
    kiosk.type("play")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.names(.sessionRefused).count == 1)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("I6: Play wins against an interrupter that is not stronger")
  func playWins() {
    let equal = SessionClient(name: "radio", category: .playback, priority: SessionClient.music.priority)
    let kiosk = Kiosk(clients: [equal])
    kiosk.type("play", then: .seconds(1))
    kiosk.type("interrupt begin radio")
    #expect(kiosk.sounding == nil)
    kiosk.type("play")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.holds == [])
  }

  @Test("I7: unplugged during a page, the music stays held after it")
  func unpluggedDuring() {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.unplug("JACK")
    kiosk.type("interrupt end page resume")
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.status.frame == Kiosk.heldFrame)
  }

  @Test("I8: unplugged before and plugged in during a page, the music resumes after it")
  func pluggedDuring() {
    let kiosk = playing()
    kiosk.unplug("JACK")
    kiosk.type("interrupt begin page")
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    kiosk.forget()
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.names(.playbackResumed).count == 1)
  }

  @Test("I9: a page longer than the limit is a pause, and its end resumes nothing")
  func limit() {
    let kiosk = playing { $0.interruptionLimit = .seconds(60) }
    kiosk.type("interrupt begin page", then: .seconds(59))
    #expect(kiosk.jukebox.player.transport.intent == .playing)
    kiosk.wait(.seconds(1))
    #expect(kiosk.jukebox.player.transport.intent == .paused)
    #expect(kiosk.last(.playbackPaused)?["reason"] == "limit")
    kiosk.type("interrupt end page resume")
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.sounding == nil)
  }

  @Test("I9, K8: a page as long as the idle time ends as a pause, not as a reset")
  func limitBeforeIdle() {
    let kiosk = playing()
    kiosk.type("interrupt begin page", then: .seconds(601))
    #expect(kiosk.status.state == .paused)
    kiosk.wait(.seconds(600))
    #expect(kiosk.status.state == .paused)
    kiosk.type("interrupt end page", then: .seconds(600))
    #expect(kiosk.status.state == .stopped)
  }

  @Test("I10: the policy hold keeps the stream")
  func holdPolicy() {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.type("interrupt end page resume")
    #expect(kiosk.commands == [.silence(edge: nil), .play])
  }

  @Test("I11: the policy recreate closes output and decoder, and opens them anew at the saved frame")
  func recreatePolicy() {
    let kiosk = playing { $0.interruptionPolicy = .recreate }
    kiosk.type("interrupt begin page")
    #expect(kiosk.commands == [.silence(edge: nil), .release])
    #expect(!kiosk.engine.isOpen)
    kiosk.forget()
    kiosk.wait(.seconds(9))
    kiosk.type("interrupt end page resume")
    #expect(kiosk.commands.first == .load(stream: 3, Position(track: 0, frame: Kiosk.heldFrame)))
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("I12: two that overlap let go only when both have ended", arguments: ["page", "alarm"])
  func overlap(first: String) {
    let kiosk = playing()
    let second = first == "page" ? "alarm" : "page"
    kiosk.type("interrupt begin \(first)")
    kiosk.type("interrupt begin \(second)")
    kiosk.type("interrupt end \(first) resume")
    #expect(kiosk.sounding == nil)
    kiosk.type("interrupt end \(second) resume")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("I3, I12: one of two that ends without should-resume decides")
  func overlapWithoutResume() {
    let kiosk = playing()
    kiosk.type("interrupt begin page")
    kiosk.type("interrupt begin alarm")
    kiosk.type("interrupt end page")
    kiosk.type("interrupt end alarm resume")
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.sounding == nil)
  }

  @Test("I13: a page ends a recording, which is kept")
  func recordingIsStopped() {
    let kiosk = playing()
    kiosk.pressOnce(.record)
    #expect(kiosk.isCapturing)
    kiosk.type("interrupt begin page")
    #expect(!kiosk.isCapturing)
    #expect(kiosk.last(.recordingStopped)?["reason"] == "interruption")
    #expect(kiosk.status.state == .paused)
    kiosk.type("interrupt end page resume")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("I14: an output that is lost is an interruption with its reason, and resumes at the frame")
  func outputLost() {
    let kiosk = playing()
    kiosk.loseOutput()
    #expect(kiosk.last(.interruptionBegan)?["reason"] == "output-unavailable")
    #expect(kiosk.status.holds == [.outputUnavailable])
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(2))
    #expect(kiosk.last(.interruptionEnded)?["reason"] == "output-unavailable")
    #expect(kiosk.sounding == .headphones)
  }

  @Test("A contact that is closed at power on interrupts from the start, and one that was refused gets its turn")
  func contacts() {
    let alarm = SessionClient(name: "alarm", category: .playback, priority: 90)
    let kiosk = Kiosk(plugged: ["ALARM"], clients: [alarm])
    kiosk.type("play")
    #expect(kiosk.sounding == nil)
    kiosk.plug("PAGE")
    #expect(kiosk.status.sessions == ["alarm"])
    kiosk.unplug("ALARM")
    #expect(kiosk.status.sessions == ["page"])
    #expect(kiosk.sounding == nil)
  }
}
