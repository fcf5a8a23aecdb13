import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct QueueRows {
  @Test("P10: the next track is requested while the one before plays, and its start is logged when it is heard")
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

  @Test(
    "P10.1: by itself or with Next, each round of a shuffled queue has another order, without a gap, also after a power cut",
    arguments: [false, true])
  func rounds(isSkipped: Bool) {
    let kiosk = Kiosk(tracks: 8, seed: 7) {
      $0.shuffle = true
      $0.repeats = .queue
      $0.saveInterval = .seconds(2)
    }
    func round(_ kiosk: Kiosk, _ count: Int = 8) -> [Int?] {
      (0..<count).map { _ in
        defer { if isSkipped { kiosk.type("next", then: .seconds(12)) } else { kiosk.wait(Kiosk.trackTime) } }
        return kiosk.status.track
      }
    }
    kiosk.type("play")
    let rounds = (0..<4).map { _ in round(kiosk) }
    #expect(Set(rounds).count == 4 && rounds.allSatisfy { Set($0) == Set(1...8) })
    #expect(kiosk.names(.playbackStarted).count == 1)
    _ = round(kiosk, 2)
    kiosk.wait(.seconds(12))
    let after = Kiosk(tracks: 8, saved: kiosk.saves.last.map { .state($0) } ?? .nothing, seed: 5) {
      $0.shuffle = true
      $0.repeats = .queue
      $0.playOnBoot = true
    }
    #expect(after.jukebox.player.queue.order == kiosk.jukebox.player.queue.order)
    #expect(round(after, 6) == round(kiosk, 6))
  }

  @Test("P10.1, P11: a bad file freezes no order, also where it would begin a round")
  func roundsWithBadFile() {
    let kiosk = Kiosk(tracks: 8, seed: 7, bad: [3: "damaged"]) {
      $0.shuffle = true
      $0.repeats = .queue
    }
    kiosk.mostDecoded = 2
    kiosk.type("play")
    let rounds = (0..<40).map { _ in
      (0..<7).map { _ in
        defer { kiosk.wait(Kiosk.trackTime) }
        return kiosk.status.track
      }
    }
    #expect(rounds.allSatisfy { Set($0).count == 7 && !$0.contains(4) })
    #expect(zip(rounds, rounds.dropFirst()).allSatisfy { $0 != $1 })
    #expect(kiosk.names(.playbackStarted).count == 1)
  }

  @Test("P10.1, P11: nor do bad files that are all that a round may begin with")
  func roundsBehindBadFiles() {
    let kiosk = Kiosk(tracks: 8, seed: 7) {
      $0.shuffle = true
      $0.repeats = .queue
    }
    for track in kiosk.jukebox.player.queue.order.prefix(4) { kiosk.bad[track] = "damaged" }
    func round() -> [Int?] {
      (0..<4).map { _ in
        defer { kiosk.wait(Kiosk.trackTime) }
        return kiosk.status.track
      }
    }
    kiosk.type("play")
    // All that can be played is heard or promised at the end of this round, but not of those after it.
    let first = round()
    kiosk.mostDecoded = 2
    let rounds = (0..<20).map { _ in round() }
    #expect(rounds.allSatisfy { Set($0) == Set(first) } && Set(first).count == 4)
    #expect(Set(rounds).count > 1 && kiosk.names(.playbackStarted).count == 1)
  }

  @Test("P10.1: Stop at the end, and the next visitor, begin another order")
  func beginsAgain() {
    let kiosk = Kiosk(tracks: 20, seed: 7) {
      $0.shuffle = true
      $0.idleReset = .seconds(600)
    }
    var orders = [kiosk.jukebox.player.queue.order]
    kiosk.type("play", then: Kiosk.trackTime * 20 + .seconds(1))
    orders.append(kiosk.jukebox.player.queue.order)
    kiosk.type("play", then: .seconds(5))
    kiosk.type("stop", then: .seconds(700))
    orders.append(kiosk.jukebox.player.queue.order)
    #expect(Set(orders).count == 3 && Set(orders.map(Set.init)).count == 1)
    #expect(kiosk.status.track.map { $0 - 1 } == orders[2].first?.number)
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
    kiosk.type("play", then: .seconds(61))
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

  @Test("P11: without any track Play is logged and does nothing")
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
    let id = kiosk.jukebox.player.stream.id
    kiosk.feed(.audio(.opened(stream: id, track: 1, TrackTags(title: "Waltz", artist: "Jack", frames: 5))))
    kiosk.wait(.seconds(61))
    #expect(kiosk.last(.trackStarted)?["title"] == "Waltz")
    #expect(kiosk.status.tags.artist == "Jack")
    #expect(kiosk.status.tags.frames == 5)
    for (stream, length) in [(id &+ 1, 9), (id, 7)] {
      kiosk.feed(.audio(.measured(stream: stream, track: 1, frames: length)))
      #expect(kiosk.status.tags.frames == (stream == id ? 7 : 5))
    }
  }
}
