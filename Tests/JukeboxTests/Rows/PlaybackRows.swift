import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct PlaybackRows {
  @Test("P9: Play starts, pauses and resumes at the same frame")
  func playPauses() {
    let kiosk = Kiosk()
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.commands.prefix(2) == [.load(stream: 1, Position(track: 0, frame: 0)), .play])
    #expect(kiosk.eventNames == [.consoleCommand, .sessionActivated, .playbackStarted, .trackStarted])
    #expect(kiosk.lamps == [.on])
    kiosk.wait(.seconds(4))
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.commands == [.silence(edge: nil)])
    #expect(kiosk.last(.playbackPaused)?["cause"] == "user")
    #expect(kiosk.last(.playbackPaused)?["frame"] == String(4 * Kiosk.rate))
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.lamps == [.off])
    kiosk.wait(.seconds(9))
    #expect(kiosk.status.frame == 4 * Kiosk.rate)
    kiosk.type("play")
    #expect(kiosk.last(.playbackResumed)?["cause"] == "user")
    #expect(kiosk.heard == Position(track: 0, frame: 4 * Kiosk.rate))
  }

  @Test("P9: Stop returns to the start of the track, playing or paused")
  func stop() {
    for commands in [["play"], ["play", "play"]] {
      let kiosk = Kiosk()
      kiosk.type("next")
      commands.forEach {
        kiosk.type($0, then: .seconds(4))
      }
      kiosk.forget()
      kiosk.type("stop")
      #expect(kiosk.status.state == .stopped)
      #expect(kiosk.status.track == 2)
      #expect(kiosk.status.frame == 0)
      #expect(kiosk.names(.playbackStopped).count == 1)
      kiosk.forget()
      kiosk.type("stop")
      #expect(kiosk.eventNames == [.consoleCommand])
      kiosk.type("play")
      #expect(kiosk.heard == Position(track: 1, frame: 0))
    }
  }

  @Test("P9: Next plays the next track at once, fading the old one out first")
  func next() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(4))
    kiosk.forget()
    kiosk.type("next")
    #expect(kiosk.commands.prefix(3) == [.silence(edge: nil), .load(stream: 3, Position(track: 1, frame: 0)), .play])
    #expect(kiosk.heard == Position(track: 1, frame: 0))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.last(.trackStarted)?["track"] == "2")
  }

  @Test("P9: Next while silent moves on without a sound")
  func nextWhileSilent() {
    for commands in [[], ["play", "play"]] {
      let kiosk = Kiosk()
      commands.forEach { kiosk.type($0) }
      let state = kiosk.status.state
      kiosk.forget()
      kiosk.type("next")
      #expect(kiosk.status.track == 2)
      #expect(kiosk.status.state == state)
      #expect(kiosk.sounding == nil)
      #expect(!kiosk.commands.contains(.play))
    }
  }

  @Test("P9: Next after the last track ends the queue, or starts it again where the queue repeats")
  func nextAtTheEnd() {
    for (repeats, state, track) in [
      (Settings.Repeat.off, Status.State.stopped, 0), (.queue, .playing, 0), (.track, .playing, 0),
    ] {
      let kiosk = Kiosk { $0.repeats = repeats }
      kiosk.type("play")
      kiosk.type("next")
      kiosk.type("next")
      #expect(kiosk.heard?.track == 2)
      kiosk.type("next")
      #expect(kiosk.status.state == state)
      #expect(kiosk.status.track == track + 1)
      #expect(kiosk.names(.queueEnded).count == (repeats == .off ? 1 : 0))
      #expect((kiosk.sounding != nil) == (state == .playing))
    }
  }

  @Test("P9: Previous within three seconds is the track before, later the start of this one")
  func previous() {
    for (wait, expected) in [(Duration.seconds(3), 0), (.milliseconds(3_001), 1)] {
      let kiosk = Kiosk()
      kiosk.type("next")
      kiosk.type("play", then: wait)
      kiosk.type("previous")
      #expect(kiosk.heard == Position(track: TrackID(expected), frame: 0))
    }
  }

  @Test("P9: after more skips than there are ids for streams, the track that is heard is the one skipped to")
  func manySkips() {
    let kiosk = Kiosk(plugged: ["JACK"], tracks: 3) { $0.repeats = .queue }
    kiosk.type("play")
    for skip in 1...600 {
      kiosk.type("next")
      #expect(kiosk.heard == Position(track: TrackID(skip % 3), frame: 0))
    }
  }

  @Test("P9: Previous on the first track starts it again, or wraps where the queue repeats")
  func previousAtTheStart() {
    for (repeats, expected) in [(Settings.Repeat.off, 0), (.queue, 2), (.track, 2)] {
      let kiosk = Kiosk { $0.repeats = repeats }
      kiosk.type("play", then: .seconds(1))
      kiosk.type("previous")
      #expect(kiosk.heard == Position(track: TrackID(expected), frame: 0))
    }
  }

  @Test("P9: volume buttons change the current port's volume by a step, between 0 and its ceiling")
  func volume() {
    let kiosk = Kiosk(plugged: ["JACK"]) { $0.volumeStep = 15 }
    kiosk.forget()
    kiosk.pressOnce(.volumeUp)
    kiosk.pressOnce(.volumeUp)
    kiosk.pressOnce(.volumeUp)
    #expect(kiosk.commands == [.volume(75), .volume(80)])
    #expect(kiosk.names(.volumeChanged).map { $0["volume"] } == ["75", "80"])
    #expect(kiosk.names(.volumeChanged).map { $0["from"] } == ["60", "75"])
    kiosk.type("volume 10")
    kiosk.pressOnce(.volumeDown)
    #expect(kiosk.engine.volume == 0)
    kiosk.unplug("JACK")
    #expect(kiosk.engine.volume == 50)
    kiosk.plug("JACK")
    #expect(kiosk.engine.volume == 0)
  }
}
