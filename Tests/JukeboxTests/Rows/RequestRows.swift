import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// J1 and J2: what is chosen waits its turn.
@Suite struct RequestRows {
  /// Five tracks of a minute; what is chosen waits.
  static func jukebox(
    plugged: Set<String> = [], saved: PowerOn.Saved = .nothing, ledger: SavedLedger = .nothing,
    after: RequestSettings.After = .stop, names: [String]? = nil, _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, tracks: 5, saved: saved, names: names, ledger: ledger) {
      $0.requests = RequestSettings()
      $0.requests?.after = after
      change(&$0)
    }
    kiosk.knowsLengths = true
    return kiosk
  }

  @Test("J1: nothing sounds: a chosen track begins at once")
  func atOnce() {
    let kiosk = Self.jukebox()
    kiosk.type("track 3")
    #expect(kiosk.heard == Position(track: 2, frame: 0) && kiosk.sounding == .speaker)
    #expect(kiosk.names(.requestStarted).map { $0["file"] } == ["3.mp3"])
    #expect(kiosk.names(.requestQueued).isEmpty)
    #expect(kiosk.ledgers.last?.requests.map(\.track) == ["3.mp3"])
  }

  @Test("J1.1: a request that plays is not cut: others wait, and begin without a gap behind it, each once")
  func inTurn() {
    let kiosk = Self.jukebox()
    for track in [3, 1, 5] { kiosk.type("track \(track)") }
    #expect(kiosk.heard?.track == 2)
    #expect(kiosk.names(.requestQueued).map { "\($0["file"] ?? "") \($0["place"] ?? "")" } == ["1.mp3 1", "5.mp3 2"])
    let loads = { kiosk.commands.filter { if case .load = $0 { true } else { false } }.count }
    let before = loads()
    kiosk.wait(.seconds(60) + .milliseconds(1))
    #expect(kiosk.heard?.track == 0)
    kiosk.wait(.seconds(60))
    #expect(kiosk.heard?.track == 4)
    #expect(loads() == before)
    #expect(kiosk.names(.requestStarted).map { $0["file"] } == ["3.mp3", "1.mp3", "5.mp3"])
    kiosk.wait(.seconds(60))
    #expect(kiosk.status.state == .stopped && kiosk.last(.playbackStopped)?["cause"] == "queue-ended")
    #expect(kiosk.ledgers.last?.requests.isEmpty == true)
  }

  @Test("J1.2: the background fades out for a request, and goes on where it was left behind the last one")
  func background() {
    let kiosk = Self.jukebox(after: .background)
    kiosk.type("play", then: .seconds(10))
    kiosk.forget()
    kiosk.type("track 4")
    let silence = kiosk.commands.firstIndex(of: .silence(edge: nil))
    let load = kiosk.commands.firstIndex { if case .load = $0 { true } else { false } }
    #expect(silence != nil && load != nil && silence ?? 0 < load ?? 0)
    #expect(kiosk.heard?.track == 3)
    kiosk.wait(.seconds(60) + .milliseconds(1))
    #expect(kiosk.heard?.track == 0)
    #expect((10 * Kiosk.rate...10 * Kiosk.rate + Kiosk.rate).contains(kiosk.heard?.frame ?? 0))
    kiosk.wait(.seconds(50))
    #expect(kiosk.heard?.track == 1, "the queue goes on as without requests")
  }

  @Test("J1.2: silence before the requests becomes the background behind them")
  func backgroundFromSilence() {
    let kiosk = Self.jukebox(after: .background)
    kiosk.type("track 4", then: .seconds(61))
    #expect(kiosk.heard?.track == 0 && kiosk.status.state == .playing)
  }

  @Test("J1.3: Next ends the request that plays; Stop ends it too, and those behind it wait on for Play")
  func nextAndStop() {
    let kiosk = Self.jukebox()
    for track in [3, 1, 5] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(20))
    kiosk.type("next")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
    kiosk.type("stop")
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
    #expect(kiosk.ledgers.last?.requests.map(\.track) == ["5.mp3"])
    kiosk.wait(.seconds(30))
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 4, frame: 0))
    kiosk.type("stop")
    kiosk.type("track 2")
    #expect(kiosk.heard == Position(track: 1, frame: 0), "nothing is left of a request that was stopped")
  }

  @Test("J1.3: behind a stop, a new request begins the one that has waited longest")
  func oldestFirst() {
    let kiosk = Self.jukebox()
    for track in [3, 1] { kiosk.type("track \(track)") }
    kiosk.type("stop")
    kiosk.type("track 5")
    #expect(kiosk.heard?.track == 0)
    kiosk.wait(.seconds(61))
    #expect(kiosk.heard?.track == 4)
  }

  @Test("J1.4: requests and requests clear at the console; what plays plays on")
  func console() {
    let kiosk = Self.jukebox()
    kiosk.type("requests")
    #expect(kiosk.replies.last == "no requests")
    for track in [3, 1, 5] { kiosk.type("track \(track)") }
    kiosk.type("requests")
    #expect(kiosk.replies.last == "0 plays 3.mp3\n1 waits 1.mp3\n2 waits 5.mp3")
    kiosk.type("requests clear")
    #expect(kiosk.names(.requestDropped).map { $0["file"] } == ["1.mp3", "5.mp3"])
    #expect(kiosk.heard?.track == 2)
    kiosk.wait(.seconds(61))
    #expect(kiosk.status.state == .stopped)
  }

  @Test("J2: a track that waits or plays is refused, unless the settings allow it twice")
  func twice() {
    let kiosk = Self.jukebox()
    for track in [3, 3, 1, 1] { kiosk.type("track \(track)") }
    #expect(
      kiosk.names(.requestRefused).map { "\($0["file"] ?? "") \($0["reason"] ?? "")" } == [
        "3.mp3 twice", "1.mp3 twice",
      ])
    #expect(kiosk.replies.last == "error: track 1: it waits or plays already")
    let other = Self.jukebox { $0.requests?.twice = .allow }
    for track in [3, 3] { other.type("track \(track)") }
    other.wait(.seconds(61))
    #expect(other.heard?.track == 2 && other.names(.requestStarted).count == 2)
  }

  @Test("J2: no more wait than the settings say; what is refused costs nothing")
  func limit() {
    let kiosk = Self.jukebox {
      $0.requests?.limit = 2
      $0.requests?.credits = CreditSettings()
    }
    kiosk.type("credits +9")
    for track in [3, 1, 5] { kiosk.type("track \(track)") }
    #expect(kiosk.last(.requestRefused)?["reason"] == "full")
    #expect(kiosk.replies.last == "error: track 5: no more requests are taken, 2 wait or play")
    #expect(kiosk.ledgers.last?.credits == 7)
  }

  @Test("J4: a request begins only when the storage has it")
  func synced() {
    let kiosk = Self.jukebox()
    kiosk.holdsLedger = true
    kiosk.type("track 3")
    #expect(kiosk.sounding == nil && kiosk.ledgers.count == 1)
    kiosk.feed(.ledger(.kept(1)))
    #expect(kiosk.heard?.track == 2)
  }

  @Test("J5.4: a request out of another playlist moves nothing: behind it the playlist goes on")
  func otherPlaylist() {
    let kiosk = Self.jukebox(after: .background, names: Kiosk.folders)
    kiosk.type("playlist english", then: .seconds(70))
    kiosk.forget()
    kiosk.type("track deutsch/1 Haus.mp3")
    #expect(kiosk.heard?.track == 0 && kiosk.status.playlist == "english" && kiosk.names(.playlistChanged).isEmpty)
    kiosk.type("playlist deutsch")
    #expect(kiosk.heard?.track == 0 && kiosk.status.playlist == "deutsch")
    kiosk.wait(.seconds(61))
    #expect(kiosk.heard?.track == 0 && kiosk.heard.map { $0.frame < 3 * Kiosk.rate } == true)
  }

  @Test("J5: an unplug holds a request and those that wait; a plug goes on at its frame")
  func unplug() {
    let kiosk = Self.jukebox(plugged: ["JACK"])
    for track in [3, 1] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK")
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    kiosk.type("track 5")
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown, "a choice says nothing of the loudspeaker")
    kiosk.plug("JACK")
    #expect(kiosk.heard?.track == 2 && kiosk.sounding == .headphones)
    #expect(kiosk.heard.map { $0.frame >= 5 * Kiosk.rate } == true)
    kiosk.wait(.seconds(120))
    #expect(kiosk.heard?.track == 4)
  }

  @Test("J5.1: the end of a prompt drops what plays and what waits, and gives the credits back")
  func expiry() {
    let kiosk = Self.jukebox(plugged: ["JACK"]) { $0.requests?.credits = CreditSettings() }
    kiosk.type("credits +3")
    for track in [3, 1] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK", then: .seconds(301))
    #expect(kiosk.ledgers.last?.credits == 3 && kiosk.ledgers.last?.requests.isEmpty == true)
    #expect(kiosk.names(.creditReturned).map { $0["file"] } == ["3.mp3", "1.mp3"])
  }

  @Test("J5.2: a request is kept by name while the music changes, and dropped at its turn where it is gone")
  func musicChanges() {
    let kiosk = Self.jukebox()
    for track in [3, 1, 2, 5, 4] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(10))
    kiosk.list(["0.mp3", "1.mp3", "2.mp3", "5.mp3"])
    #expect(kiosk.heard?.track != nil, "what plays is heard to its end")
    kiosk.wait(.seconds(51))
    #expect(kiosk.last(.requestStarted)?["file"] == "1.mp3")
    kiosk.wait(.seconds(120))
    #expect(kiosk.last(.requestStarted)?["file"] == "5.mp3")
    #expect(kiosk.names(.requestDropped).map { $0["file"] } == ["4.mp3"])
  }

  @Test("J5.2: what waits for a folder of music begins when that is there again, though nothing else was left to play")
  func missingFolder() {
    let kiosk = Self.jukebox()
    for track in [3, 1, 2, 5, 4] { kiosk.type("track \(track)") }
    let missing = [LibraryReport.Missing(folder: "/n", reason: "gone")]
    kiosk.list(["1.mp3", "2.mp3", "3.mp3", "5.mp3"], missing: missing, then: .seconds(300))
    #expect(kiosk.status.state == .paused && kiosk.ledgers.last?.requests.map(\.track) == ["4.mp3"])
    kiosk.list(["1.mp3", "2.mp3", "3.mp3", "4.mp3", "5.mp3"])
    #expect(kiosk.last(.requestStarted)?["file"] == "4.mp3" && kiosk.sounding == .speaker)
  }

  @Test("J4.1: the only request fails while it is paused: whatever is pressed then, the next one plays")
  func failsInPause() {
    for command in ["next", "stop", "previous", "play"] {
      let kiosk = Self.jukebox()
      kiosk.bad = [2: "noise"]
      kiosk.mostDecoded = 0
      kiosk.type("track 3")
      kiosk.type("pause")
      kiosk.mostDecoded = 3
      kiosk.feed(.health(.leftOut(0)))
      #expect(kiosk.ledgers.last?.requests.isEmpty == true, "\(command)")
      kiosk.type(command)
      kiosk.type("track 1")
      #expect(kiosk.heard?.track == 0, "\(command)")
    }
  }

  @Test("J5.3: the track behind the request was deleted while the power was off: the request goes on all the same")
  func backgroundGone() {
    let state = SavedState(
      volumes: [:], track: "gone.mp3", frame: 9, intent: .playing, port: .speaker,
      request: RequestPlace(number: 1, frame: 30 * Kiosk.rate))
    let ledger = Ledger(requests: [Request(number: 1, track: "3.mp3", isPaid: false)], nextNumber: 2)
    let kiosk = Self.jukebox(saved: .state(state), ledger: .ledger(ledger))
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 2, frame: 30 * Kiosk.rate))
  }

  @Test("J5.3: a power cut in the middle of a request: it goes on at its frame, by itself only if boot plays")
  func powerCut() throws {
    for plays in [false, true] {
      let kiosk = Self.jukebox(after: .background) { $0.playOnBoot = plays }
      kiosk.type("play", then: .seconds(7))
      for track in [3, 1] { kiosk.type("track \(track)") }
      kiosk.wait(.seconds(30))
      kiosk.feed(.shutdown(reason: "test"))
      let (state, ledger) = (try #require(kiosk.saves.last), try #require(kiosk.ledgers.last))
      let next = Self.jukebox(saved: .state(state), ledger: .ledger(ledger), after: .background) {
        $0.playOnBoot = plays
      }
      #expect((next.sounding != nil) == plays)
      if !plays { next.type("play") }
      #expect(next.heard?.track == 2 && next.heard.map { $0.frame >= 29 * Kiosk.rate } == true)
      #expect(next.names(.requestStarted).isEmpty, "it has begun before")
      next.wait(.seconds(31))
      #expect(next.heard?.track == 0 && next.last(.requestStarted)?["file"] == "1.mp3")
      next.wait(.seconds(60))
      #expect(next.heard?.track == 0 && next.heard.map { $0.frame >= 7 * Kiosk.rate } == true, "the background")
    }
  }

  @Test("J2: behind Stop, a choice that waits already plays what waits")
  func waitsAlready() {
    let kiosk = Self.jukebox()
    for track in [3, 1, 5] { kiosk.type("track \(track)") }
    kiosk.type("stop", then: .seconds(5))
    kiosk.type("track 5")
    #expect(kiosk.sounding == .speaker && kiosk.heard?.track == 0)
    #expect(kiosk.last(.requestRefused)?["reason"] == "twice" && kiosk.ledgers.last?.requests.count == 2)
  }

  @Test("J1.4, K7: a reply with more requests than a client may be sent says how many more there are")
  func manyRequests() {
    let names = (1...300).map { String(repeating: "n", count: 96) + "\($0).mp3" }
    let kiosk = Self.jukebox(names: names) { $0.requests?.limit = 300 }
    for number in names.indices { kiosk.type("track \(number + 1)") }
    kiosk.type("requests")
    let reply = kiosk.replies.last ?? ""
    #expect(reply.utf8.count < 12_100 && reply.hasSuffix(" more") && reply.hasPrefix("0 plays "))
  }
}
