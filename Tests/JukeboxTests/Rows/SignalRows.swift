import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// E rows: outputs that follow what is heard.
@Suite struct SignalRows {
  /// A kiosk with signals, which play and are unplugged like any other.
  private func kiosk(
    plugged: Set<String> = [], tracks: Int = 3, names: [String]? = nil, selectors: [Line] = [],
    _ signals: [String: OutputSignal],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let lines = signals.sorted { $0.key < $1.key }.map { Line(name: $0.key, role: .signal($0.value)) }
    let kiosk = Kiosk(plugged: plugged, tracks: tracks, selectors: selectors + lines, names: names, change)
    kiosk.forget()
    return kiosk
  }

  private static let busy = ["BUSY": OutputSignal(whileAny: [.playing])]

  @Test("E1: it is asserted from the first frame heard to the last one, not from command to command")
  func heard() {
    let kiosk = kiosk(Self.busy)
    // Nothing is heard while the storage has not answered.
    kiosk.mostDecoded = 0
    kiosk.type("play", then: .seconds(1))
    #expect(kiosk.signals == [:] && kiosk.status.state == .playing)
    kiosk.mostDecoded = 3
    kiosk.feed(.health(.linesDropped(0)))
    #expect(kiosk.signals == ["BUSY": .on] && kiosk.sounding == .speaker)
    // The fade is still heard when the command is given.
    let pause = kiosk.jukebox
    var brain = pause
    let commanded = brain.handle(.console("pause"), at: kiosk.now)
    #expect(!commanded.contains(.signal(kiosk.line("BUSY"), .off)))
    kiosk.type("pause")
    #expect(kiosk.signals == [:])
    kiosk.type("play")
    #expect(kiosk.signals == ["BUSY": .on])
    kiosk.loseOutput()
    #expect(kiosk.signals == [:])
  }

  @Test("E1, E3: what a card still has to play is not heard yet, as on its way to a Bluetooth headset")
  func latency() {
    let kiosk = kiosk(
      ["BUSY": OutputSignal(whileAny: [.playing]), "LATE": OutputSignal(whileAny: [.playing], onDelay: .seconds(1))])
    kiosk.mostDecoded = 0
    kiosk.type("play")
    let (id, heard) = (kiosk.jukebox.player.stream.id, kiosk.now + .milliseconds(200))
    let position = Position(track: TrackID(0), frame: 0)
    kiosk.feed(.audio(.playback(.started(stream: id, position, at: heard))))
    kiosk.feed(.audio(.playback(.began(stream: id, position, at: heard))), then: .milliseconds(1_500))
    #expect(kiosk.signalEdges == ["0.200 BUSY on", "1.200 LATE on"])
  }

  @Test("E3: what is heard again only behind off_delay is an edge, though the engine knows of it before")
  func lateReturn() {
    let kiosk = kiosk(["BUSY": OutputSignal(whileAny: [.playing], offDelay: .seconds(1))])
    kiosk.type("play", then: .seconds(2))
    kiosk.type("stop", then: .milliseconds(900))
    kiosk.mostDecoded = 0
    kiosk.type("play")
    let (id, heard) = (kiosk.jukebox.player.stream.id, kiosk.now + .milliseconds(200))
    kiosk.feed(.audio(.playback(.started(stream: id, Position(track: TrackID(0), frame: 0), at: heard))))
    kiosk.wait(.seconds(1))
    #expect(kiosk.signalEdges == ["0.000 BUSY on", "3.000 BUSY off", "3.100 BUSY on"])
  }

  @Test("E1, P10: the end of the queue ends it, a track that follows does not")
  func queueEnd() {
    let kiosk = kiosk(tracks: 2, Self.busy)
    kiosk.type("play", then: .seconds(121))
    #expect(kiosk.signalEdges == ["0.000 BUSY on", "120.000 BUSY off"])
  }

  @Test("E2: a skip, a seek, a choice, an underrun and contact bounce make no edge")
  func noEdges() {
    let kiosk = kiosk(plugged: ["JACK"], Self.busy)
    kiosk.type("play", then: .seconds(2))
    kiosk.forget()
    kiosk.type("next", then: .seconds(1))
    kiosk.type("seek 30", then: .seconds(1))
    kiosk.type("track 1", then: .seconds(1))
    kiosk.engine.runsEmpty(at: kiosk.now)
    kiosk.wait(.seconds(1))
    kiosk.edge("JACK", false, then: .milliseconds(10))
    #expect(kiosk.sounding == nil)
    kiosk.edge("JACK", true, then: .milliseconds(100))
    #expect(kiosk.sounding == .headphones)
    kiosk.plug("DOCK")
    kiosk.type("route line-out", then: .seconds(1))
    #expect(kiosk.sounding == .lineOut)
    #expect(kiosk.signalEdges == [])
  }

  @Test("E1, R4: at an unplug it ends when that counts")
  func unplug() {
    let kiosk = kiosk(plugged: ["JACK"], Self.busy)
    kiosk.type("play", then: .seconds(2))
    kiosk.forget()
    kiosk.unplug("JACK")
    #expect(kiosk.signalEdges == ["2.030 BUSY off"])
    kiosk.plug("JACK")
    #expect(kiosk.signals == ["BUSY": .on])
  }

  @Test("E3: delays; what comes back in time makes no edge, nor does what ends before it was asserted")
  func delays() {
    let kiosk = kiosk(
      [
        "A": OutputSignal(whileAny: [.playing], onDelay: .seconds(1)),
        "B": OutputSignal(whileAny: [.playing], offDelay: .seconds(5)),
      ])
    kiosk.type("play", then: .milliseconds(500))
    kiosk.type("pause", then: .seconds(3))
    kiosk.type("play", then: .seconds(2))
    kiosk.type("stop", then: .seconds(10))
    #expect(kiosk.signalEdges == ["0.000 B on", "4.500 A on", "5.500 A off", "10.500 B off"])
    #expect(kiosk.timers[.signal(kiosk.line("A"))] == nil && kiosk.timers[.signal(kiosk.line("B"))] == nil)
  }

  @Test("E4: a pause, an unplug and a page end `playing`, not the track that is listened to")
  func holds() {
    let kiosk = kiosk(
      plugged: ["JACK"],
      [
        "BUSY": OutputSignal(whileAny: [.playing]), "ONE": OutputSignal(whileAny: [.track(.number(1))]),
        "SPOT": OutputSignal(whileAny: [.track(.file("1"))], alsoWhile: [.playing]),
        "TWO": OutputSignal(whileAny: [.track(.file("2.mp3"))]),
      ])
    #expect(kiosk.signals == [:])
    kiosk.type("play", then: .seconds(2))
    #expect(kiosk.signals.keys.sorted() == ["BUSY", "ONE", "SPOT"])
    kiosk.type("pause")
    #expect(kiosk.signals.keys.sorted() == ["ONE"])
    kiosk.type("play")
    kiosk.edge("PAGE", true, then: .seconds(1))
    #expect(kiosk.signals.keys.sorted() == ["ONE"])
    kiosk.edge("PAGE", false, then: .seconds(1))
    #expect(kiosk.signals.keys.sorted() == ["BUSY", "ONE", "SPOT"])
    kiosk.unplug("JACK")
    #expect(kiosk.signals.keys.sorted() == ["ONE"])
    kiosk.plug("JACK")
    kiosk.forget()
    kiosk.type("next")
    #expect(kiosk.signals.keys.sorted() == ["BUSY", "TWO"])
    // The light of the first goes out before that of the second is lit, and the relay is quiet.
    #expect(kiosk.signalEdges.map { $0.dropFirst(6) } == ["ONE off", "SPOT off", "TWO on"])
    kiosk.type("pause")
    kiosk.type("previous")
    #expect(kiosk.signals == [:])
    kiosk.type("play")
    kiosk.type("stop")
    #expect(kiosk.signals == [:])
  }

  @Test("E4: the listen of a playlist goes on from track to track in it")
  func playlist() {
    let kiosk = kiosk(
      names: Kiosk.folders,
      ["DE": OutputSignal(whileAny: [.playlist("deutsch")]), "EN": OutputSignal(whileAny: [.playlist("english")])])
    kiosk.type("playlist deutsch", then: .seconds(1))
    #expect(kiosk.signals == ["DE": .on])
    kiosk.forget()
    kiosk.type("next", then: .seconds(1))
    kiosk.type("pause")
    #expect(kiosk.signalEdges == [])
    kiosk.type("playlist english")
    #expect(kiosk.signalEdges.map { $0.dropFirst(6) } == ["DE off", "EN on"])
    kiosk.type("playlist")
    #expect(kiosk.signals == [:])
  }

  @Test("E1.1, E1.2: a cue that is heard, the route, a visit, the prompt, a recording and a page")
  func conditions() {
    let words: [(String, OutputSignal.Condition)] = [
      ("CUE", .cue("welcome")), ("JACKED", .port(.headphones)), ("PAGED", .page), ("PROMPT", .prompt),
      ("REC", .recording), ("ROOM", .port(.speaker)), ("VISIT", .visit),
    ]
    let kiosk = kiosk(Dictionary(uniqueKeysWithValues: words.map { ($0, OutputSignal(whileAny: [$1])) }))
    #expect(kiosk.signals.keys.sorted() == ["ROOM"])
    kiosk.type("cue closing", then: .seconds(4))
    #expect(kiosk.signalEdges == [])
    kiosk.type("cue welcome")
    #expect(kiosk.signals.keys.sorted() == ["CUE", "ROOM"])
    kiosk.wait(.seconds(4))
    #expect(kiosk.signals.keys.sorted() == ["ROOM"])
    kiosk.plug("JACK")
    kiosk.type("play")
    #expect(kiosk.signals.keys.sorted() == ["JACKED", "VISIT"])
    kiosk.edge("ALARM", true, then: .seconds(1))
    #expect(kiosk.signals.keys.sorted() == ["JACKED", "PAGED", "VISIT"])
    kiosk.edge("ALARM", false, then: .seconds(1))
    kiosk.unplug("JACK")
    #expect(kiosk.signals.keys.sorted() == ["PROMPT", "ROOM", "VISIT"])
    kiosk.pressOnce(.stop)
    kiosk.pressOnce(.record)
    #expect(kiosk.signals.keys.sorted() == ["REC", "ROOM", "VISIT"])
  }

  @Test("E1.4: make selection, playing, sold out, and no coins")
  func jukebox() {
    var inhibited = CoinRows.lines
    for (name, condition) in [
      ("SELECT", OutputSignal.Condition.credits), ("BUSY", .request), ("SOLD", .requestsFull),
      ("SHUT", .noCoins),
    ] {
      inhibited.append(Line(name: name, role: .signal(OutputSignal(whileAny: [condition]))))
    }
    let kiosk = Kiosk(tracks: 5, selectors: inhibited) {
      $0.requests = RequestSettings()
      $0.requests?.limit = 2
      $0.requests?.credits = CreditSettings()
    }
    kiosk.wait(.seconds(3))
    let lit = { (kiosk: Kiosk) in Set(kiosk.signals.filter { $0.value == .on }.keys) }
    #expect(lit(kiosk) == [])
    kiosk.type("credits +3")
    #expect(lit(kiosk) == ["SELECT"])
    kiosk.type("track 3")
    #expect(lit(kiosk) == ["SELECT", "BUSY"])
    kiosk.type("track 4")
    #expect(lit(kiosk) == ["BUSY", "SOLD"])
    kiosk.edge("COIN", true, then: .seconds(2))
    #expect(lit(kiosk) == ["BUSY", "SOLD", "SHUT", "INHIBIT", "GATE"])
  }

  @Test("E1.2, E1.3: no music, and what needs somebody")
  func faults() {
    let empty = kiosk(
      tracks: 0, ["FAULT": OutputSignal(whileAny: [.fault]), "NONE": OutputSignal(whileAny: [.noMusic])])
    #expect(empty.signals == ["NONE": .on])
    let kiosk = kiosk(
      [
        "FAULT": OutputSignal(whileAny: [.fault, .noMusic], pattern: .doubleFlash),
        "NONE": OutputSignal(whileAny: [.noMusic]),
      ])
    #expect(kiosk.signals == [:])
    kiosk.type("play")
    kiosk.loseOutput()
    #expect(kiosk.signals == ["FAULT": .doubleFlash])
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(5))
    #expect(kiosk.signals == [:])
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"], missing: [LibraryReport.Missing(folder: "/stick", reason: "gone")])
    #expect(kiosk.signals == ["FAULT": .doubleFlash])
    kiosk.list(["1.mp3", "2.mp3", "3.mp3"])
    #expect(kiosk.signals == [:])
    kiosk.edge("play", true, then: .seconds(20))
    #expect(kiosk.signals == ["FAULT": .doubleFlash])
    kiosk.edge("play", false, then: .seconds(1))
    #expect(kiosk.signals == [:])
    kiosk.storageFault = "full"
    kiosk.type("volume 20", then: .seconds(200))
    #expect(kiosk.signals == ["FAULT": .doubleFlash])
  }

  @Test("E5: at power on and at the end nothing is asserted")
  func ends() {
    let kiosk = kiosk(Self.busy)
    kiosk.type("play", then: .seconds(1))
    kiosk.forget()
    kiosk.feed(.shutdown(reason: "SIGTERM"))
    #expect(kiosk.signals == [:] && kiosk.signalEdges.count == 1)
    kiosk.feed(.powerOn(PowerOn(asserted: [])))
    #expect(kiosk.signalEdges.count == 1)
  }

  @Test("E6: no line of the log; status and its JSON show them")
  func shown() {
    let kiosk = kiosk([
      "BUSY": OutputSignal(whileAny: [.playing], pattern: .blink), "ONE": OutputSignal(whileAny: [.prompt]),
    ])
    #expect(kiosk.status.line.hasSuffix(" signals=none"))
    kiosk.type("play")
    #expect(kiosk.status.line.hasSuffix(" signals=BUSY"))
    #expect(kiosk.status.json["signals"]?.text == #"{"BUSY":"blink","ONE":"off"}"#)
    #expect(kiosk.events.allSatisfy { !$0.name.rawValue.contains("signal") })
    #expect(!Kiosk().status.line.contains("signals"))
  }

  @Test("E7: sixty-four signals, each with a time of its own")
  func many() {
    let signals = (0..<OutputSignal.most).map { number in
      ("S\(number + 10)", OutputSignal(whileAny: [.playing], onDelay: .milliseconds(10 * number)))
    }
    let kiosk = kiosk(Dictionary(uniqueKeysWithValues: signals))
    kiosk.type("play", then: .milliseconds(315))
    #expect(kiosk.signals.count == 32)
    kiosk.wait(.seconds(1))
    #expect(kiosk.signals.count == 64)
    kiosk.type("stop")
    #expect(kiosk.signals.isEmpty)
  }

  @Test("E8: a pulse at an event; another within it begins it anew")
  func pulses() {
    let kiosk = kiosk(["BELL": OutputSignal(pulse: .milliseconds(500), on: [.trackStarted, .playbackStopped])])
    kiosk.type("play", then: .seconds(1))
    #expect(kiosk.signalEdges == ["0.000 BELL on", "0.500 BELL off"])
    kiosk.forget()
    kiosk.type("next", then: .milliseconds(300))
    kiosk.type("stop", then: .seconds(1))
    #expect(kiosk.signalEdges == ["1.000 BELL on", "1.800 BELL off"])
    #expect(kiosk.timers[.signal(kiosk.line("BELL"))] == nil)
  }

  @Test("E1, E2: over a thousand random gestures BUSY has an edge only where the sound begins or ends")
  func random() {
    let kiosk = kiosk(plugged: ["JACK"], Self.busy) { $0.repeats = .queue }
    var generator = SplitMix64(state: 38)
    for _ in 0..<1_000 {
      let command = ["next", "previous", "seek +5", "track 2", "play", "pause", "stop", "seek 50"]
      let before = kiosk.signals["BUSY"] != nil
      kiosk.forget()
      kiosk.type(command[Int(generator.next() % 8)], then: .milliseconds(Int(generator.next() % 3_000)))
      let isHeard = kiosk.sounding != nil
      #expect((kiosk.signals["BUSY"] != nil) == isHeard)
      #expect(kiosk.signalEdges.count == (before == isHeard ? 0 : 1))
    }
  }
}
