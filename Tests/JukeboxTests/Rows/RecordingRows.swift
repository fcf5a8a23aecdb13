import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// C1 to C6, as far as they concern the brain.
@Suite struct RecordingRows {
  private func recording(plugged: Set<String> = []) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged)
    kiosk.pressOnce(.record)
    return kiosk
  }

  @Test("C1: Record begins a recording, with the lamp on")
  func begins() {
    let kiosk = recording()
    #expect(kiosk.isCapturing)
    #expect(kiosk.status.state == .recording)
    #expect(kiosk.status.lamp == .on)
    #expect(kiosk.last(.recordingStarted)?["file"] == "1.wav")
    #expect(kiosk.last(.recordingStarted)?["input"] == "microphone")
    #expect(kiosk.eventNames.suffix(3) == [.sessionActivated, .interruptionBegan, .recordingStarted])
  }

  @Test("C2: Record or Stop ends it", arguments: [Button.record, .stop])
  func ends(button: Button) {
    let kiosk = recording()
    kiosk.pressOnce(button)
    #expect(!kiosk.isCapturing)
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.lamp == .off)
    #expect(kiosk.last(.recordingStopped)?["reason"] == "user")
    #expect(kiosk.last(.recordingStopped)?["frames"] == "48000")
    #expect(kiosk.status.sessions == [])
  }

  @Test("C2: Stop ends the recording only; the music it held goes on")
  func stopSparesTheMusic() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("record")
    kiosk.pressOnce(.stop)
    #expect(kiosk.sounding == .speaker)
  }

  @Test("C3: a plug or an unplug of any port ends it", arguments: ["JACK", "DOCK"])
  func plugs(line: String) {
    let kiosk = recording()
    kiosk.plug(line)
    #expect(kiosk.last(.recordingStopped)?["reason"] == "route-change")
    let other = recording(plugged: [line])
    other.unplug(line)
    #expect(other.last(.recordingStopped)?["reason"] == "route-change")
    #expect(!other.isCapturing)
  }

  @Test("C4: a change of category does not end it")
  func category() {
    let kiosk = recording()
    kiosk.type("category ambient")
    #expect(kiosk.last(.routeChanged)?["reason"] == "category-change")
    #expect(kiosk.isCapturing)
    #expect(kiosk.status.state == .recording)
  }

  @Test("C5: what a power cut has left is logged at the next boot")
  func recovered() {
    let kiosk = Kiosk()
    kiosk.feed(.recorder(.recovered(file: "1.wav", frames: 96_000)))
    #expect(kiosk.last(.recordingStopped)?["reason"] == "power-cut")
    #expect(kiosk.last(.recordingStopped)?["frames"] == "96000")
  }

  @Test("C5: what cannot be repaired yet is logged as a warning")
  func unrepaired() {
    let kiosk = Kiosk()
    kiosk.feed(.recorder(.unrepaired(file: "1.wav", reason: "no space")))
    let event = kiosk.last(.recordingUnrepaired)
    #expect(event?.level == .warn && event?["file"] == "1.wav" && event?["error"] == "no space")
  }

  @Test("C7: a recording that was removed because of its age is logged, and a warning where it could not be")
  func removed() {
    let kiosk = Kiosk()
    kiosk.feed(.recorder(.removed(file: "1.wav", error: nil)))
    #expect(kiosk.last(.recordingRemoved)?.level == .info && kiosk.last(.recordingRemoved)?["file"] == "1.wav")
    kiosk.feed(.recorder(.removed(file: "1.wav", error: "no")))
    #expect(kiosk.last(.recordingRemoved)?.level == .warn && kiosk.last(.recordingRemoved)?["error"] == "no")
  }

  @Test("C6: a recording that ends by itself is logged with why; playback works", arguments: RecorderFault.allCases)
  func faults(fault: RecorderFault) {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("record")
    kiosk.feed(.recorder(.stopped(file: "1.wav", frames: 10, lost: 7, fault: fault)))
    #expect(kiosk.last(.recordingStopped)?["reason"] == fault.rawValue)
    #expect(kiosk.last(.recordingStopped)?["lost"] == "7")
    #expect(kiosk.sounding == .speaker)
    kiosk.forget()
    kiosk.type("record")
    #expect(kiosk.names(.recordingStarted).count == 1)
  }

  @Test("C6: a recording that cannot begin is logged with the reason, and playback works")
  func cannotBegin() {
    let kiosk = Kiosk()
    kiosk.recorderFault = "no space"
    kiosk.type("play")
    kiosk.type("record")
    #expect(kiosk.last(.recordingStopped)?["error"] == "no space")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.status.lamp == .on)
  }

  @Test("A recording ends at its limit")
  func limit() {
    let kiosk = recording()
    kiosk.wait(.seconds(600))
    #expect(kiosk.last(.recordingStopped)?["reason"] == "time-limit")
    #expect(!kiosk.isCapturing)
  }

  @Test("The end of the firmware ends the recording and logs it")
  func shutdown() {
    let kiosk = recording()
    kiosk.feed(.shutdown(reason: "SIGTERM"))
    #expect(!kiosk.isCapturing)
    #expect(kiosk.last(.recordingStopped)?["reason"] == "shutdown")
  }

  @Test("Play during a recording is refused")
  func playIsRefused() {
    let kiosk = recording()
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.last(.sessionRefused)?["by"] == "recorder")
    kiosk.pressOnce(.record)
    #expect(kiosk.sounding == .speaker)
  }

  @Test("R11: what moved while the system slept is an edge when it wakes")
  func wake() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.feed(.woke(asserted: [kiosk.line("JACK")], slept: .zero))
    #expect(kiosk.last(.routeChanged)?["reason"] == "wake-from-sleep")
    #expect(kiosk.sounding == .headphones)
    kiosk.feed(.woke(asserted: [], slept: .zero))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(30))
    #expect(kiosk.last(.routeChanged)?["reason"] == "old-device-unavailable")
    #expect(kiosk.status.holds == [.routeLost])
  }

  @Test("R12: an output in another shape goes on at the same frame")
  func outputChanged() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.engine.phase = .silent
    kiosk.feed(.audio(.playback(.outputChanged(rate: 44_100, bufferFrames: 9_000, kiosk.heard))))
    #expect(kiosk.last(.routeChanged)?["reason"] == "route-configuration-change")
    #expect(kiosk.last(.routeChanged)?["rate"] == "44100")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.commands.dropFirst().first == .load(stream: 3, Position(track: 0, frame: Kiosk.heldFrame)))
  }

  @Test("C6.1: a recorder that does not answer holds the music for 20 s, and no second recording until it answers")
  func hangs() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.recorderHangs = true
    kiosk.pressOnce(.record, then: .seconds(9))
    #expect(kiosk.sounding == nil && kiosk.recorderCommands == [.start])
    kiosk.wait(.seconds(1))
    #expect(kiosk.recorderCommands == [.start, .stop] && kiosk.sounding == nil)
    kiosk.wait(.seconds(10))
    #expect(kiosk.sounding == .speaker && kiosk.status.sessions == ["music"])
    #expect(kiosk.last(.recordingStopped)?["error"] == "the recorder does not answer")
    kiosk.forget()
    kiosk.pressOnce(.record)
    #expect(kiosk.sounding == .speaker && kiosk.recorderCommands.count == 2)
    #expect(kiosk.eventNames.contains(.recordingStopped) && !kiosk.eventNames.contains(.interruptionBegan))
    kiosk.type("record")
    #expect(kiosk.replies.last?.contains("the recorder does not answer") == true)
    // It has begun after all, and ends as it was told.
    kiosk.recorderHangs = false
    kiosk.feed(.recorder(.started(file: "1.wav")))
    #expect(kiosk.sounding == .speaker)
    kiosk.feed(.recorder(.stopped(file: "1.wav", frames: 48_000, lost: 0, fault: nil)))
    #expect(kiosk.last(.recordingStopped)?["reason"] == "failed" && kiosk.last(.recordingStopped)?["file"] == "1.wav")
    kiosk.pressOnce(.record)
    #expect(kiosk.isCapturing && kiosk.status.state == .recording)
  }

  @Test("C6.1: one that hangs as it ends holds the music for 10 s; what works has no limit but its own")
  func hangsAtTheEnd() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.pressOnce(.record, then: .seconds(60))
    #expect(kiosk.isCapturing)
    kiosk.recorderHangs = true
    kiosk.pressOnce(.record, then: .seconds(9))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.names(.recordingStopped).count == 1)
  }

  @Test("K7.4: who records while the last recording is still being written is told so")
  func recordWhileWriting() {
    let kiosk = Kiosk()
    kiosk.type("record", then: .seconds(5))
    kiosk.recorderHangs = true
    for _ in 0..<2 { kiosk.type("record") }
    #expect(kiosk.replies.last == "error: record: the last recording is still being written")
  }
}
