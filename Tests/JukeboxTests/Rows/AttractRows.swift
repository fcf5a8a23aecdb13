import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// J6: a silent room is invited.
@Suite struct AttractRows {
  private static let time = Duration.seconds(1_200)

  private static func kiosk(
    plugged: Set<String> = [], saved: SavedState? = nil, hours: HoursReport? = nil, lifts: [String: Duration] = [:],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(
      plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, selectors: [Line(name: "GO", role: .signal(lit))],
      names: Kiosk.folders, hours: hours, lifts: lifts
    ) {
      $0.requests = RequestSettings()
      $0.requests?.background = "deutsch"
      $0.requests?.attract = AttractSettings(after: time, playlist: "english", volume: 20)
      change(&$0)
    }
    kiosk.knowsLengths = true
    return kiosk
  }

  private static let lit = OutputSignal(whileAny: [.playing])

  private func files(_ kiosk: Kiosk) -> [String] { kiosk.names(.trackStarted).compactMap { $0["file"] } }

  @Test(
    "J6: after so long in silence one track plays, softly, and the next one after as long again; then it begins anew")
  func inTurn() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time - .seconds(1))
    #expect(kiosk.sounding == nil)
    kiosk.wait(.seconds(2))
    #expect(kiosk.sounding == .speaker && files(kiosk) == ["english/1 House.mp3"])
    #expect(kiosk.last(.playbackStarted)?["cause"] == "attract" && kiosk.engine.volume == 20)
    #expect(kiosk.status.volume == 50 && kiosk.status.playlist == "deutsch")
    #expect(kiosk.names(.visitBegan).isEmpty)
    kiosk.wait(Kiosk.trackTime)
    #expect(kiosk.sounding == nil && kiosk.names(.playlistChanged).isEmpty && kiosk.names(.visitEnded).isEmpty)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
    kiosk.wait(Self.time * 2 + Kiosk.trackTime * 2)
    #expect(files(kiosk) == ["english/1 House.mp3", "english/2 Yard.mp3", "english/1 House.mp3"])
  }

  @Test("J6: what sounds and whoever does something puts it off")
  func putOff() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time - .seconds(1))
    kiosk.pressOnce(.volumeUp, then: Self.time - .seconds(2))
    kiosk.type("track 1", then: Self.time + Kiosk.trackTime - .seconds(2))
    #expect(files(kiosk) == ["deutsch/1 Haus.mp3"])
    kiosk.wait(.seconds(4))
    #expect(files(kiosk) == ["deutsch/1 Haus.mp3", "english/1 House.mp3"])
  }

  @Test("J6.1: a request cuts it at once, at its own volume; behind it the background stands where it stood")
  func cut() {
    for after in RequestSettings.After.allCases {
      let kiosk = Self.kiosk { $0.requests?.after = after }
      kiosk.wait(Self.time + .seconds(5))
      kiosk.type("track loose.mp3")
      #expect(kiosk.heard?.frame == 0 && kiosk.last(.requestStarted)?["file"] == "loose.mp3", "\(after)")
      #expect(kiosk.engine.volume == 50)
      kiosk.wait(Kiosk.trackTime + .seconds(1))
      #expect(files(kiosk).dropFirst(2) == (after == .stop ? [] : ["deutsch/1 Haus.mp3"]))
      #expect(kiosk.status.playlist == "deutsch")
    }
  }

  @Test("J6.1: Stop, Pause and Next end it; Play, a playlist and the clock begin what stands behind it")
  func hands() {
    for command in ["stop", "pause", "next", "previous"] {
      let kiosk = Self.kiosk()
      kiosk.wait(Self.time + .seconds(5))
      kiosk.type(command, then: .seconds(3))
      #expect(
        kiosk.sounding == nil && kiosk.status.state == .stopped && kiosk.status.playlist == "deutsch", "\(command)")
    }
    let begun: [(String, (Kiosk) -> Void)] = [
      ("deutsch/1 Haus.mp3", { $0.pressOnce(.play) }), ("deutsch/1 Haus.mp3", { $0.type("start") }),
      ("english/1 House.mp3", { $0.type("playlist english") }),
      ("deutsch/1 Haus.mp3", { $0.feed(.scheduled(TimetableMoment(0, TimetableRows.day, TimetableRows.time(9)))) }),
    ]
    for (file, act) in begun {
      let kiosk = Self.kiosk { $0.timetable = [TimetableEntry(.start, .at([TimetableRows.time(9)]))] }
      kiosk.wait(Self.time + .seconds(5))
      act(kiosk)
      kiosk.wait(.seconds(1))
      #expect(kiosk.sounding == .speaker && files(kiosk).last == file && kiosk.engine.volume == 50)
      #expect(kiosk.names(.playbackStopped).map { $0["cause"] } == ["attract"])
      kiosk.wait(Kiosk.trackTime)
      #expect(kiosk.sounding == .speaker)
    }
  }

  @Test("J6.1: a cue ends it, and has the volume of its port")
  func cue() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time + .seconds(5))
    kiosk.type("cue welcome")
    #expect(kiosk.last(.playbackStopped)?["cause"] == "attract" && kiosk.last(.cueStarted) != nil)
    #expect(kiosk.sounding == nil && kiosk.engine.volume == 50)
    kiosk.wait(Self.time - .seconds(10))
    #expect(files(kiosk) == ["english/1 House.mp3"])
    kiosk.wait(.seconds(20))
    #expect(files(kiosk) == ["english/1 House.mp3", "english/2 Yard.mp3"])
  }

  @Test("J6.1, T5: a number that is typed meanwhile is that of the background")
  func numbers() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time + .seconds(5))
    kiosk.read("2")
    #expect(kiosk.last(.requestStarted)?["file"] == "deutsch/2 Hof.mp3")
  }

  @Test("J6.1, L1.1: a card of the background that is laid begins it, whatever `again` says")
  func card() {
    for again in Settings.Again.allCases {
      let kiosk = Self.kiosk(lifts: ["card": .milliseconds(700)]) {
        $0.again = again
        $0.tokens = ["HERE": .playlist("deutsch")]
      }
      kiosk.wait(Self.time + .seconds(5))
      kiosk.type("token HERE card", then: .seconds(1))
      #expect(kiosk.sounding == .speaker && files(kiosk).last == "deutsch/1 Haus.mp3", "\(again)")
      #expect(kiosk.names(.playbackStopped).map { $0["cause"] } == ["attract"] && kiosk.engine.volume == 50)
    }
  }

  @Test("J6.1, H3.2: a playlist of the timetable ends it in silence, and is what stands there")
  func timetable() {
    let kiosk = Self.kiosk { $0.timetable = [TimetableEntry(.playlist("english"), .at([TimetableRows.time(9)]))] }
    kiosk.wait(Self.time + .seconds(5))
    kiosk.feed(.timetable(TimetableState(playlist: TimetableMoment(0, TimetableRows.day, TimetableRows.time(9)))))
    kiosk.wait(.seconds(2))
    #expect(kiosk.sounding == nil && kiosk.status.playlist == "english")
  }

  @Test("J6, K8: the idle time of a visitor runs on, and ends the visit behind it")
  func visits() {
    let kiosk = Self.kiosk {
      $0.requests?.attract?.after = .seconds(120)
      $0.idleReset = .seconds(600)
    }
    kiosk.pressOnce(.volumeUp, then: .seconds(700))
    #expect(kiosk.names(.visitEnded).map { $0["reason"] } == ["idle"] && kiosk.names(.playbackStarted).count > 2)
  }

  @Test("J6: a cue is as loud as ever, and what is counted does not know of it")
  func cues() {
    let kiosk = Self.kiosk { $0.cueButton = Kiosk.allCues[0].name }
    kiosk.wait(Self.time + .seconds(5))
    kiosk.pressOnce(.cue, then: .seconds(1))
    #expect(kiosk.engine.volume == 50 && kiosk.names(.cueStarted).count == 1)
    #expect(!kiosk.counted.contains { if case .start = $0 { true } else { false } })
  }

  @Test("J6.3: a file that cannot be played, or goes, is no beginning of endless music")
  func broken() {
    for repeats in Settings.Repeat.allCases {
      let kiosk = Self.kiosk { $0.repeats = repeats }
      if let id = kiosk.jukebox.library.id(named: "english/1 House.mp3") { kiosk.bad[id] = "noise" }
      kiosk.wait(Self.time + Kiosk.trackTime)
      #expect(kiosk.sounding == nil && kiosk.status.playlist == "deutsch")
    }
    let gone = Self.kiosk()
    gone.wait(Self.time + .seconds(5))
    gone.list(["deutsch/1 Haus.mp3", "deutsch/2 Hof.mp3", "loose.mp3"], then: Kiosk.trackTime * 2)
    #expect(gone.sounding == nil && gone.status.track == 1)
  }

  @Test("J6.3, H1.5: it is not what goes on when the kiosk opens")
  func closing() {
    for closing in HoursSettings.Closing.allCases {
      let kiosk = Self.kiosk(hours: HoursRows.open) {
        var hours = HoursSettings(WeekCalendar())
        (hours.closing, hours.opening) = (closing, .resume)
        $0.hours = hours
      }
      kiosk.wait(Self.time + .seconds(5))
      kiosk.feed(.hours(HoursRows.closed), then: Kiosk.trackTime)
      kiosk.feed(.hours(HoursRows.open), then: .seconds(5))
      #expect(kiosk.sounding == nil && kiosk.status.playlist == "deutsch", "\(closing)")
    }
  }

  @Test("J6.2: never over headphones, nor for whoever plugs some in")
  func headphones() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.wait(Self.time * 2)
    #expect(kiosk.sounding == nil)
    for onConnect in Settings.OnConnect.allCases {
      let cut = Self.kiosk { $0.onConnect = onConnect }
      cut.wait(Self.time + .seconds(5))
      cut.plug("JACK", then: .seconds(1))
      #expect(cut.names(.playbackStopped).map { $0["cause"] } == ["attract"])
      #expect(cut.sounding == (onConnect == .play ? .headphones : nil))
      #expect(files(cut).last == (onConnect == .play ? "deutsch/1 Haus.mp3" : "english/1 House.mp3"))
    }
  }

  @Test("J6.2: never while the prompt waits, somebody pages, it is paused, closed or a request waits")
  func never() {
    let asked = Self.kiosk {
      ($0.promptTimeout, $0.resumeWindow) = (.zero, .zero)
      $0.onConnect = .play
    }
    asked.plug("JACK", then: .seconds(5))
    asked.unplug("JACK")
    #expect(asked.status.isPromptShown)
    let paged = Self.kiosk { $0.interruptionLimit = .zero }
    paged.edge("PAGE", true)
    let paused = Self.kiosk { $0.idleReset = .zero }
    paused.type("play", then: .seconds(5))
    paused.type("pause")
    let closed = Self.kiosk(hours: HoursRows.closed) { $0.hours = HoursSettings(WeekCalendar()) }
    let waiting = Self.kiosk { $0.idleReset = .zero }
    waiting.type("track 1", then: .seconds(5))
    waiting.type("pause")
    for (name, kiosk) in ["prompt": asked, "page": paged, "pause": paused, "hours": closed, "request": waiting] {
      let before = files(kiosk)
      kiosk.wait(Self.time * 2)
      #expect(files(kiosk) == before, "\(name)")
    }
    closed.feed(.hours(HoursRows.open), then: Self.time + .seconds(1))
    #expect(files(closed) == ["english/1 House.mp3"])
  }

  @Test("J6.3: behind a power cut it is silent, where it stood before; the next track is another one")
  func powerCut() {
    let kiosk = Self.kiosk { $0.playOnBoot = true }
    kiosk.wait(Self.time + .seconds(90))
    let saved = kiosk.saves.last
    #expect(saved?.playlist == "deutsch" && saved?.track == "deutsch/1 Haus.mp3" && saved?.intent == .stopped)
    let later = Self.kiosk(saved: saved) { $0.playOnBoot = true }
    #expect(later.sounding == nil && later.status.playlist == "deutsch")
    later.wait(Self.time + .seconds(1))
    #expect(files(later) == ["english/2 Yard.mp3"])
  }

  @Test("J6.3: without its folder nothing plays, and nothing wakes up for it")
  func withoutFolder() {
    let kiosk = Self.kiosk { $0.requests?.attract?.playlist = "nowhere" }
    kiosk.wait(Self.time * 2)
    #expect(files(kiosk).isEmpty && kiosk.timers[.attract] == nil)
  }

  @Test("H1.3, J6: Play at closing begins nothing behind what invites")
  func playAtClosing() {
    for (closing, opening) in [(HoursSettings.Closing.track, HoursSettings.Opening.nothing), (.now, .resume)] {
      let kiosk = Self.kiosk(hours: HoursRows.open) {
        $0.hours = HoursSettings(WeekCalendar(), closing: closing, opening: opening)
      }
      kiosk.wait(Self.time + .seconds(5))
      kiosk.feed(.hours(HoursRows.closed))
      kiosk.pressOnce(.play, then: Kiosk.trackTime * 2)
      #expect(kiosk.sounding == nil && files(kiosk) == ["english/1 House.mp3"])
      kiosk.feed(.hours(HoursRows.tomorrow))
      #expect(kiosk.sounding == nil)
    }
  }

  @Test("J6.1: the volume of what is chosen behind it does not wind up unheard")
  func volume() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time + .seconds(5))
    for _ in 0..<10 { kiosk.pressOnce(.volumeUp) }
    #expect(kiosk.status.volume == 50 && kiosk.sounding == .speaker && kiosk.engine.volume == 20)
    for _ in 0..<8 { kiosk.pressOnce(.volumeDown) }
    #expect(kiosk.status.volume == 10 && kiosk.engine.volume == 10)
    for volume in [15, 20, 20, 20] {
      kiosk.pressOnce(.volumeUp)
      #expect(kiosk.status.volume == volume)
    }
  }

  @Test("J6, B2.1: a headset that is tried again and again cuts nothing that invites")
  func wirelessTries() {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: true, isWireless: true)
    let kiosk = Kiosk(
      plugged: ["JACK"], ports: [headset] + Kiosk.allPorts.dropFirst(), names: Kiosk.folders
    ) {
      $0.requests = RequestSettings()
      $0.requests?.attract = AttractSettings(after: Self.time, playlist: "english", volume: 20)
    }
    kiosk.engine.faultyPort = .bluetooth
    kiosk.loseOutput(then: Self.time + Kiosk.trackTime - .seconds(5))
    #expect(kiosk.sounding == .speaker && files(kiosk) == ["english/1 House.mp3"])
    kiosk.wait(.seconds(10))
    #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
  }
}
