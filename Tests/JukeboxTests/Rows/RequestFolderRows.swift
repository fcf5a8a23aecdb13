import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Requests whose folder of music is missing for a while: a stick that is pulled out, a share that is away.
@Suite struct RequestFolderRows {
  private static let missing = [LibraryReport.Missing(folder: "/n", reason: "gone")]
  private static let all = (1...5).map { "\($0).mp3" }

  private func frames(_ seconds: Int) -> Int { seconds * Kiosk.rate }

  /// The folder is missing, or is there again.
  private func list(_ isThere: Bool, _ kiosk: Kiosk) {
    kiosk.list(isThere ? Self.all : [], missing: isThere ? [] : Self.missing)
  }

  /// Two requests, of which the first one was heard for ten seconds.
  private func playing(plugged: Set<String> = [], _ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = RequestRows.jukebox(plugged: plugged, change)
    for track in [3, 1] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(10))
    return kiosk
  }

  /// Five requests, of which the folder of the last one, and nothing else, is missing.
  private func chooseAll(_ kiosk: Kiosk) {
    for track in [3, 1, 2, 5, 4] { kiosk.type("track \(track)") }
    kiosk.list(["1.mp3", "2.mp3", "3.mp3", "5.mp3"], missing: Self.missing)
  }

  @Test(
    "J5.2, J5.5: what is paused waits for its folder, and stands where it was when that is back; it starts nothing",
    arguments: ["pause", "sleep 1s"])
  func paused(command: String) {
    let kiosk = playing()
    kiosk.type(command, then: .seconds(20))
    let frame = kiosk.status.frame
    list(false, kiosk)
    #expect(kiosk.names(.requestDropped).isEmpty && kiosk.ledgers.last?.requests.count == 2)
    kiosk.wait(.seconds(60))
    list(true, kiosk)
    kiosk.wait(.seconds(60))
    #expect(kiosk.sounding == nil && kiosk.status.state == .paused && kiosk.status.frame == frame)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 2, frame: frame) && kiosk.names(.requestStarted).count == 1)
  }

  @Test(
    "J5.5, J1.3: what is paused again is what Next and Stop end, and what was heard before counts",
    arguments: ["next", "stop"])
  func ended(command: String) {
    let kiosk = playing()
    kiosk.type("pause")
    list(false, kiosk)
    kiosk.wait(.seconds(5))
    list(true, kiosk)
    kiosk.type(command)
    #expect(kiosk.ledgers.last?.requests.map(\.track) == ["1.mp3"] && kiosk.names(.requestDropped).isEmpty)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
  }

  @Test("J5.2: what the decoder was promised before the folder went waits, too")
  func promised() {
    let kiosk = RequestRows.jukebox()
    kiosk.mostDecoded = 1
    for track in [3, 1] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(10))
    list(false, kiosk)
    kiosk.bad = [0: "no such file"]
    kiosk.mostDecoded = 3
    kiosk.feed(.health(.leftOut(0)), then: .seconds(120))
    #expect(kiosk.names(.requestDropped).isEmpty)
    #expect(kiosk.ledgers.last?.requests.map(\.track) == ["1.mp3"])
    kiosk.bad = [:]
    list(true, kiosk)
    #expect(kiosk.heard == Position(track: 0, frame: 0) && kiosk.sounding == .speaker)
  }

  @Test("J5.5, H5: whoever has set the sleep timer is not woken", arguments: ["sleep track", "sleep 1min"])
  func asleep(command: String) {
    let kiosk = RequestRows.jukebox()
    chooseAll(kiosk)
    kiosk.wait(.seconds(190))
    kiosk.type(command, then: .seconds(100))
    list(true, kiosk)
    kiosk.wait(.seconds(10))
    #expect(kiosk.sounding == nil && kiosk.ledgers.last?.requests.map(\.track) == ["4.mp3"])
  }

  @Test("J5.2, J1.2: what is chosen behind a request that waits has nothing else played for its coin")
  func behind() {
    for after in RequestSettings.After.allCases {
      let kiosk = RequestRows.jukebox(after: after)
      chooseAll(kiosk)
      kiosk.wait(.seconds(241))
      if after == .background { kiosk.type("stop") }
      #expect(kiosk.status.state == (after == .background ? .stopped : .paused))
      kiosk.type("track 2")
      #expect((kiosk.sounding != nil) == (after == .background), "\(after)")
      list(true, kiosk)
      #expect(kiosk.last(.requestStarted)?["file"] == "4.mp3" && kiosk.sounding == .speaker, "\(after)")
    }
  }

  @Test("J5.6: a folder that does not come back holds up nobody for ever", arguments: [60, 0])
  func forEver(limit: Int) throws {
    let kiosk = RequestRows.jukebox { $0.interruptionLimit = .seconds(limit) }
    chooseAll(kiosk)
    kiosk.wait(.seconds(241))
    kiosk.type("track 2", then: .seconds(58))
    #expect(kiosk.sounding == nil && kiosk.names(.requestDropped).isEmpty)
    kiosk.wait(.seconds(2))
    #expect((kiosk.sounding != nil) == (limit > 0) && kiosk.names(.requestDropped).count == (limit > 0 ? 1 : 0))
    kiosk.wait(.seconds(90))
    #expect(kiosk.ledgers.last?.requests.count == (limit > 0 ? 0 : 2))
    #expect(try #require(kiosk.saves.last).intent == .stopped || limit == 0)
  }

  @Test("J5.6, I9: a page at the moment when a folder was waited for in vain keeps nobody's turn from coming")
  func pageAtTheLimit() {
    let kiosk = RequestRows.jukebox()
    chooseAll(kiosk)
    kiosk.wait(.seconds(241))
    kiosk.type("track 2")
    for _ in 0..<200 where kiosk.names(.requestDropped).isEmpty {
      kiosk.type("interrupt begin page", then: .seconds(5))
      kiosk.type("interrupt end page resume")
    }
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.file == "2.mp3")
  }

  @Test("J5.6: where none is left behind it, nothing plays for nobody's coin", arguments: ["", "requests clear"])
  func noneLeft(command: String) {
    let kiosk = RequestRows.jukebox()
    chooseAll(kiosk)
    kiosk.wait(.seconds(241))
    #expect(kiosk.status.holds == [.storageUnavailable])
    if !command.isEmpty { kiosk.type(command) }
    kiosk.wait(.seconds(600))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped && kiosk.status.holds == [])
    #expect(kiosk.last(.playbackStopped)?["cause"] == "queue-ended" && kiosk.ledgers.last?.requests.isEmpty == true)
  }

  @Test("W1, J5.3: a power cut while it waits for its folder takes nothing from it")
  func cutWhileWaiting() throws {
    let kiosk = RequestRows.jukebox { $0.playOnBoot = true }
    kiosk.type("track 3", then: .seconds(10))
    kiosk.engine.storageFails(frame: frames(10), at: kiosk.now)
    kiosk.engine.heardOut(at: kiosk.now)
    kiosk.feed(.health(.leftOut(0)))
    list(false, kiosk)
    kiosk.wait(.seconds(60))
    kiosk.feed(.shutdown(reason: "test"))
    let (state, ledger) = (try #require(kiosk.saves.last), try #require(kiosk.ledgers.last))
    #expect(state.intent == .playing && state.request == RequestPlace(number: 1, frame: frames(10)))
    let next = Kiosk(saved: .state(state), names: [], isMusicComplete: false, ledger: .ledger(ledger)) {
      $0.requests = RequestSettings()
      $0.playOnBoot = true
    }
    list(false, next)
    list(true, next)
    #expect(next.heard == Position(track: 2, frame: frames(10)) && next.sounding == .speaker)
  }

  @Test("J5.5, I9: so does what an interruption has held for too long")
  func interrupted() {
    let kiosk = playing { $0.interruptionLimit = .seconds(20) }
    kiosk.type("interrupt begin page")
    list(false, kiosk)
    kiosk.wait(.seconds(30))
    list(true, kiosk)
    kiosk.type("interrupt end page resume", then: .seconds(5))
    #expect(kiosk.sounding == nil && kiosk.names(.requestDropped).isEmpty)
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 2, frame: frames(10)))
  }

  @Test("J5.5, P1: whoever has pulled the plug, or has said Pause or Stop, is not brought back by the folder")
  func unwanted() {
    let acts: [(String, (Kiosk) -> Void)] = [
      ("", { _ in }), ("unplug", { $0.unplug("JACK") }), ("pause", { $0.type("pause") }), ("stop", { $0.type("stop") }),
    ]
    for (name, act) in acts {
      let kiosk = RequestRows.jukebox(plugged: ["JACK"]) { $0.visitGap = .zero }
      chooseAll(kiosk)
      kiosk.wait(.seconds(300))
      #expect(kiosk.status.holds == [.storageUnavailable] && kiosk.last(.playbackPaused)?["cause"] == "storage")
      #expect(kiosk.status.state == .paused && kiosk.ledgers.last?.requests.map(\.track) == ["4.mp3"])
      act(kiosk)
      kiosk.wait(.seconds(10))
      list(true, kiosk)
      #expect((kiosk.sounding != nil) == name.isEmpty, "\(name)")
      #expect(kiosk.status.isPromptShown == (name == "unplug"), "\(name)")
      if name.isEmpty { #expect(kiosk.last(.playbackResumed)?["cause"] == "storage-restored") }
    }
  }

  @Test(
    "J5.3, J5.5, W2: power on while the folder is missing drops and plays nothing, and goes on when that is there",
    arguments: [false, true])
  func powerOn(plays: Bool) {
    let state = SavedState(
      volumes: [:], track: "2.mp3", frame: 9, intent: .playing, port: .speaker,
      request: RequestPlace(number: 1, frame: frames(30)))
    let requests = [(1, "3.mp3"), (2, "1.mp3")].map { Request(number: $0, track: $1, isPaid: true) }
    let ledger = Ledger(requests: requests, nextNumber: 3)
    for there in [[], ["2.mp3"], ["1.mp3", "2.mp3"]] {
      let kiosk = Kiosk(
        saved: .state(state), names: there, isMusicComplete: false, ledger: .ledger(ledger)
      ) {
        $0.requests = RequestSettings()
        $0.playOnBoot = plays
      }
      kiosk.list(there, missing: Self.missing, then: .seconds(5))
      #expect(kiosk.ledgers.last?.requests.count ?? 2 == 2 && kiosk.names(.creditReturned).isEmpty)
      #expect(kiosk.sounding == nil && kiosk.status.state != .playing)
      list(true, kiosk)
      #expect((kiosk.sounding != nil) == plays)
      if !plays { kiosk.type("play") }
      #expect(kiosk.heard == Position(track: 2, frame: frames(30)))
    }
  }

  @Test("J5.3: behind a power cut, where none of the requests is there any more, nothing plays by itself")
  func allGone() {
    let state = SavedState(
      volumes: [:], track: "2.mp3", frame: 9, intent: .playing, port: .speaker,
      request: RequestPlace(number: 1, frame: frames(30)))
    let ledger = Ledger(requests: [Request(number: 1, track: "gone.mp3", isPaid: false)], nextNumber: 2)
    for after in RequestSettings.After.allCases {
      let kiosk = RequestRows.jukebox(saved: .state(state), ledger: .ledger(ledger), after: after) {
        $0.playOnBoot = true
      }
      kiosk.wait(.seconds(5))
      #expect((kiosk.sounding != nil) == (after == .background), "\(after)")
    }
  }

  @Test("J1.2, X1.1: the background is gone back to when its file was away while a request played")
  func background() {
    let kiosk = RequestRows.jukebox(after: .background)
    kiosk.type("play", then: .seconds(12))
    kiosk.type("track 3", then: .seconds(5))
    kiosk.list(["2.mp3", "3.mp3", "4.mp3", "5.mp3"], then: .seconds(5))
    kiosk.list(Self.all, then: .seconds(60))
    #expect(kiosk.heard?.track == 0 && kiosk.heard.map { $0.frame >= frames(12) } == true)
  }

  @Test("J1.2, X1.1: so it is where the request is stopped, at the start of its file", arguments: ["stop", "next"])
  func stoppedBackground(command: String) {
    let kiosk = RequestRows.jukebox()
    kiosk.type("play")
    kiosk.type("next", then: .seconds(12))
    kiosk.type("track 3")
    kiosk.list(["1.mp3", "3.mp3", "4.mp3", "5.mp3"], then: .seconds(5))
    kiosk.type(command)
    kiosk.list(Self.all)
    #expect(kiosk.status.state == .stopped && kiosk.status.track == 2 && kiosk.status.frame == 0)
  }

  @Test("J1.3: whoever holds Play while the last request is heard ends it, and begins nothing")
  func heldPlay() {
    let kiosk = RequestRows.jukebox()
    kiosk.type("track 3", then: .seconds(5))
    kiosk.press(.play, for: .seconds(2), then: .seconds(5))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("H5.7: a request that ends while the sleep timer fades does not come back; of what follows nothing is missed")
  func sleep() {
    for after in RequestSettings.After.allCases {
      let kiosk = RequestRows.jukebox(after: after)
      if after == .background {
        kiosk.type("play", then: .seconds(7))
      }
      kiosk.type("track 3")
      if after == .stop { kiosk.type("track 1") }
      kiosk.type("sleep 55s", then: .seconds(70))
      #expect(kiosk.status.state == .paused && kiosk.last(.playbackPaused)?["cause"] == "sleep", "\(after)")
      kiosk.type("play")
      #expect(kiosk.heard == Position(track: 0, frame: after == .stop ? 0 : frames(7)), "\(after)")
    }
  }
}
