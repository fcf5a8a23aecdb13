import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct LibraryRows {
  /// Plays the first of three tracks, with only it decoded, for five seconds.
  private func playing(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(change)
    kiosk.mostDecoded = 1
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  /// Lets the current track end, and what follows it be decoded.
  private func endTrack(_ kiosk: Kiosk) {
    kiosk.wait(.seconds(54))
    kiosk.mostDecoded = 2
    kiosk.wait(.zero)
    kiosk.type("status", then: .seconds(2))
  }

  @Test("X1: a track that is added while music plays is heard in its place, and nobody is cut")
  func added() {
    let kiosk = playing()
    kiosk.list(["1.mp3", "2.mp3", "2b.mp3", "3.mp3"])
    #expect(kiosk.commands.count == 1)
    #expect(kiosk.heard == Position(track: 0, frame: 5 * Kiosk.rate))
    #expect(kiosk.last(.libraryChanged)?["added"] == "1")
    #expect(kiosk.status.trackCount == 4)
    endTrack(kiosk)
    #expect(kiosk.status.file == "2.mp3")
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.file == "2b.mp3")
    #expect(kiosk.status.track == 3)
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.file == "3.mp3")
    #expect(kiosk.status.track == 4)
  }

  @Test("X1: a track that is added behind the last one follows it, though the decoder was told the end")
  func appended() {
    let kiosk = Kiosk(tracks: 1)
    kiosk.type("play", then: .seconds(5))
    kiosk.list(["1.mp3", "2.mp3"], then: .seconds(60))
    #expect(kiosk.status.file == "2.mp3")
    #expect(kiosk.status.state == .playing)
    #expect(kiosk.names(.queueEnded).isEmpty)
    #expect(kiosk.names(.trackEnded).count == 1)
    kiosk.wait(.seconds(60))
    #expect(kiosk.names(.queueEnded).count == 1)
  }

  @Test("X1: a track that is removed while it plays is heard to its end, and then the one that followed it")
  func removedWhilePlaying() {
    for repeats in Settings.Repeat.allCases {
      let kiosk = Kiosk { $0.repeats = repeats }
      kiosk.mostDecoded = 1
      kiosk.type("track 2", then: .seconds(5))
      kiosk.list(["1.mp3", "3.mp3"])
      #expect(kiosk.heard == Position(track: 1, frame: 5 * Kiosk.rate))
      #expect(kiosk.status.file == "2.mp3")
      #expect(kiosk.status.track == nil)
      endTrack(kiosk)
      #expect(kiosk.last(.trackEnded)?["file"] == "2.mp3")
      #expect(kiosk.status.file == "3.mp3")
      #expect(kiosk.names(.queueMoved).isEmpty)
      #expect(kiosk.names(.trackFailed).isEmpty)
      #expect(kiosk.jukebox.player.queue.gone.isEmpty)
      #expect(kiosk.jukebox.player.changes.departed.isEmpty)
    }
  }

  @Test("X1: a track that is gone when the decoder opens it is passed over without a word")
  func removedWhilePromised() {
    let kiosk = playing()
    kiosk.list(["1.mp3", "3.mp3"])
    endTrack(kiosk)
    #expect(kiosk.status.file == "3.mp3")
    #expect(kiosk.names(.trackFailed).isEmpty)
  }

  @Test("X1: paused at a track that stays, the place stays, and what is decoded anew begins there")
  func pausedAtOneThatStays() {
    let kiosk = playing()
    kiosk.type("pause")
    kiosk.forget()
    kiosk.list(["0.mp3", "1.mp3", "3.mp3"])
    #expect(kiosk.status.file == "1.mp3")
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.frame == 5 * Kiosk.rate)
    #expect(kiosk.names(.queueMoved).isEmpty)
    kiosk.forget()
    kiosk.type("play")
    #expect(kiosk.commands.first == .load(stream: 3, Position(track: 0, frame: 5 * Kiosk.rate)))
    #expect(kiosk.names(.trackStarted).isEmpty)
  }

  @Test("X1: paused at a track that goes, the place falls to the next that exists, and returns with the track")
  func pausedAtOneThatGoes() {
    let kiosk = playing()
    kiosk.type("next", then: .seconds(7))
    kiosk.type("pause")
    kiosk.forget()
    kiosk.list(["1.mp3", "3.mp3"])
    #expect(kiosk.status.file == "3.mp3")
    #expect(kiosk.status.frame == 0)
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.last(.queueMoved)?["from"] == "2.mp3")
    #expect(kiosk.last(.queueMoved)?["reason"] == "removed")
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
    #expect(kiosk.status.file == "2.mp3")
    #expect(kiosk.status.frame == 7 * Kiosk.rate)
    #expect(kiosk.last(.queueMoved)?["reason"] == "returned")
  }

  @Test("X1: where the track goes that the place fell to, it is still gone back to the one that somebody had left")
  func goneOneAfterTheOther() {
    let kiosk = playing()
    kiosk.type("pause")
    kiosk.list(["2.mp3", "3.mp3"])
    #expect(kiosk.status.file == "2.mp3")
    kiosk.list(["3.mp3"])
    #expect(kiosk.status.file == "3.mp3")
    kiosk.list(["2.mp3", "3.mp3"])
    #expect(kiosk.status.file == "3.mp3")
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
    #expect(kiosk.status.file == "1.mp3")
    #expect(kiosk.status.frame == 5 * Kiosk.rate)
  }

  @Test("X1: whoever has gone elsewhere meanwhile stays there when the track returns")
  func elsewhere() {
    for command in ["play", "next", "stop", "track 1"] {
      let kiosk = playing()
      kiosk.type("next", then: .seconds(7))
      kiosk.type("pause")
      kiosk.list(["1.mp3", "3.mp3"])
      kiosk.type(command)
      kiosk.type("pause")
      let (file, frame) = (kiosk.status.file, kiosk.status.frame)
      kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
      #expect(kiosk.status.file == file && kiosk.status.frame == frame, "\(command)")
    }
  }

  @Test("X1: the listener who is held by an unplug or a page goes on in the removed track")
  func held() {
    let kiosk = Kiosk.held()
    kiosk.list(["2.mp3", "3.mp3"])
    #expect(kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.heard == Position(track: 0, frame: Kiosk.heldFrame))
    #expect(kiosk.status.file == "1.mp3")
  }

  @Test("X1: shuffled, those that stay keep their order, and new ones come behind the one that is heard")
  func shuffled() {
    for seed in 0..<40 as Range<UInt64> {
      var queue = Queue(count: 6, repeats: .off, shuffle: seed)
      queue.go(to: Place(index: 2))
      let (before, current) = (queue.order, queue.track)
      queue.take([0, 1, 2, 3, 4, 5, 6, 7])
      #expect(queue.order.filter { $0.number < 6 } == before)
      #expect(queue.track == current)
      #expect(Set(queue.order.map(\.number)) == Set(0..<8))
      #expect(!queue.order.prefix(3).contains { $0.number > 5 })
    }
  }

  @Test("X3: an empty library is a warning, once, also at power on, and play says so")
  func empty() {
    let kiosk = Kiosk(tracks: 0)
    #expect(kiosk.names(.libraryEmpty).map(\.level) == [.warn])
    kiosk.list([])
    #expect(kiosk.names(.libraryEmpty).count == 1)
    kiosk.list(["1.mp3"])
    kiosk.type("play")
    #expect(kiosk.heard?.track == 0)
    kiosk.type("stop")
    kiosk.list([])
    #expect(kiosk.names(.libraryEmpty).count == 2)
  }

  @Test("X2: the place that was saved is gone to when its folder comes, unless somebody has gone elsewhere")
  func savedPlace() {
    let state = SavedState(volumes: [:], track: "1.mp3", frame: 4_800, intent: .playing, port: nil)
    let kiosk = Kiosk(tracks: 0, saved: .state(state))
    kiosk.list(["0.mp3", "1.mp3"])
    #expect(kiosk.status.file == "1.mp3")
    #expect(kiosk.status.frame == 4_800)
    #expect(kiosk.status.state == .paused)
    kiosk.forget()
    kiosk.feed(.shutdown(reason: "test"))
    #expect(kiosk.saves.last?.track == "1.mp3")
  }

  @Test("X2: the saved place outlives a time without its folder")
  func savedPlaceKept() {
    let state = SavedState(volumes: [:], track: "b.mp3", frame: 4_800, intent: .paused, port: nil)
    let kiosk = Kiosk(saved: .state(state))
    kiosk.feed(.shutdown(reason: "test"))
    #expect(kiosk.saves.last?.track == "b.mp3")
    #expect(kiosk.saves.last?.frame == 4_800)
  }

  @Test("X5: reload has the music listed, says what it does not read, and is no change of the music")
  func reload() {
    let kiosk = playing()
    kiosk.type("reload")
    #expect(kiosk.listings == 1)
    #expect(kiosk.replies == [Jukebox.reloadReply])
    #expect(kiosk.commands.isEmpty)
  }

  @Test("X2: a folder that is missing is a warning with its line, once, and its return is logged")
  func missing() {
    let kiosk = Kiosk()
    let missing = LibraryReport.Missing(folder: "/media/stick", setting: "jackdaw.toml:3", reason: "no such folder")
    for _ in 0..<2 { kiosk.list(["1.mp3", "2.mp3", "3.mp3"], missing: [missing]) }
    #expect(kiosk.names(.libraryMissing).map { $0["setting"] } == ["jackdaw.toml:3"])
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
    #expect(kiosk.names(.libraryFound).map { $0["folder"] } == ["/media/stick"])
  }

  @Test(
    "X2, X3.1: a playlist whose tracks are all gone, or missing with their folder, gives way when somebody wants music",
    arguments: [[], [LibraryReport.Missing(folder: "/a", reason: "gone")]])
  func emptyPlaylist(missing: [LibraryReport.Missing]) {
    for isPlug in [true, false] {
      let kiosk = Kiosk(plugged: [], names: ["a/1.mp3", "b/1.mp3"]) { $0.onConnect = .play }
      kiosk.type("playlist a")
      kiosk.type("stop")
      kiosk.list(["b/1.mp3"], missing: missing)
      #expect(kiosk.status.playlist == "a" && kiosk.status.trackCount == 0)
      if isPlug { kiosk.plug("JACK") } else { kiosk.type("play") }
      kiosk.wait(.seconds(1))
      #expect(kiosk.status.playlist == nil && kiosk.status.file == "b/1.mp3")
      #expect(kiosk.sounding != nil)
    }
  }

  @Test("X3.1: a playlist that is copied anew before anybody wants music is still the one that is played")
  func copiedPlaylist() {
    let kiosk = Kiosk(plugged: [], names: ["a/1.mp3", "b/1.mp3"])
    kiosk.type("playlist a")
    kiosk.type("stop")
    kiosk.list(["b/1.mp3"])
    kiosk.list(["a/1.mp3", "b/1.mp3"])
    kiosk.type("play")
    #expect(kiosk.status.playlist == "a" && kiosk.status.file == "a/1.mp3")
  }

  @Test("V2.1, X3.1: a playlist whose folder is missing as a visit ends is the next visitor's once it is back")
  func missingAtTheEndOfAVisit() {
    let selector = Line(name: "LANG", role: .selector(playlist: "b", released: "a"))
    let kiosk = Kiosk(selectors: [selector], names: ["a/1.mp3", "b/1.mp3"])
    kiosk.list(["b/1.mp3"], missing: [LibraryReport.Missing(folder: "/a", reason: "gone")])
    kiosk.pressOnce(.play)
    #expect(kiosk.status.file == "b/1.mp3")
    kiosk.pressOnce(.stop, then: .seconds(601))
    #expect(kiosk.names(.visitEnded).count == 1)
    kiosk.list(["a/1.mp3", "b/1.mp3"])
    #expect(kiosk.status.playlist == "a" && kiosk.status.trackCount == 1)
  }
}
