import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Music that was changed while the power was off, and of which the brain knows only what it was before.
@Suite struct KeptMusicRows {
  private static let old = ["a/1 Old.mp3", "a/2 Old.mp3", "a/3 Old.mp3"]
  private static let new = ["a/1 New.mp3", "a/2 New.mp3"]

  /// Starts with the music as it was, but without these tracks.
  private func kept(
    absent: Set<TrackID> = [0, 1, 2], saved: SavedState? = nil, selectors: [Line] = [], plugged: Set<String> = [],
    names: [String] = old, buttons: [Button] = [], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(
      plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, buttons: buttons, selectors: selectors,
      names: names, absent: absent, isMusicKept: true, change)
  }

  private func playing(_ track: String, frame: Int = 48_000, playlist: String? = nil) -> SavedState {
    SavedState(volumes: [:], track: track, frame: frame, intent: .playing, port: .speaker, playlist: playlist)
  }

  @Test("X6.1: at a boot that plays, music that was changed while the power was off is listed at once, and plays")
  func playOnBoot() {
    for (repeats, seed) in [(Settings.Repeat.off, false), (.queue, false), (.track, false), (.queue, true)] {
      let kiosk = kept(saved: playing("a/2 Old.mp3")) {
        $0.playOnBoot = true
        $0.repeats = repeats
        $0.shuffle = seed
      }
      #expect(kiosk.listings == 1)
      #expect(kiosk.status.state == .playing && kiosk.sounding == nil)
      kiosk.list(Self.new)
      #expect(kiosk.sounding == .speaker && kiosk.heard?.frame == 0)
      #expect(seed || kiosk.status.file == "a/1 New.mp3")
      #expect(kiosk.last(.queueMoved)?["reason"] == "removed")
      #expect(kiosk.names(.trackStarted).count == 1)
      #expect(kiosk.names(.trackFailed).isEmpty && kiosk.names(.queueEnded).isEmpty)
      #expect(!kiosk.counted.contains(.board(.trackFailures)))
      #expect(kiosk.listings == 1)
      kiosk.wait(.seconds(61))
      #expect(kiosk.names(.trackEnded).count == 1)
    }
  }

  @Test("X6.1: a place of which the file is there after all goes on at its frame")
  func placeIsThere() {
    let kiosk = kept(saved: playing("a/2 Old.mp3")) { $0.playOnBoot = true }
    kiosk.absent = []
    kiosk.list(["a/0 New.mp3", "a/2 Old.mp3"])
    #expect(kiosk.heard == Position(track: 1, frame: 48_000))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.names(.queueMoved).isEmpty && kiosk.names(.trackFailed).isEmpty)
  }

  @Test("X6.1, P11: what the listing still has and is not there has failed, once each, and nothing is listed again")
  func isMissing() {
    let kiosk = kept { $0.repeats = .queue }
    kiosk.type("play")
    #expect(kiosk.listings == 1 && kiosk.names(.trackFailed).isEmpty)
    kiosk.list(Self.old)
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == Self.old)
    #expect(kiosk.last(.queueEnded)?["reason"] == "no track can be played")
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.listings == 1)
  }

  @Test("X6.1: a track that was listed since power on and is gone has failed at once, as ever")
  func isListed() {
    let kiosk = kept(absent: [0])
    kiosk.list(Self.old)
    kiosk.type("play")
    #expect(kiosk.names(.trackFailed).map { $0["file"] } == ["a/1 Old.mp3"])
    #expect(kiosk.heard?.track == 1)
    #expect(kiosk.listings == 0)
  }

  @Test("X6.1: the library as it is known at power on ends no guess, whatever else is missing")
  func firstReport() {
    let kiosk = kept()
    let missing = LibraryReport.Missing(folder: "/media/stick", reason: "no such file or folder")
    kiosk.feed(.library(LibraryReport(kiosk.jukebox.library, missing: [missing], isKept: true)))
    kiosk.type("play")
    #expect(kiosk.names(.trackFailed).isEmpty && kiosk.listings == 1)
  }

  @Test("X6.1: what follows a track that is there waits for the listing, and nobody is cut")
  func following() {
    let kiosk = kept(absent: [1, 2]) { $0.repeats = .queue }
    kiosk.type("play")
    #expect(kiosk.heard?.track == 0 && kiosk.listings == 1)
    kiosk.wait(.seconds(5))
    kiosk.forget()
    kiosk.list(["a/1 Old.mp3", "a/1b New.mp3", "a/2 New.mp3"])
    #expect(kiosk.heard == Position(track: 0, frame: 5 * Kiosk.rate))
    #expect(!kiosk.commands.contains { if case .silence = $0 { true } else { false } })
    kiosk.wait(.seconds(56))
    #expect(kiosk.status.file == "a/1b New.mp3")
    #expect(kiosk.names(.trackFailed).isEmpty)
  }

  @Test("X6.1: whoever stops or pauses before the music is listed hears nothing, and Play is of the new music")
  func stopped() {
    for (command, state) in [("stop", Status.State.stopped), ("pause", .paused)] {
      let kiosk = kept(saved: playing("a/2 Old.mp3")) { $0.playOnBoot = true }
      kiosk.type(command)
      kiosk.list(Self.new, then: .seconds(5))
      #expect(kiosk.status.state == state && kiosk.sounding == nil)
      kiosk.type("play")
      #expect(kiosk.status.file == "a/1 New.mp3" && kiosk.heard?.frame == 0)
      #expect(kiosk.names(.trackFailed).isEmpty)
    }
  }

  @Test("X6.1: Next before the music is listed moves in what is known, and lists once")
  func skipped() {
    let kiosk = kept(absent: [0, 1])
    kiosk.type("play")
    kiosk.type("next")
    #expect(kiosk.listings == 1 && kiosk.sounding == nil)
    kiosk.type("next")
    #expect(kiosk.heard?.track == 2)
    #expect(kiosk.names(.trackFailed).isEmpty)
  }

  @Test("X6.1, P1: an unplug before the music is listed holds as ever, and the new music sounds nowhere else")
  func unplugged() {
    let kiosk = kept(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.list(Self.new, then: .seconds(5))
    #expect(kiosk.status.holds == [.routeLost] && kiosk.sounding == nil)
    kiosk.plug("JACK")
    #expect(kiosk.status.file == "a/1 New.mp3" && kiosk.sounding == .headphones)
  }

  @Test("X6.1: where the listing finds nothing to play, it stops with the reason, and what comes back starts nothing")
  func nothing() {
    let kiosk = kept(saved: playing("a/2 Old.mp3")) { $0.playOnBoot = true }
    kiosk.list([])
    #expect(kiosk.last(.queueEnded)?["reason"] == "no tracks")
    #expect(kiosk.status.state == .stopped && kiosk.status.lamp == .flash)
    kiosk.absent = []
    kiosk.list(Self.old)
    #expect(kiosk.status.state == .paused && kiosk.status.file == "a/2 Old.mp3")
    #expect(kiosk.status.frame == 48_000 && kiosk.sounding == nil)
  }

  @Test("X6.1, X4: storage that fails holds the music as ever, and has what was kept listed at once")
  func storage() {
    let kiosk = kept(absent: [])
    kiosk.unreadable = [0, 1, 2]
    kiosk.type("play")
    #expect(kiosk.listings == 1)
    #expect(kiosk.status.holds == [.storageUnavailable])
    kiosk.list(Self.new)
    #expect(kiosk.status.file == "a/1 New.mp3" && kiosk.sounding == .speaker)
    #expect(kiosk.status.holds.isEmpty)
  }

  @Test("W2: at a boot that plays, music that was listed at the start and lacks the place plays from its start")
  func listedAtStart() {
    for (playlist, name) in [(nil, "b/1 New.mp3"), ("gone", "b/1 New.mp3"), ("b", "b/1 New.mp3")] {
      let kiosk = Kiosk(saved: .state(playing("a/2 Old.mp3", playlist: playlist)), names: [name, "b/2 New.mp3"]) {
        $0.playOnBoot = true
      }
      #expect(kiosk.status.file == name && kiosk.heard?.frame == 0 && kiosk.sounding == .speaker)
      #expect(kiosk.last(.playbackResumed)?["cause"] == "boot")
    }
  }
}

/// The same for what is chosen of it.
extension KeptMusicRows {
  @Test("X6.2, T1: a track that is chosen by its number, and is not there, is the one of that number in the new music")
  func number() {
    for button in [nil, Button.track(.number(2))] {
      let kiosk = kept(buttons: [.track(.number(2))]) { $0.afterTrack = .stop }
      if let button { kiosk.pressOnce(button) } else { kiosk.type("track 2") }
      kiosk.list(Self.new)
      #expect(kiosk.status.file == "a/2 New.mp3" && kiosk.sounding == .speaker)
      #expect(kiosk.jukebox.player.queue.isChosen)
      #expect(kiosk.names(.trackFailed).isEmpty && kiosk.names(.choiceFailed).isEmpty)
    }
  }

  @Test("X6.2, T1: a track that is chosen by a name that only the new music has plays when it is listed")
  func name() {
    let kiosk = kept(absent: [])
    kiosk.type("track 2 New")
    #expect(kiosk.replies.isEmpty && kiosk.listings == 1 && kiosk.sounding == nil)
    kiosk.list(Self.new)
    #expect(kiosk.status.file == "a/2 New.mp3" && kiosk.sounding == .speaker)
  }

  @Test("X6.2, T1: a track that the listing does not have either is logged, and changes nothing")
  func unknown() {
    let kiosk = kept(absent: [])
    kiosk.type("track 9")
    #expect(kiosk.names(.choiceFailed).isEmpty)
    kiosk.list(Self.old)
    #expect(kiosk.last(.choiceFailed)?["reason"] == "there is no track 9, expected 1 to 3")
    #expect(kiosk.status.state == .stopped)
    kiosk.type("track 9")
    #expect(kiosk.replies == ["error: track 9: there is no track 9, expected 1 to 3"])
  }

  @Test("X6.2: a choice that waits for the listing is no more after Stop, Next, another choice and an unplug")
  func overtaken() {
    for command in ["stop", "next", "track 1"] {
      let kiosk = kept(absent: [])
      kiosk.type("track 2 New")
      kiosk.type(command)
      let (file, state) = (kiosk.status.file, kiosk.status.state)
      kiosk.list(Self.old + Self.new)
      #expect(kiosk.status.file == file && kiosk.status.state == state, "\(command)")
    }
    let kiosk = kept(absent: [], plugged: ["JACK"])
    kiosk.type("track 2 New")
    kiosk.unplug("JACK")
    kiosk.list(Self.old + Self.new)
    #expect(kiosk.status.state == .stopped && kiosk.sounding == nil)
  }

  @Test("X6.2, T4: a playlist that only the new music has plays when it is listed, and one that nobody has is logged")
  func playlist() {
    for (name, file) in [("b", "b/1 New.mp3"), ("c", nil)] as [(String, String?)] {
      let kiosk = kept(absent: [])
      kiosk.type("playlist \(name)")
      #expect(kiosk.listings == 1 && kiosk.replies.isEmpty)
      kiosk.list(Self.old + ["b/1 New.mp3"])
      #expect(kiosk.status.playlist == (file == nil ? nil : name))
      #expect(kiosk.names(.choiceFailed).count == (file == nil ? 1 : 0))
      #expect(kiosk.heard == (file == nil ? nil : Position(track: 3, frame: 0)))
    }
  }

  @Test("X6.2, T4: a selector that names a folder of the new music at power on selects it when it is listed")
  func selector() {
    let line = Line(name: "LANGUAGE", role: .selector(playlist: "b", released: nil))
    let kiosk = kept(absent: [], selectors: [line], plugged: ["LANGUAGE"])
    #expect(kiosk.listings == 1)
    kiosk.list(Self.old + ["b/1 New.mp3"])
    #expect(kiosk.status.playlist == "b" && kiosk.status.state == .stopped)
  }

  @Test("X6.1, T4: a playlist that was saved and is gone gives way to all the music, which plays at a boot that plays")
  func lostPlaylist() {
    let kiosk = kept(saved: playing("a/2 Old.mp3", playlist: "a")) { $0.playOnBoot = true }
    #expect(kiosk.status.playlist == "a")
    kiosk.list(["b/1 New.mp3", "b/2 New.mp3"])
    #expect(kiosk.status.playlist == nil)
    #expect(kiosk.status.file == "b/1 New.mp3" && kiosk.sounding == .speaker)
    #expect(kiosk.names(.trackFailed).isEmpty)
  }
}
