import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Power on while the folder of what played is not there yet: a share or a stick that is mounted late (W2.1).
@Suite struct LateMusicRows {
  private static let old = ["a/1 Old.mp3", "a/2 Old.mp3", "a/3 Old.mp3"]
  private static let missing = [LibraryReport.Missing(folder: "/n", reason: "gone")]

  private func playing(_ track: String, playlist: String? = nil) -> SavedState {
    SavedState(volumes: [:], track: track, frame: 48_000, intent: .playing, port: .speaker, playlist: playlist)
  }

  @Test("W2, X2: where a folder is missing, the place in it is waited for, and nothing of the rest plays by itself")
  func folderMissing() {
    let kiosk = Kiosk(
      saved: .state(playing("a/2 Old.mp3")), names: ["b/1 New.mp3"], isMusicComplete: false
    ) { $0.playOnBoot = true }
    #expect(kiosk.sounding == nil && kiosk.status.holds == [.storageUnavailable])
    #expect(kiosk.saves.last.map { $0.intent == .playing && $0.track == "a/2 Old.mp3" } ?? true)
    kiosk.list(["a/2 Old.mp3", "b/1 New.mp3"])
    #expect(kiosk.heard == Position(track: 1, frame: 48_000) && kiosk.sounding == .speaker)
  }

  @Test("W2.1: a share that is mounted late goes on at its frame, also where the music was known from before")
  func lateMount() throws {
    for isKept in [false, true] {
      let kiosk = Kiosk(
        saved: .state(playing("a/2 Old.mp3")), names: isKept ? Self.old : [], absent: isKept ? [0, 1, 2] : [],
        isMusicKept: isKept, isMusicComplete: isKept
      ) { $0.playOnBoot = true }
      kiosk.list([], missing: Self.missing)
      #expect(kiosk.status.holds == [.storageUnavailable] && kiosk.names(.queueEnded).isEmpty)
      // The power is cut once more before it comes, or it comes an hour later.
      kiosk.wait(.seconds(3_600))
      kiosk.feed(.shutdown(reason: "test"))
      let saved = try #require(kiosk.saves.last)
      #expect(saved.intent == .playing && saved.track == "a/2 Old.mp3" && saved.frame == 48_000)
      let next = Kiosk(saved: .state(saved), names: [], isMusicComplete: false) { $0.playOnBoot = true }
      next.list([], missing: Self.missing, then: .seconds(3_600))
      next.list(Self.old)
      #expect(next.heard == Position(track: 1, frame: 48_000) && next.sounding == .speaker)
    }
  }

  @Test("W2.1: so it does in the playlist that is gone with its folder")
  func playlistLate() throws {
    let kiosk = Kiosk(saved: .state(playing("a/2 Old.mp3", playlist: "a")), names: [], isMusicComplete: false) {
      $0.playOnBoot = true
    }
    kiosk.list(["b/1 New.mp3"], missing: Self.missing, then: .seconds(60))
    kiosk.feed(.shutdown(reason: "test"))
    let saved = try #require(kiosk.saves.last)
    #expect(saved.playlist == "a" && saved.intent == .playing)
    let next = Kiosk(saved: .state(saved), names: ["b/1 New.mp3"], isMusicComplete: false) { $0.playOnBoot = true }
    next.list(["b/1 New.mp3"], missing: Self.missing)
    #expect(next.status.holds == [.storageUnavailable])
    next.list(Self.old + ["b/1 New.mp3"])
    #expect(next.status.playlist == "a" && next.status.file == "a/2 Old.mp3" && next.status.frame == 48_000)
    #expect(next.sounding == .speaker && next.last(.playbackResumed)?["cause"] == "storage-restored")
  }

  @Test("W2.1, T4.1: whoever chooses another playlist meanwhile finds that one where it was left")
  func leftForAnother() {
    let kiosk = Kiosk(
      saved: .state(playing("a/2 Old.mp3", playlist: "a")), names: ["b/1 New.mp3"], isMusicComplete: false
    ) {
      $0.playOnBoot = true
      $0.playlistStart = .resume
    }
    kiosk.list(["b/1 New.mp3"], missing: Self.missing)
    kiosk.type("playlist b")
    #expect(kiosk.sounding == .speaker)
    kiosk.wait(.seconds(5))
    kiosk.list(Self.old + ["b/1 New.mp3"])
    kiosk.type("playlist a")
    #expect(kiosk.status.file == "a/2 Old.mp3" && kiosk.status.frame == 48_000)
  }

  @Test("W2.1, J1.2: a request plays meanwhile, and the playlist behind it is where it was", arguments: [false, true])
  func requestMeanwhile(plays: Bool) throws {
    var state = playing("a/2 Old.mp3", playlist: "a")
    state.request = RequestPlace(number: 1, frame: 0)
    let ledger = Ledger(requests: [Request(number: 1, track: "b/1 New.mp3", isPaid: false)], nextNumber: 2)
    func kiosk(_ state: SavedState) -> Kiosk {
      let kiosk = Kiosk(
        saved: .state(state), names: ["b/1 New.mp3"], isMusicComplete: false, ledger: .ledger(ledger)
      ) {
        $0.playOnBoot = plays
        var requests = RequestSettings()
        requests.after = .background
        $0.requests = requests
      }
      kiosk.list(["b/1 New.mp3"], missing: Self.missing)
      if !plays { kiosk.type("play") }
      #expect(kiosk.sounding == .speaker && kiosk.status.file == "b/1 New.mp3")
      kiosk.wait(.seconds(20))
      return kiosk
    }
    let first = kiosk(state)
    first.feed(.shutdown(reason: "test"))
    let saved = try #require(first.saves.last)
    #expect(saved.playlist == "a" && saved.track == "a/2 Old.mp3" && saved.frame == 48_000)
    let next = kiosk(saved)
    next.list(Self.old + ["b/1 New.mp3"], then: .seconds(60))
    #expect(next.status.playlist == "a" && next.status.file == "a/2 Old.mp3" && next.sounding == .speaker)
    #expect(next.status.frame >= 48_000)
  }

  @Test("W2.1: a selector that was turned while the power was off is obeyed, whatever is missing")
  func turnedMeanwhile() {
    let selector = Line(name: "LANGUAGE", role: .selector(playlist: "b", released: nil))
    let kiosk = Kiosk(
      plugged: ["LANGUAGE"], saved: .state(playing("a/2 Old.mp3")), selectors: [selector], names: ["b/1 New.mp3"],
      isMusicComplete: false
    ) { $0.playOnBoot = true }
    kiosk.list(["b/1 New.mp3"], missing: Self.missing)
    #expect(kiosk.status.playlist == "b" && kiosk.status.holds == [] && kiosk.status.state == .stopped)
  }

  @Test("W2.1, X6: what was known as empty is a guess, and music that is listed goes on")
  func knownAsEmpty() {
    let kiosk = Kiosk(saved: .state(playing("a/2 Old.mp3")), names: [], isMusicKept: true) { $0.playOnBoot = true }
    kiosk.list(Self.old)
    #expect(kiosk.heard == Position(track: 1, frame: 48_000) && kiosk.sounding == .speaker)
  }

  @Test("W2.1, X6.3: where nothing is there and nothing is missing, it stops, and what is copied later starts nothing")
  func nothingThere() {
    for isMissing in [false, true] {
      let kiosk = Kiosk(saved: .state(playing("a/2 Old.mp3")), names: [], isMusicComplete: !isMissing) {
        $0.playOnBoot = true
      }
      if isMissing {
        kiosk.list([], missing: Self.missing)
        #expect(kiosk.status.holds == [.storageUnavailable])
        kiosk.list([])
        #expect(kiosk.last(.queueEnded)?["reason"] == "no tracks")
      }
      #expect(kiosk.status.holds == [] && kiosk.status.state == .stopped)
      kiosk.wait(.seconds(60))
      kiosk.list(Self.old, then: .seconds(60))
      #expect(kiosk.sounding == nil)
    }
  }

  @Test(
    "W2.1: what else is there plays when somebody asks for music, or after the limit; nothing after a Pause or Stop")
  func otherMusic() {
    let acts: [(String, Bool)] = [("play", true), ("pause", false), ("stop", false), ("status", false), ("", true)]
    for (command, plays) in acts {
      let kiosk = Kiosk(saved: .state(playing("a/2 Old.mp3")), names: ["b/1 New.mp3"], isMusicComplete: false) {
        $0.playOnBoot = true
        $0.interruptionLimit = .seconds(60)
      }
      kiosk.list(["b/1 New.mp3"], missing: Self.missing, then: .seconds(command.isEmpty ? 61 : 30))
      #expect((kiosk.sounding != nil) == command.isEmpty, "\(command)")
      kiosk.forget()
      if !command.isEmpty { kiosk.type(command) }
      #expect(kiosk.names(.sessionRefused).isEmpty && !kiosk.replies.contains { $0.hasPrefix("error") }, "\(command)")
      #expect((kiosk.sounding != nil) == plays, "\(command)")
      if command == "pause" || command == "stop" {
        kiosk.list(Self.old + ["b/1 New.mp3"], then: .seconds(60))
        #expect(kiosk.sounding == nil && (kiosk.status.file == "a/2 Old.mp3") == (command == "pause"), "\(command)")
      }
    }
  }
}
