import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Storage of the music that fails for a moment, seen from the brain.
@Suite struct StorageRows {
  /// Plays the first of three tracks, with only it decoded; its storage then fails after ten seconds of it.
  private func broken(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(change)
    kiosk.mostDecoded = 1
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.unreadable = [0, 1, 2]
    kiosk.engine.storageFails(frame: 10 * Kiosk.rate, at: kiosk.now)
    kiosk.times[0] = .seconds(10)
    kiosk.wait(.seconds(5))
    return kiosk
  }

  private func repair(_ kiosk: Kiosk) {
    kiosk.unreadable = []
    kiosk.times[0] = nil
  }

  @Test("X4: what is decoded is heard, then storage that fails is waited for, and it goes on at the frame")
  func lost() {
    for repeats in [Settings.Repeat.off, .queue, .track] {
      let kiosk = broken { $0.repeats = repeats }
      #expect(kiosk.eventNames == [.storageLost, .playbackPaused])
      #expect(kiosk.last(.storageLost)?["file"] == "1.mp3")
      #expect(kiosk.last(.playbackPaused)?["cause"] == "storage")
      #expect(kiosk.status.holds == [.storageUnavailable])
      #expect(kiosk.status.frame == 10 * Kiosk.rate)
      #expect(kiosk.sounding == nil)
      kiosk.wait(.seconds(100))
      kiosk.forget()
      kiosk.wait(.seconds(100))
      #expect(kiosk.eventNames == [])
      #expect(kiosk.status.track == 1)
      repair(kiosk)
      kiosk.wait(.seconds(30))
      #expect(kiosk.eventNames.filter { $0 != .stateSaved } == [.storageRestored, .playbackResumed])
      #expect(kiosk.last(.playbackResumed)?["cause"] == "storage-restored")
      #expect(kiosk.last(.playbackResumed)?["frame"] == String(10 * Kiosk.rate))
      #expect(kiosk.sounding == .speaker)
      #expect(kiosk.timers[.storageRetry] == nil)
    }
  }

  @Test("X4: it is tried again with growing pauses")
  func backOff() {
    let kiosk = broken()
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      kiosk.forget()
      kiosk.wait(.seconds(seconds) - .nanoseconds(1))
      #expect(kiosk.commands.isEmpty)
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.commands.count == 2)
    }
  }

  @Test("X4: storage that fails at the next track waits at its start, when the one before it was heard to its end")
  func nextTrack() {
    let kiosk = Kiosk { $0.repeats = .queue }
    kiosk.unreadable = [1, 2]
    kiosk.type("play", then: .seconds(59))
    #expect(kiosk.status.state == .playing)
    kiosk.unreadable = [0, 1, 2]
    kiosk.wait(.seconds(1))
    #expect(kiosk.names(.trackEnded).count == 1)
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.frame == 0)
    #expect(kiosk.status.holds == [.storageUnavailable])
    kiosk.unreadable = []
    kiosk.wait(.seconds(1))
    #expect(kiosk.heard?.track == 1)
    #expect(kiosk.names(.trackFailed).isEmpty)
  }

  @Test("X4, I6: Play tries at once, and the music goes on where it was")
  func playRetries() {
    let kiosk = broken()
    kiosk.wait(.seconds(20))
    kiosk.type("play")
    #expect(kiosk.last(.sessionRefused)?["reason"] == "storage-unavailable")
    repair(kiosk)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 10 * Kiosk.rate))
  }

  @Test("X4: Next and a choice try at once where they lead")
  func elsewhere() {
    for (command, track) in [("next", 1), ("track 3", 2)] {
      let kiosk = broken()
      kiosk.wait(.seconds(20))
      repair(kiosk)
      kiosk.type(command)
      #expect(kiosk.heard == Position(track: TrackID(track), frame: 0))
      #expect(kiosk.status.holds.isEmpty)
    }
  }

  @Test("X4: a person who stops or pauses meanwhile hears nothing when it is back")
  func stopped() {
    for (command, state) in [("stop", Status.State.stopped), ("pause", .paused)] {
      let kiosk = broken()
      kiosk.type(command)
      repair(kiosk)
      kiosk.wait(.seconds(60))
      #expect(kiosk.status.state == state)
      #expect(kiosk.status.holds.isEmpty)
      #expect(kiosk.sounding == nil)
      kiosk.type("play")
      #expect(kiosk.heard?.frame == (command == "stop" ? 0 : 10 * Kiosk.rate))
    }
  }

  @Test("X4, P11: a file that cannot be read while others can is to blame itself, and the next one follows")
  func badBlock() {
    let kiosk = broken()
    kiosk.unreadable = [0]
    kiosk.wait(.seconds(1))
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == ["1.mp3"])
    #expect(kiosk.last(.trackFailed)?["frame"] == String(10 * Kiosk.rate))
    #expect(kiosk.heard?.track == 1)
  }

  @Test("X4: two files that cannot be read do not hold the music: each retry tries another file beside them")
  func badNeighbours() {
    let kiosk = broken()
    kiosk.unreadable = [0, 1]
    kiosk.wait(.seconds(10))
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == ["1.mp3", "2.mp3"])
    #expect(kiosk.heard?.track == 2)
    #expect(kiosk.status.holds.isEmpty)
  }

  /// Plays the third of three tracks, of which the last two lie on a stick, which then cannot be read.
  private func brokenStick(unreadable: Set<TrackID>) -> Kiosk {
    let kiosk = Kiosk { $0.repeats = .queue }
    kiosk.mostDecoded = 1
    let tracks = (1...3).map { Track(path: "/\($0).mp3", name: "\($0).mp3", folder: $0 > 1 ? "/stick" : "/music") }
    kiosk.feed(.library(LibraryReport(Library(tracks, after: kiosk.jukebox.library))))
    kiosk.type("track 3", then: .seconds(5))
    kiosk.forget()
    kiosk.unreadable = unreadable
    kiosk.engine.storageFails(frame: 10 * Kiosk.rate, at: kiosk.now)
    kiosk.times[2] = .seconds(10)
    kiosk.wait(.seconds(60))
    return kiosk
  }

  @Test("X4: that another folder of music can be read does not show that the storage of this one works")
  func otherFolder() {
    let kiosk = brokenStick(unreadable: [1, 2])
    #expect(kiosk.names(.trackFailed).isEmpty)
    #expect(kiosk.status.holds == [.storageUnavailable])
    kiosk.unreadable = []
    kiosk.times[2] = nil
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 2, frame: 10 * Kiosk.rate))
  }

  @Test("X4, P11: a file is to blame where another one of its folder can be read")
  func badBlockOnStick() {
    let kiosk = brokenStick(unreadable: [2])
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == ["3.mp3"])
    #expect(kiosk.heard?.track == 0)
  }

  @Test("X4, P11: a queue of which nothing can be played still stops when its storage is back")
  func onlyBad() {
    let kiosk = broken()
    kiosk.unreadable = []
    kiosk.bad = [0: "bad", 1: "bad", 2: "bad"]
    kiosk.wait(.seconds(10))
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.last(.queueEnded)?["reason"] == "no track can be played")
  }

  @Test("X4, I9: storage that stays away for longer than interruption_limit is a pause, and its return resumes nothing")
  func limit() {
    let kiosk = broken { $0.interruptionLimit = .seconds(60) }
    kiosk.wait(.seconds(61))
    #expect(kiosk.last(.playbackPaused)?["reason"] == "limit")
    repair(kiosk)
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.sounding == nil)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 10 * Kiosk.rate))
  }

  @Test("X4, X1: the place in music that goes from the list meanwhile is kept, and it goes on there when it is back")
  func listed() {
    let kiosk = broken()
    kiosk.wait(.seconds(2))
    kiosk.list([])
    #expect(kiosk.names(.queueEnded).isEmpty)
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.holds == [.storageUnavailable])
    repair(kiosk)
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
    #expect(kiosk.last(.queueMoved)?["reason"] == "returned")
    #expect(kiosk.heard == Position(track: 0, frame: 10 * Kiosk.rate))
  }

  @Test("X4, X2: the music that is left plays when the rest goes from the list")
  func restPlays() {
    let kiosk = broken()
    kiosk.unreadable = [0, 1]
    kiosk.list(["3.mp3"])
    #expect(kiosk.status.file == "3.mp3")
    #expect(kiosk.heard?.frame == 0)
    #expect(kiosk.status.holds.isEmpty)
  }

  @Test("X4, P10: a track that is repeated and was held behind its last frame has ended before it is heard anew")
  func behindLastFrame() {
    let kiosk = broken { $0.repeats = .track }
    kiosk.unreadable = []
    // The engine's reports are given one by one.
    kiosk.mostDecoded = 0
    kiosk.wait(.seconds(1))
    kiosk.forget()
    let (stream, end) = (kiosk.engine.stream, 10 * Kiosk.rate)
    kiosk.feed(.audio(.opened(stream: stream, track: 0, TrackTags(frames: end))))
    for report in [
      PlaybackReport.started(stream: stream, Position(track: 0, frame: 0), at: kiosk.now),
      .began(stream: stream, Position(track: 0, frame: end), at: kiosk.now),
      .began(stream: stream, Position(track: 0, frame: 0), at: kiosk.now),
    ] {
      kiosk.feed(.audio(.playback(report)))
    }
    #expect(kiosk.eventNames == [.storageRestored, .trackEnded, .playbackResumed, .trackStarted])
    #expect(kiosk.last(.playbackResumed)?["frame"] == "0")
    #expect(kiosk.status.frame == 0)
  }

  @Test("X4, P1: storage that is back starts nothing on another port after an unplug")
  func unplugged() {
    let kiosk = Kiosk()
    kiosk.mostDecoded = 1
    kiosk.plug("JACK")
    kiosk.type("play")
    kiosk.unreadable = [0, 1, 2]
    kiosk.engine.storageFails(frame: 10 * Kiosk.rate, at: kiosk.now)
    kiosk.times[0] = .seconds(10)
    kiosk.wait(.seconds(11))
    kiosk.unplug("JACK")
    repair(kiosk)
    kiosk.wait(.seconds(5))
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.sounding == nil)
  }
}
