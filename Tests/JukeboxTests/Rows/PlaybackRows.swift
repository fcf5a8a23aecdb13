import AudioSession
import Testing

@testable import Jukebox

@Suite struct PlaybackRows {
  @Test("P9: Play starts, pauses and resumes at the same frame")
  func playPauses() {
    let kiosk = Kiosk()
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.commands.prefix(2) == [.load(stream: 1, Position(track: 0, frame: 0)), .play])
    #expect(kiosk.eventNames == [.consoleCommand, .playbackStarted, .trackStarted])
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
        kiosk.type($0)
        kiosk.wait(.seconds(4))
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
    kiosk.type("play")
    kiosk.wait(.seconds(4))
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
      commands.forEach(kiosk.type)
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
      (Settings.Repeat.off, Intent.stopped, 0), (.queue, .playing, 0), (.track, .playing, 0),
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
      kiosk.type("play")
      kiosk.wait(wait)
      kiosk.type("previous")
      #expect(kiosk.heard == Position(track: expected, frame: 0))
    }
  }

  @Test("P9: Previous on the first track starts it again, or wraps where the queue repeats")
  func previousAtTheStart() {
    for (repeats, expected) in [(Settings.Repeat.off, 0), (.queue, 2), (.track, 2)] {
      let kiosk = Kiosk { $0.repeats = repeats }
      kiosk.type("play")
      kiosk.wait(.seconds(1))
      kiosk.type("previous")
      #expect(kiosk.heard == Position(track: expected, frame: 0))
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

  @Test("P10: the next track is told while the one before plays, and its start is logged when it is heard")
  func gapless() {
    let kiosk = Kiosk()
    kiosk.type("play")
    #expect(kiosk.commands.contains(.follow(stream: 1, track: 1)))
    kiosk.forget()
    kiosk.wait(.seconds(61))
    #expect(kiosk.heard == Position(track: 1, frame: Kiosk.rate))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.frame == Kiosk.rate)
    #expect(kiosk.eventNames.prefix(2) == [.stateSaved, .trackEnded])
    #expect(kiosk.last(.trackEnded)?["track"] == "1")
    #expect(kiosk.last(.trackStarted)?["track"] == "2")
    #expect(!kiosk.commands.contains(.play))
  }

  @Test("P10: at the end of the queue it stops at its start, or goes on, as set")
  func endOfQueue() {
    for (repeats, expected) in [
      (Settings.Repeat.off, nil), (.queue, Position(track: 0, frame: Kiosk.rate)),
      (.track, Position(track: 1, frame: Kiosk.rate)),
    ] {
      let kiosk = Kiosk(tracks: 2) { $0.repeats = repeats }
      kiosk.type("next")
      kiosk.type("play")
      kiosk.forget()
      kiosk.wait(.seconds(61))
      if let expected {
        #expect(kiosk.heard == expected)
        #expect(kiosk.names(.queueEnded).isEmpty)
        #expect(kiosk.names(.trackStarted).count == 1)
        continue
      }
      #expect(kiosk.names(.queueEnded).count == 1)
      #expect(kiosk.last(.playbackStopped)?["cause"] == "queue-ended")
      #expect(kiosk.status.state == .stopped)
      #expect(kiosk.status.track == 1)
      #expect(kiosk.status.lamp == .off)
      kiosk.type("play")
      #expect(kiosk.heard == Position(track: 0, frame: 0))
    }
  }

  @Test("P10: a shuffled queue plays every track once, in the order its seed gives")
  func shuffle() {
    func order(_ seed: UInt64) -> [Int?] {
      let kiosk = Kiosk(tracks: 6, seed: seed) { $0.shuffle = true }
      kiosk.type("play")
      return (0..<6).map { _ in
        defer { kiosk.wait(Kiosk.trackTime) }
        return kiosk.status.track
      }
    }
    #expect(Set(order(7)) == Set(1...6))
    #expect(order(7) == order(7))
    #expect(order(7) != order(8))
  }

  @Test("P11: a bad file is named with its reason and the next track plays")
  func badFile() {
    let kiosk = Kiosk(bad: [0: "not found", 1: "no audio in it"])
    kiosk.type("play")
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == ["1.mp3", "2.mp3"])
    #expect(kiosk.names(.trackFailed).map { $0["reason"] } == ["not found", "no audio in it"])
    #expect(kiosk.heard == Position(track: 2, frame: 0))
    #expect(kiosk.status.track == 3)
  }

  @Test("P11: a bad file between two good ones is passed over without a gap")
  func badFileBetween() {
    let kiosk = Kiosk(bad: [1: "damaged"])
    kiosk.type("play")
    kiosk.wait(.seconds(61))
    #expect(kiosk.heard == Position(track: 2, frame: Kiosk.rate))
    #expect(kiosk.status.track == 3)
  }

  @Test("P11: a queue of only bad files stops, whatever repeats")
  func onlyBadFiles() {
    for repeats in Settings.Repeat.allCases {
      let kiosk = Kiosk(bad: [0: "bad", 1: "bad", 2: "bad"]) { $0.repeats = repeats }
      kiosk.type("play")
      #expect(kiosk.names(.trackFailed).count == 3)
      #expect(kiosk.last(.queueEnded)?.level == .warn)
      #expect(kiosk.status.state == .stopped)
      #expect(kiosk.status.lamp == .off)
      kiosk.bad = [:]
      kiosk.type("play")
      #expect(kiosk.sounding == .speaker)
    }
  }

  @Test("P11: a track that repeats alone and is bad gives way to the next")
  func badRepeatedTrack() {
    let kiosk = Kiosk(bad: [0: "bad"]) { $0.repeats = .track }
    kiosk.type("play")
    #expect(kiosk.heard?.track == 1)
    kiosk.wait(.seconds(61))
    #expect(kiosk.heard?.track == 1)
  }

  @Test("P11: a track that breaks off is named with the frame")
  func breaksOff() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.feed(.audio(.brokeOff(stream: 1, Position(track: 0, frame: 777), reason: "cut short")))
    #expect(kiosk.last(.trackFailed)?["frame"] == "777")
    #expect(kiosk.last(.trackFailed)?["reason"] == "cut short")
    #expect(kiosk.sounding == .speaker)
  }

  @Test("P11: without any track Play says so and nothing happens")
  func noTracks() {
    let kiosk = Kiosk(tracks: 0)
    for command in ["play", "next", "previous", "stop"] { kiosk.type(command) }
    kiosk.press(.play, for: .milliseconds(1_100))
    #expect(kiosk.last(.queueEnded)?["reason"] == "no tracks")
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.commands == [.route(.speaker, volume: 50)])
    #expect(kiosk.status.track == nil)
  }

  @Test("A track is logged with what its tags say")
  func tags() {
    let kiosk = Kiosk()
    kiosk.engine.decoder = .idle
    kiosk.type("play")
    let id = kiosk.jukebox.stream.id
    kiosk.feed(.audio(.opened(stream: id, track: 1, TrackTags(title: "Waltz", artist: "Jack", frames: 5))))
    kiosk.wait(.seconds(61))
    #expect(kiosk.last(.trackStarted)?["title"] == "Waltz")
    #expect(kiosk.status.tags.artist == "Jack")
  }
}
