import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// When a visit begins and ends, and what the next visitor finds.
@Suite struct VisitRows {
  /// The rest of the gap after the edge with which `Kiosk.unplug` began 30 ms ago.
  private static let gap = Duration.milliseconds(9_970)
  private static let instant = Duration.nanoseconds(1)

  /// A visitor has plugged headphones in, plays, and has turned them up to their ceiling of 80.
  private static func visited(
    tracks: Int = 3, bad: [TrackID: String] = [:], names: [String]? = nil, selectors: [Line] = [],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(tracks: tracks, bad: bad, selectors: selectors, names: names) {
      $0.startVolume = 40
      change(&$0)
    }
    kiosk.plug("JACK")
    kiosk.pressOnce(.play)
    turnUp(kiosk)
    return kiosk
  }

  private static func turnUp(_ kiosk: Kiosk) {
    kiosk.press(.volumeUp, for: .seconds(4))
    #expect(kiosk.status.volume == kiosk.jukebox.volumes.ceiling(of: kiosk.status.route.port ?? .usb))
  }

  private static func volume(_ port: Port, of kiosk: Kiosk) -> Int { kiosk.jukebox.volumes.volume(of: port) }

  private static func visits(_ kiosk: Kiosk) -> Int { kiosk.counted.filter { $0 == .board(.visits) }.count }

  /// What a visitor may do last.
  enum Last: CaseIterable {
    case stop, pause, trackEnd, failure, stopAtPrompt, nextAtPrompt
  }

  private static func end(_ last: Last, _ kiosk: Kiosk) {
    switch last {
    case .stop: kiosk.pressOnce(.stop)
    case .pause: kiosk.pressOnce(.play)
    case .trackEnd: kiosk.wait(.seconds(60))
    case .failure:
      kiosk.bad = [0: "damaged"]
      kiosk.pressOnce(.stop)
      kiosk.pressOnce(.play)
    case .stopAtPrompt:
      kiosk.unplug("JACK")
      return kiosk.pressOnce(.stop)
    case .nextAtPrompt:
      kiosk.unplug("JACK")
      return kiosk.pressOnce(.next)
    }
    #expect(kiosk.sounding == nil)
    kiosk.unplug("JACK")
  }

  @Test(
    "V2, V3: however the music came to its end, who plugs in later than the gap finds the start",
    arguments: Last.allCases)
  func nextVisitor(last: Last) {
    let kiosk = Self.visited(tracks: last == .nextAtPrompt ? 2 : 1)
    Self.end(last, kiosk)
    kiosk.forget()
    kiosk.wait(.seconds(11))
    #expect(kiosk.names(.visitEnded).map { $0["reason"] } == ["hung-up"])
    #expect(kiosk.status.state == .stopped && kiosk.status.track == 1 && kiosk.status.frame == 0)
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 40)
    #expect(
      kiosk.names(.volumeChanged).map { [$0["port"], $0["volume"], $0["from"], $0["cause"]] } == [
        ["headphones", "40", "80", "hung-up"]
      ])
    #expect(Self.visits(kiosk) == 2)
  }

  @Test(
    "V3: who plugs in again before the gap has passed is the same visitor, to the millisecond", arguments: Last.allCases
  )
  func sameVisitor(last: Last) {
    for isSame in [true, false] {
      let kiosk = Self.visited(tracks: last == .nextAtPrompt ? 2 : 1)
      Self.end(last, kiosk)
      guard let due = kiosk.timers[.visitGap] else { return #expect(Bool(false), "no gap runs") }
      kiosk.wait(due - kiosk.now + .milliseconds(isSame ? -1 : 1))
      kiosk.plug("JACK")
      #expect(kiosk.status.volume == (isSame ? 80 : 40))
      #expect(kiosk.names(.visitEnded).count == (isSame ? 0 : 1))
      #expect(Self.visits(kiosk) == (isSame ? 1 : 2))
      #expect(kiosk.timers[.visitGap] == nil)
    }
  }

  @Test("V2: the gap counts from the first edge of the plug, and each press begins it anew")
  func counts() {
    let kiosk = Self.visited()
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: Self.gap - Self.instant)
    #expect(kiosk.status.isVisited)
    kiosk.wait(Self.instant)
    #expect(!kiosk.status.isVisited)
    let pressed = Self.visited()
    pressed.pressOnce(.stop)
    pressed.unplug("JACK", then: .seconds(9))
    pressed.press(.volumeDown, then: .seconds(9))
    #expect(pressed.status.isVisited)
    pressed.wait(.seconds(1))
    #expect(!pressed.status.isVisited)
  }

  @Test("V3: a plug that was only a contact's bounce at the end of the gap is nobody")
  func bounce() {
    let kiosk = Self.visited()
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: Self.gap - .milliseconds(5))
    kiosk.edge("JACK", true, then: .milliseconds(10))
    #expect(kiosk.status.isVisited)
    kiosk.edge("JACK", false, then: .milliseconds(30))
    #expect(!kiosk.status.isVisited)
  }

  @Test("V2, R13: every port goes back, those that are not the route, too, and each has its line; one line says why")
  func allPorts() {
    let kiosk = Self.visited()
    kiosk.plug("DOCK")
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play)
    Self.turnUp(kiosk)
    kiosk.unplug("DOCK")
    kiosk.pressOnce(.stop)
    Self.turnUp(kiosk)
    kiosk.forget()
    kiosk.wait(.seconds(10))
    #expect(
      kiosk.eventNames.filter { $0 != .stateSaved } == [.visitEnded, .volumeChanged, .volumeChanged, .volumeChanged])
    #expect(
      kiosk.names(.volumeChanged).map { [$0["port"], $0["volume"], $0["from"]] } == [
        ["headphones", "40", "80"], ["line-out", "40", "100"], ["speaker", "40", "50"],
      ])
    #expect(kiosk.names(.visitEnded).count == 1)
  }

  @Test("V2, K8, Q4: a reset is logged for every port, whatever ends the visit")
  func otherEnds() {
    let prompted = Self.visited { $0.promptTimeout = .seconds(60) }
    prompted.unplug("JACK", then: .seconds(60))
    #expect(prompted.last(.visitEnded)?["reason"] == "expired")
    #expect(prompted.last(.volumeChanged)?["port"] == "headphones")
    #expect(prompted.last(.volumeChanged)?["cause"] == "prompt-expired")
    let idle = Self.visited()
    idle.pressOnce(.stop, then: .seconds(600))
    #expect(idle.last(.visitEnded)?["reason"] == "idle")
    #expect(idle.last(.volumeChanged)?["cause"] == "idle")
    #expect(!idle.status.isVisited)
  }

  @Test("V2, T4: playlist and category go back; what the console has set stands")
  func playlistAndCategory() {
    let kiosk = Self.visited(names: Kiosk.folders)
    kiosk.feed(.category(.ambient))
    kiosk.type("playlist english")
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: .seconds(10))
    #expect(kiosk.status.playlist == nil)
    #expect(kiosk.jukebox.routes.category == .playback)
    let console = Self.visited()
    console.feed(.category(.ambient))
    console.type("category solo-ambient")
    console.type("route speaker")
    console.unplug("JACK")
    console.pressOnce(.stop, then: .seconds(600))
    #expect(console.names(.visitEnded).count == 1)
    #expect(console.jukebox.routes.category == .soloAmbient)
    #expect(console.jukebox.routes.forced == .speaker)
  }

  @Test("V2.3, K8: a volume set at the console stands for the first who comes, until that visit ends or nobody came")
  func consoleVolume() {
    let kiosk = Self.visited()
    kiosk.unplug("JACK")
    kiosk.pressOnce(.stop, then: .seconds(10))
    #expect(!kiosk.status.isVisited)
    kiosk.type("volume 45")
    kiosk.plug("JACK")
    // Each port has its own: what was typed while the loudspeaker was the route is the loudspeaker's.
    #expect(Self.volume(.speaker, of: kiosk) == 45 && Self.volume(.headphones, of: kiosk) == 40)
    kiosk.unplug("JACK", then: .seconds(10))
    #expect(kiosk.names(.visitEnded).count == 2)
    #expect(Self.volume(.speaker, of: kiosk) == 40)
    kiosk.type("volume 45", then: .seconds(600))
    #expect(Self.volume(.speaker, of: kiosk) == 40)
    #expect(kiosk.last(.volumeChanged)?["cause"] == "idle" && kiosk.names(.visitEnded).count == 2)
    let hung = Kiosk(plugged: ["JACK"]) { $0.startVolume = 40 }
    hung.type("volume 70")
    hung.pressOnce(.play)
    #expect(hung.status.isVisited && hung.status.volume == 70)
    hung.unplug("JACK")
    hung.pressOnce(.stop, then: .seconds(10))
    #expect(Self.volume(.headphones, of: hung) == 40)
  }

  @Test("V2: with visit_gap = 0 an unplug ends no visit")
  func noGap() {
    let kiosk = Self.visited { $0.visitGap = .zero }
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: .seconds(500))
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 80)
    #expect(Self.visits(kiosk) == 1)
  }

  @Test("V1: a press, a plug, a token, a selector and the volume of a headset begin a visit, once")
  func begins() {
    let starts: [(String, (Kiosk) -> Void)] = [
      ("press", { $0.press(.volumeUp) }), ("plug", { $0.plug("DOCK") }), ("token", { $0.read("2") }),
      ("token", { $0.read("NONE") }),
      (
        "selector",
        {
          $0.edge("LANG", true); $0.wait(.milliseconds(30))
        }
      ),
    ]
    for (word, start) in starts {
      let kiosk = Kiosk(
        selectors: [Line(name: "LANG", role: .selector(playlist: "english", released: nil))], names: Kiosk.folders)
      start(kiosk)
      start(kiosk)
      #expect(kiosk.names(.visitBegan).map { $0["by"] } == [word])
      #expect(kiosk.status.isVisited)
      #expect(Self.visits(kiosk) == 1)
    }
  }

  @Test("V1: console, cues, pages, the mute line and what is plugged in at power on begin no visit")
  func beginsNot() {
    let kiosk = Kiosk(plugged: ["JACK", "PAGE"])
    kiosk.type("play")
    kiosk.type("volume 20")
    kiosk.feed(.scheduled(cue: 1, on: CalendarDay(year: 2026, month: 1, day: 1)))
    for line in ["PAGE", "ALARM", "MUTE"] {
      kiosk.edge(line, true, then: .seconds(1))
      kiosk.edge(line, false, then: .seconds(1))
    }
    kiosk.read("A", isEnded: false, then: .seconds(10))
    kiosk.unplug("JACK")
    #expect(kiosk.names(.visitBegan).isEmpty)
    #expect(!kiosk.status.isVisited)
    kiosk.wait(.seconds(700))
    #expect(kiosk.names(.visitEnded).isEmpty)
  }

  @Test("V7, W1: after a power cut the volumes are those of the start, unless visit_gap = 0")
  func powerCut() {
    for (gap, volume) in [(Duration.seconds(10), 40), (.zero, 70)] {
      let saved = SavedState(
        volumes: [.headphones: 70], track: "2.mp3", frame: 5_000, intent: .paused, port: .headphones)
      let kiosk = Kiosk(plugged: ["JACK"], saved: .state(saved)) {
        $0.startVolume = 40
        $0.visitGap = gap
      }
      #expect(kiosk.status.volume == volume)
      #expect(kiosk.status.track == 2 && kiosk.status.frame == 5_000)
      #expect(kiosk.last(.stateRestored)?["volumes"] == (gap == .zero ? "1" : "0"))
      kiosk.press(.volumeUp, then: .seconds(5))
      #expect(kiosk.saves.last?.volumes ?? [:] == (gap == .zero ? [.headphones: 75] : [:]))
    }
  }

  @Test("V3.2: a visit that begins at a port that is not private gives way to the next visitor's headphones")
  func openDock() {
    let dock = OutputPort(port: .lineOut, sense: .line("DOCK"), priority: 20, isPrivate: false)
    let kiosk = Kiosk(ports: [Kiosk.allPorts[0], dock, Kiosk.allPorts[2]])
    kiosk.plug("DOCK")
    kiosk.type("track 2", then: .seconds(10))
    kiosk.type("pause", then: .seconds(300))
    kiosk.plug("JACK")
    #expect(kiosk.last(.visitEnded)?["reason"] == "hung-up" && kiosk.status.track == 1)
  }
}
