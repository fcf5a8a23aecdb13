import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// E1.3, E4.1, E8: faults that somebody has to look after, lists of tracks, and commands that only ask.
@Suite struct SignalListRows {
  private func kiosk(
    plugged: Set<String> = [], tracks: Int = 4, names: [String]? = nil, knobs: [Knob] = [],
    _ signals: [String: OutputSignal], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let lines = signals.sorted { $0.key < $1.key }.map { Line(name: $0.key, role: .signal($0.value)) }
    let kiosk = Kiosk(plugged: plugged, tracks: tracks, selectors: lines, knobs: knobs, names: names, change)
    kiosk.forget()
    return kiosk
  }

  private static let pair = [
    "PAIR": OutputSignal(whileAny: [.track(.number(1)), .track(.number(2))]),
    "SPOT": OutputSignal(whileAny: [.track(.number(1)), .track(.number(2))], alsoWhile: [.playing]),
  ]

  @Test("E4.1, E2: a skip and a choice within the list make no edge, before the next track is heard or after")
  func list() {
    let kiosk = kiosk(Self.pair)
    kiosk.type("play", then: .seconds(2))
    #expect(kiosk.signals.keys.sorted() == ["PAIR", "SPOT"])
    kiosk.forget()
    kiosk.type("next", then: .seconds(1))
    kiosk.type("track 1", then: .seconds(1))
    // To and fro before anything of it is heard.
    kiosk.mostDecoded = 0
    for command in ["track 2", "track 1", "track 2"] { kiosk.type(command) }
    kiosk.wait(.seconds(3))
    #expect(kiosk.sounding == nil)
    kiosk.mostDecoded = 3
    kiosk.feed(.health(.linesDropped(0)))
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.signalEdges == [])
  }

  @Test("E4.1, P10: a track that ends in the list goes over to the next of it without an edge")
  func gapless() {
    let kiosk = kiosk(Self.pair)
    kiosk.type("play", then: .seconds(100))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.signalEdges == ["0.000 PAIR on", "0.000 SPOT on"])
    kiosk.wait(.seconds(21))
    #expect(kiosk.signalEdges.dropFirst(2) == ["120.000 PAIR off", "120.000 SPOT off"])
  }

  @Test("E4.1, E4: what is not in the list, a pause and Stop end it, and it begins with the first frame heard")
  func ends() {
    let kiosk = kiosk(Self.pair)
    kiosk.type("play")
    kiosk.type("track 3")
    #expect(kiosk.signals == [:])
    kiosk.mostDecoded = 0
    kiosk.type("track 2")
    // From a track that is not in the list nothing goes on.
    #expect(kiosk.signals == [:])
    kiosk.mostDecoded = 3
    kiosk.feed(.health(.linesDropped(0)))
    #expect(kiosk.signals.keys.sorted() == ["PAIR", "SPOT"])
    kiosk.type("pause")
    #expect(kiosk.signals.keys.sorted() == ["PAIR"])
    // Nothing follows in its place: that listen is over.
    kiosk.type("track 1")
    kiosk.type("pause")
    kiosk.type("next")
    #expect(kiosk.signals == [:])
    kiosk.type("play")
    kiosk.type("stop")
    #expect(kiosk.signals == [:])
  }

  @Test("E4.1: playlists of a list, and a track of one beside them")
  func playlists() {
    let kiosk = kiosk(
      names: Kiosk.folders, ["LANG": OutputSignal(whileAny: [.playlist("deutsch"), .playlist("english")])])
    kiosk.type("playlist deutsch", then: .seconds(1))
    kiosk.forget()
    kiosk.type("playlist english", then: .seconds(1))
    #expect(kiosk.status.playlist == "english" && kiosk.signalEdges == [])
    kiosk.type("playlist")
    #expect(kiosk.signals == [:])
  }

  @Test("E1.3, G8: a knob of which edges come without end is a fault until they have rested")
  func stuckKnob() {
    let kiosk = kiosk(knobs: [Knob(name: "VOLUME")], ["FAULT": OutputSignal(whileAny: [.fault])])
    for index in 0..<20_000 {
      kiosk.wait(.milliseconds(1))
      kiosk.feed(.knob(KnobID(0), .edges([KnobEdge(.a, asserted: index % 2 == 0, at: kiosk.now)], isComplete: true)))
      #expect((kiosk.signals == [:]) == kiosk.names(.lineStuck).isEmpty)
    }
    #expect(kiosk.names(.lineStuck).count == 1 && kiosk.signals == ["FAULT": .on])
    kiosk.wait(.milliseconds(299))
    #expect(kiosk.signals == ["FAULT": .on])
    kiosk.wait(.milliseconds(301))
    #expect(kiosk.signals == [:])
    #expect(kiosk.timers.keys.allSatisfy { if case .knob = $0 { false } else { true } })
  }

  @Test("E1.3, S6: the lost card of another port of a multi-route is a fault until it is back, or plays along no more")
  func otherPort() {
    let kiosk = kiosk(plugged: ["JACK", "DOCK"], ["FAULT": OutputSignal(whileAny: [.fault])]) {
      $0.idleReset = .zero
    }
    kiosk.feed(.category(.multiRoute))
    kiosk.type("play")
    kiosk.feed(.audio(.otherOutputLost(.lineOut, reason: "gone")))
    #expect(kiosk.signals == ["FAULT": .on])
    kiosk.feed(.audio(.otherOutputRestored(.lineOut)))
    #expect(kiosk.signals == [:])
    kiosk.feed(.audio(.otherOutputLost(.lineOut, reason: "gone")))
    kiosk.unplug("DOCK")
    #expect(kiosk.signals == [:])
    kiosk.plug("DOCK")
    #expect(kiosk.signals == [:])
  }

  @Test("E8, K7.5: a monitor that asks each second has no signal pulse; a command that does something has")
  func questions() {
    let kiosk = kiosk(["BELL": OutputSignal(pulse: .milliseconds(100), on: [.consoleCommand])])
    for command in ["status", "stats", "paired", "help"] {
      kiosk.type(command, then: .seconds(1))
    }
    #expect(kiosk.signalEdges == [])
    kiosk.type("volume 30", then: .seconds(1))
    kiosk.type("volume much", then: .seconds(1))
    #expect(kiosk.signalEdges.count == 4)
  }
}
