import AudioSession
import Testing

@testable import Jukebox

/// J6: a silent room is invited.
@Suite struct AttractRows {
  private static let time = Duration.seconds(1_200)

  private static func kiosk(
    plugged: Set<String> = [], saved: SavedState? = nil, hours: HoursReport? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(
      plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, selectors: [Line(name: "GO", role: .signal(lit))],
      names: Kiosk.folders, hours: hours
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
    #expect(kiosk.last(.playbackStarted)?["cause"] == "attract" && kiosk.status.volume == 20)
    #expect(kiosk.names(.visitBegan).isEmpty)
    kiosk.wait(Kiosk.trackTime)
    #expect(kiosk.sounding == nil && kiosk.status.playlist == "deutsch" && kiosk.status.volume == 50)
    #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
    kiosk.wait(Self.time * 2 + Kiosk.trackTime * 2)
    #expect(files(kiosk) == ["english/1 House.mp3", "english/2 Yard.mp3", "english/1 House.mp3"])
  }

  @Test("J6: what sounds and whoever does something puts it off")
  func putOff() {
    let kiosk = Self.kiosk()
    kiosk.wait(Self.time - .seconds(1))
    kiosk.pressOnce(.volumeUp)
    kiosk.wait(Self.time - .seconds(2))
    kiosk.type("track 1")
    kiosk.wait(Self.time + Kiosk.trackTime - .seconds(2))
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
      #expect(kiosk.status.volume == 50)
      kiosk.wait(Kiosk.trackTime + .seconds(1))
      #expect(files(kiosk).dropFirst(2) == (after == .stop ? [] : ["deutsch/1 Haus.mp3"]))
      #expect(kiosk.status.playlist == "deutsch")
    }
  }

  @Test("J6.1: Stop ends it, and Next makes it music like any other")
  func hands() {
    let stopped = Self.kiosk()
    stopped.wait(Self.time + .seconds(5))
    stopped.pressOnce(.stop)
    #expect(stopped.sounding == nil && stopped.status.playlist == "deutsch")
    let skipped = Self.kiosk { $0.repeats = .queue }
    skipped.wait(Self.time + .seconds(5))
    skipped.pressOnce(.next)
    skipped.wait(Kiosk.trackTime + .seconds(1))
    #expect(files(skipped).last == "english/1 House.mp3" && skipped.sounding == .speaker)
    #expect(skipped.status.volume == 50)
  }

  @Test("J6.2: never over headphones, nor for whoever plugs some in")
  func headphones() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.wait(Self.time * 2)
    #expect(kiosk.sounding == nil)
    for onConnect in Settings.OnConnect.allCases {
      let cut = Self.kiosk { $0.onConnect = onConnect }
      cut.wait(Self.time + .seconds(5))
      cut.plug("JACK")
      cut.wait(.seconds(1))
      #expect(cut.names(.playbackStopped).map { $0["cause"] } == ["plugged"])
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
    asked.plug("JACK")
    asked.wait(.seconds(5))
    asked.unplug("JACK")
    #expect(asked.status.isPromptShown)
    let paged = Self.kiosk { $0.interruptionLimit = .zero }
    paged.edge("PAGE", true)
    let paused = Self.kiosk { $0.idleReset = .zero }
    paused.type("play")
    paused.wait(.seconds(5))
    paused.type("pause")
    let closed = Self.kiosk(hours: HoursRows.closed) { $0.hours = HoursSettings(WeekCalendar()) }
    let waiting = Self.kiosk()
    waiting.type("track 1")
    waiting.wait(.seconds(5))
    waiting.type("pause")
    for (name, kiosk) in ["prompt": asked, "page": paged, "pause": paused, "hours": closed, "request": waiting] {
      let before = files(kiosk)
      kiosk.wait(Self.time * 2)
      #expect(files(kiosk) == before, "\(name)")
    }
    closed.feed(.hours(HoursRows.open))
    closed.wait(Self.time + .seconds(1))
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
}
