import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct PowerRows {
  private func saved(_ intent: Intent, port: Port? = .headphones, track: String = "2.mp3") -> PowerOn.Saved {
    .state(SavedState(volumes: [.headphones: 33, .usb: 1], track: track, frame: 9_000, intent: intent, port: port))
  }

  @Test("W2: boot is silent, paused where it was playing or paused")
  func silentBoot() {
    for intent in [Intent.playing, .paused] {
      let kiosk = Kiosk(plugged: ["JACK"], saved: saved(intent)) { $0.visitGap = .zero }
      #expect(kiosk.status.state == .paused)
      #expect(kiosk.status.track == 2)
      #expect(kiosk.status.frame == 9_000)
      #expect(kiosk.status.volume == 33)
      #expect(kiosk.sounding == nil)
      #expect(kiosk.commands == [.route(.headphones, volume: 33)])
      kiosk.type("play")
      #expect(kiosk.heard == Position(track: 1, frame: 9_000))
    }
  }

  @Test("W2: stopped stays stopped, at the start of its track")
  func stoppedBoot() {
    let kiosk = Kiosk(plugged: ["JACK"], saved: saved(.stopped)) { $0.playOnBoot = true }
    #expect(kiosk.status.state == .stopped)
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.frame == 0)
  }

  @Test("W2: set to, it goes on playing, but only on the port it was playing on")
  func playOnBoot() {
    for (plugged, intent, plays) in [
      (["JACK"], Intent.playing, true), (["DOCK"], .playing, false), ([], .playing, false), (["JACK"], .paused, false),
    ] as [(Set<String>, Intent, Bool)] {
      let kiosk = Kiosk(plugged: plugged, saved: saved(intent)) { $0.playOnBoot = true }
      #expect((kiosk.sounding != nil) == plays)
      #expect(kiosk.status.state == (plays ? .playing : .paused))
      #expect(kiosk.last(.stateRestored)?["intent"] == (plays ? "playing" : "paused"))
      if plays {
        #expect(kiosk.heard == Position(track: 1, frame: 9_000))
        #expect(kiosk.last(.playbackResumed)?["cause"] == "boot")
      }
    }
  }

  @Test("W2: a power cut while an unplug holds does not play aloud after boot")
  func cutWhileHeld() {
    let before = Kiosk(plugged: ["JACK"])
    before.type("play")
    before.unplug("JACK", then: .seconds(3))
    let state = before.saves.last
    #expect(state?.port == .headphones)
    #expect(state?.intent == .playing)
    let after = Kiosk(saved: state.map { .state($0) } ?? .nothing) { $0.playOnBoot = true }
    #expect(after.sounding == nil)
    #expect(after.status.state == .paused)
  }

  @Test(
    "W2.1: what was saved of a track that may still come waits for it with its volumes; of nothing, it starts afresh")
  func unknownTrack() {
    let kiosk = Kiosk(plugged: ["JACK"], saved: saved(.playing, track: "gone.mp3"), isMusicComplete: false) {
      $0.playOnBoot = true
      $0.visitGap = .zero
    }
    #expect(kiosk.status.holds == [.storageUnavailable])
    #expect(kiosk.status.track == 1)
    #expect(kiosk.status.volume == 33)
    // It does not come: what is there plays.
    kiosk.list(["1.mp3", "2.mp3"])
    #expect(kiosk.heard == Position(track: 0, frame: 0) && kiosk.sounding == .headphones)
    let unreadable = Kiosk(saved: .unreadable(reason: "checksum"))
    #expect(unreadable.last(.stateUnreadable)?["reason"] == "checksum")
    #expect(unreadable.status.state == .stopped)
  }

  @Test("W1: changes are saved together after two seconds, with volumes, track, frame and port")
  func saving() {
    let kiosk = Kiosk(plugged: ["JACK"]) { $0.visitGap = .zero }
    kiosk.type("volume 20")
    kiosk.type("play", then: .milliseconds(1_999))
    #expect(kiosk.saves.isEmpty)
    kiosk.wait(.milliseconds(1))
    let expected = SavedState(
      volumes: [.headphones: 20], track: "1.mp3", frame: 2 * Kiosk.rate, intent: .playing, port: .headphones, played: 2)
    #expect(kiosk.saves == [expected])
    kiosk.wait(.seconds(30))
    #expect(kiosk.saves.count == 1)
    kiosk.type("play", then: .seconds(2))
    #expect(kiosk.saves.last?.intent == .paused)
  }

  @Test("W1: while music plays its place is saved once an interval, and never while nothing changes")
  func savedPlace() {
    let kiosk = Kiosk(tracks: 1) {
      $0.saveInterval = .seconds(10)
      $0.idleReset = .zero
    }
    kiosk.type("play", then: .seconds(35))
    #expect(kiosk.saves.map(\.frame) == [2, 12, 22, 32].map { $0 * Kiosk.rate })
    kiosk.type("pause", then: .seconds(9_000))
    #expect(kiosk.saves.count == 5)
    #expect(kiosk.saves.last?.frame == 35 * Kiosk.rate)
    #expect(kiosk.last(.stateSaved)?["writes"] == "5")
  }

  @Test("W1: Next behind the last track, while nothing plays, is saved like any other")
  func nextAtTheEnd() {
    let kiosk = Kiosk(saved: saved(.stopped, track: "3.mp3"))
    #expect(kiosk.status.track == kiosk.status.trackCount)
    kiosk.type("next")
    #expect(kiosk.status.track == 1)
    kiosk.wait(.seconds(3))
    #expect(kiosk.saves.last?.track == "1.mp3")
  }

  @Test("W1: a hurry of changes is saved five times at once, then once an interval, and the last one always")
  func hurry() {
    let kiosk = Kiosk {
      $0.saveInterval = .seconds(100)
      $0.visitGap = .zero
    }
    for volume in 0..<50 {
      kiosk.type("volume \(volume)", then: .seconds(3))
    }
    #expect(kiosk.saves.map { $0.volumes[.speaker] } == [0, 1, 2, 3, 4, 33])
    kiosk.wait(.seconds(100))
    #expect(kiosk.saves.map { $0.volumes[.speaker] } == [0, 1, 2, 3, 4, 33, 49])
  }

  @Test("W1: what was set at the console survives, and counts before the settings")
  func consoleSettings() {
    let before = Kiosk(plugged: ["JACK"])
    before.type("route speaker")
    before.type("category ambient", then: .seconds(2))
    let state = before.saves.last
    #expect(state?.override == .port(.speaker) && state?.category == .ambient)
    let after = Kiosk(plugged: ["JACK"], saved: state.map { .state($0) } ?? .nothing)
    #expect(after.status.route.port == .speaker)
    #expect(after.last(.routeInitial)?["reason"] == "override")
    #expect(after.last(.stateRestored)?["override"] == "speaker")
    after.type("play")
    after.edge("MUTE", true, then: .milliseconds(30))
    #expect(after.sounding == nil)
    after.type("route auto")
    after.type("category playback", then: .seconds(2))
    #expect(after.saves.last?.override == nil && after.saves.last?.category == nil)
    let forced = Kiosk(plugged: ["JACK"]) { $0.route = .speaker }
    forced.type("route auto", then: .seconds(2))
    #expect(forced.saves.last?.override == .auto)
    let saved = forced.saves.last.map { PowerOn.Saved.state($0) }
    let freed = Kiosk(plugged: ["JACK"], saved: saved ?? .nothing) { $0.route = .speaker }
    #expect(freed.status.route.port == .headphones)
  }

  @Test("W1: a shuffled queue keeps its order while there is a place in it to go back to")
  func shuffledOrder() {
    func boot(_ saved: SavedState?, seed: UInt64) -> Kiosk {
      Kiosk(tracks: 6, saved: saved.map { .state($0) } ?? .nothing, seed: seed) { $0.shuffle = true }
    }
    let before = boot(nil, seed: 42)
    before.type("next", then: .seconds(2))
    let after = boot(before.saves.last, seed: 7)
    #expect(after.jukebox.player.queue == before.jukebox.player.queue && after.jukebox.player.queue.place.index == 1)
    after.type("previous", then: .seconds(2))
    #expect(after.saves.last?.seed == nil)
    let fresh = boot(after.saves.last, seed: 7)
    #expect(fresh.jukebox.player.queue.seed == 7 && fresh.jukebox.player.queue.place.index == 0)
  }

  @Test("W1: a newest state that cannot be read is logged once, and the one before is used")
  func olderState() {
    guard case .state(let state) = saved(.paused) else { return }
    let kiosk = Kiosk(plugged: ["JACK"], saved: .older(state, reason: "damaged"))
    #expect(kiosk.names(.stateUnreadable).map { $0["reason"] } == ["damaged"])
    #expect(kiosk.last(.stateRestored)?["track"] == "2")
    #expect(kiosk.status.frame == 9_000)
  }

  @Test("W3: what could not be saved is tried again after an interval, by itself")
  func triedAgain() {
    let kiosk = Kiosk {
      $0.idleReset = .zero
      $0.visitGap = .zero
    }
    kiosk.storageFault = "full"
    kiosk.type("volume 7", then: .seconds(2 + 60 + 59))
    #expect(kiosk.saves.count == 2)
    kiosk.storageFault = nil
    kiosk.wait(.seconds(3_600))
    #expect(kiosk.saves.count == 3)
    #expect(kiosk.names(.stateSaved).map(\.level) == [.warn, .debug])
  }

  @Test("W3: storage that fails is reported once, until it works again")
  func storage() {
    let kiosk = Kiosk()
    kiosk.storageFault = "read-only"
    for _ in 0..<3 {
      kiosk.type("play", then: .seconds(3))
    }
    #expect(kiosk.names(.stateSaved).map(\.level) == [.warn])
    kiosk.storageFault = nil
    kiosk.type("play", then: .seconds(3))
    kiosk.storageFault = "full"
    kiosk.type("play", then: .seconds(3))
    #expect(kiosk.names(.stateSaved).map(\.level) == [.warn, .debug, .warn])
  }

  @Test("Shutdown silences, saves, turns the lamp off and hears nothing more")
  func shutdown() {
    let kiosk = Kiosk()
    kiosk.feed(.shutdown(reason: "none"))
    let off = kiosk.jukebox
    kiosk.type("play")
    #expect(kiosk.jukebox == off)
    let playing = Kiosk()
    playing.type("play", then: .seconds(1))
    playing.forget()
    playing.feed(.shutdown(reason: "SIGTERM"))
    #expect(playing.commands == [.silence(edge: nil)])
    #expect(playing.lamps == [.off])
    #expect(playing.saves.map(\.intent) == [.playing])
    #expect(playing.saves.map(\.frame) == [Kiosk.rate])
    #expect(playing.last(.shutdown)?["reason"] == "SIGTERM")
    #expect(playing.status.lamp == .off)
  }

  @Test("K5: the log of power on has whether the audio thread runs in real time and decoders are confined, and why not")
  func realTime() {
    func boot(_ realTime: SystemGrant?, jail: SystemGrant? = nil) -> String? {
      let configuration = Configuration(rate: 48_000, lines: [], ports: [], settings: Settings())
      var jukebox = Jukebox(configuration: configuration, library: [])
      let effects = jukebox.handle(.powerOn(PowerOn(asserted: [], realTime: realTime, jail: jail)), at: .powerOn)
      guard case .log(let event) = effects.first else { return nil }
      return event.line(at: .powerOn)
    }
    let always = "boot tracks=0 rate=48000 ports=0"
    #expect(boot(nil) == "0.000000 info \(always)")
    #expect(boot(SystemGrant(refusals: [])) == "0.000000 info \(always) realtime=granted")
    #expect(
      boot(SystemGrant(refusals: ["lock: no", "priority: no"]))
        == "0.000000 warn \(always) realtime=refused reason=\"lock: no; priority: no\"")
    let granted = SystemGrant(refusals: [])
    #expect(boot(granted, jail: granted) == "0.000000 info \(always) realtime=granted jail=granted")
    #expect(
      boot(granted, jail: SystemGrant(refusals: ["jail: no"]))
        == "0.000000 warn \(always) realtime=granted jail=refused reason=\"jail: no\"")
  }

  @Test("K5: the log of power on names the board with its file and the settings file, or that there is none")
  func origin() {
    let configuration = Configuration(rate: 48_000, lines: [], ports: [], settings: Settings())
    func boot(_ settings: String?) -> Event? {
      var jukebox = Jukebox(configuration: configuration, library: [])
      let origin = PowerOn.Origin(board: "Raspberry Pi 4", boardFile: "/b/pi.toml", settingsFile: settings)
      let effects = jukebox.handle(.powerOn(PowerOn(asserted: [], origin: origin)), at: .powerOn)
      guard case .log(let event) = effects.first else { return nil }
      return event
    }
    #expect(boot("/etc/k.toml")?["board"] == "Raspberry Pi 4" && boot(nil)?["board-file"] == "/b/pi.toml")
    #expect(boot("/etc/k.toml")?["settings"] == "/etc/k.toml" && boot(nil)?["settings"] == "none")
  }

  @Test("Before power on nothing is heard")
  func beforePowerOn() {
    let configuration = Configuration(rate: 48_000, lines: [], ports: Kiosk.allPorts, settings: Settings())
    var jukebox = Jukebox(configuration: configuration, library: [])
    #expect(jukebox.handle(.console("play"), at: .powerOn).isEmpty)
  }
}
