import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// The sleep timer (H5 rows).
@Suite struct SleepRows {
  private static func playing(
    buttons: [Button] = [], plugged: Set<String> = [], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, buttons: buttons, change)
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  private static func frames(_ seconds: Int) -> Int { seconds * Kiosk.rate }

  @Test("H5: the music fades out for 10 s, and is then paused where it was heard at its own level last")
  func time() {
    let kiosk = Self.playing()
    kiosk.type("sleep 20s")
    #expect(kiosk.last(.sleepSet)?["in"] == "20.000" && kiosk.status.line.contains(" sleep=20"))
    kiosk.wait(.milliseconds(19_999))
    #expect(kiosk.commands.isEmpty && kiosk.status.sleepLeft == .milliseconds(1))
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.commands == [.duck(level: -.infinity, over: .seconds(10))])
    kiosk.wait(.milliseconds(9_999))
    #expect(kiosk.sounding == .speaker)
    kiosk.wait(.milliseconds(1))
    #expect(kiosk.sounding == nil && kiosk.engine.duck == 0)
    #expect(kiosk.status.state == .paused && kiosk.status.frame == Self.frames(25))
    #expect(
      kiosk.eventNames == [.consoleCommand, .sleepSet, .sleepFading, .playbackPaused, .sleepEnded, .sessionDeactivated])
    #expect(kiosk.last(.playbackPaused)?["cause"] == "sleep" && kiosk.last(.sleepEnded)?["reason"] == "time")
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: Self.frames(25)) && kiosk.status.sleepText == nil)
  }

  @Test("H5: where the next track began during the fade, it goes back to the one before")
  func acrossTracks() {
    let kiosk = Self.playing()
    kiosk.type("sleep 50s", then: .seconds(57))
    #expect(kiosk.status.track == 2)
    kiosk.wait(.seconds(3))
    #expect(kiosk.status.state == .paused && kiosk.status.track == 1 && kiosk.status.frame == Self.frames(55))
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: Self.frames(55)))
  }

  @Test("H5.1: sleep track pauses at the start of the next track, of which nothing is heard")
  func behindTrack() {
    let kiosk = Self.playing()
    kiosk.type("sleep track")
    #expect(kiosk.sounding == .speaker && kiosk.heard == Position(track: 0, frame: Self.frames(5)))
    #expect(kiosk.status.line.contains(" sleep=track"))
    kiosk.wait(.seconds(56))
    #expect(kiosk.sounding == nil && kiosk.status.state == .paused)
    #expect(kiosk.status.track == 2 && kiosk.status.frame == 0)
    #expect(!kiosk.eventNames.contains(.trackStarted) && kiosk.last(.sleepEnded)?["reason"] == "track")
    kiosk.press(.play, then: .seconds(70))
    #expect(kiosk.status.track == 3 && kiosk.sounding == .speaker)
  }

  @Test("H5.1: off, the next track follows as ever; in another playlist the track that is heard then is the last")
  func behindTrackChanged() {
    let kiosk = Self.playing()
    kiosk.type("sleep track")
    kiosk.type("sleep off", then: .seconds(60))
    #expect(kiosk.status.track == 2 && kiosk.sounding == .speaker)
    kiosk.type("sleep track")
    kiosk.type("next", then: .seconds(61))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "queue-ended" && kiosk.status.sleepText == nil)
  }

  @Test("H5.1: a track that repeats is heard out, and waits at its start")
  func behindRepeated() {
    let kiosk = Self.playing { $0.repeats = .track }
    kiosk.type("sleep track", then: .seconds(61))
    #expect(kiosk.status.state == .paused && kiosk.status.track == 1 && kiosk.status.frame == 0)
  }

  @Test("H5.2: each press of the button puts the end off by sleep_step, a day at most, and without music it is ignored")
  func button() {
    let kiosk = Kiosk()
    kiosk.press(.sleep)
    #expect(kiosk.last(.buttonPressed)?["ignored"] == "silent" && kiosk.status.sleepText == nil)
    kiosk.type("play")
    kiosk.press(.sleep, then: .seconds(60))
    kiosk.press(.sleep)
    let left = kiosk.status.sleepLeft ?? .zero
    #expect(left > .seconds(29 * 60 - 1) && left <= .seconds(29 * 60))
    for _ in 0..<200 { kiosk.press(.sleep) }
    #expect(kiosk.status.sleepLeft.map { $0 <= SleepTimer.longest } == true)
    #expect(kiosk.sounding == .speaker)
  }

  @Test(
    "H5.3: who does something while it fades hears the music at its own level again, and the timer begins again",
    arguments: [Button.play, .next, .volumeUp, .track(TrackName("2.mp3"))])
  func awake(button: Button) {
    let kiosk = Self.playing(buttons: [.track(TrackName("2.mp3"))])
    kiosk.type("sleep 30s", then: .seconds(35))
    kiosk.press(button)
    #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0 && kiosk.status.sleepText == "29")
    #expect(kiosk.last(.sleepSet)?["in"] == "30.000" && kiosk.last(.sleepEnded) == nil)
    kiosk.wait(.seconds(28))
    #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0)
    kiosk.wait(.seconds(15))
    #expect(kiosk.last(.sleepEnded)?["reason"] == "time")
  }

  @Test("H5.3: a selector does so, too, and the music that it names is heard from its beginning")
  func awakeBySelector() {
    let selector = Line(name: "LANGUAGE", role: .selector(playlist: "B", released: nil))
    let kiosk = Kiosk(selectors: [selector], names: ["A/1.mp3", "A/2.mp3", "B/1.mp3", "B/2.mp3"])
    kiosk.type("play")
    kiosk.type("sleep 30s", then: .seconds(35))
    kiosk.edge("LANGUAGE", true, then: .seconds(20))
    #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0 && kiosk.status.playlist == "B")
    #expect(kiosk.last(.sleepSet)?["in"] == "30.000")
  }

  @Test("H5.3: the console's play and start do the same, and so does the Sleep button, which sets it to one step")
  func awakeByConsole() {
    for command in ["play", "start"] {
      let kiosk = Self.playing()
      kiosk.type("sleep 30s", then: .seconds(35))
      kiosk.type(command)
      #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0 && kiosk.status.sleepText == "30")
    }
    let kiosk = Self.playing()
    kiosk.type("sleep 1s", then: .seconds(5))
    kiosk.press(.sleep)
    #expect(kiosk.engine.duck == 0 && kiosk.status.sleepText == "899")
  }

  @Test("H5.4: paused, stopped or at the end of the music, the timer is gone", arguments: [Button.play, .stop])
  func silent(button: Button) {
    let kiosk = Self.playing()
    kiosk.type("sleep 30min")
    kiosk.press(button)
    #expect(kiosk.status.sleepText == nil && kiosk.last(.sleepEnded)?["reason"] == "silent")
    kiosk.type("play")
    kiosk.type("sleep 30min", then: .seconds(200))
    #expect(kiosk.status.state == .stopped && kiosk.status.sleepText == nil)
  }

  @Test("H5.5: held by a page or an unplug when the time has come, it is paused at its frame, and nothing resumes it")
  func held() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("sleep 10s")
    kiosk.edge("PAGE", true, then: .seconds(1))
    let paged = kiosk.status.frame
    kiosk.wait(.seconds(10))
    #expect(kiosk.last(.sleepEnded)?["reason"] == "time" && kiosk.last(.sleepFading) == nil)
    kiosk.edge("PAGE", false, then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.state == .paused && kiosk.status.frame == paged)
    kiosk.type("play")
    kiosk.type("sleep 10s", then: .seconds(5))
    kiosk.unplug("JACK")
    let lost = kiosk.status.frame
    kiosk.wait(.seconds(6))
    #expect(kiosk.last(.promptAnswered)?["answer"] == "pause" && !kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil && kiosk.status.frame == lost)
  }

  @Test("H5.5: a plug that is pulled while it fades is a loss as ever, and brings back the music as soft as it was")
  func unpluggedInFade() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("sleep 1s", then: .seconds(5))
    kiosk.unplug("JACK")
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones && kiosk.engine.duck == -.infinity)
    kiosk.wait(.seconds(10))
    #expect(kiosk.sounding == nil && kiosk.status.frame == Self.frames(6))
  }

  @Test("H5.6: a cue that comes while it fades is spoken all the same, and the music does not come back for it")
  func cue() {
    let kiosk = Self.playing()
    kiosk.type("sleep 1s", then: .seconds(5))
    kiosk.type("cue closing")
    #expect(kiosk.engine.speaking != nil && kiosk.engine.duck == -.infinity)
    kiosk.wait(.seconds(7))
    #expect(kiosk.status.state == .paused && kiosk.engine.duck == 0)
  }

  @Test(
    "H5: what is no time is refused, and so is a timer where nothing plays",
    arguments: [
      ("sleep", "sleep: expected a time from 1s to 24h such as 30min, track or off"),
      ("sleep soon", "sleep: expected a time from 1s to 24h such as 30min, track or off"),
      ("sleep 0s", "sleep: expected a time from 1s to 24h such as 30min, track or off"),
      ("sleep 25h", "sleep: expected a time from 1s to 24h such as 30min, track or off"),
      ("sleep 5min", "sleep: no music plays"), ("sleep track", "sleep: no music plays"),
    ])
  func refused(command: String, error: String) {
    let kiosk = Kiosk()
    kiosk.type(command)
    #expect(kiosk.replies == ["error: \(error)"])
    kiosk.type("sleep off")
    #expect(kiosk.replies.count == 1 && kiosk.status.sleepText == nil)
  }
}
