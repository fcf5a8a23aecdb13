import AudioSession
import BoardFiles
import Jukebox
import Testing

@testable import KioskLives

@Suite struct MinimiserTests {
  @Test("What has no part in it goes, what has stays in its order")
  func minimises() {
    let left = Minimiser.minimise(Array(0..<100), most: 1_000) { steps in
      [7, 42, 43].allSatisfy(steps.contains)
    }
    #expect(left == [7, 42, 43])
  }

  @Test("It ends with what it has when the tries are used up")
  func endsInTime() {
    var tries = 0
    let left = Minimiser.minimise(Array(0..<100), most: 5) { steps in
      tries += 1
      return steps.contains(99)
    }
    #expect(tries == 5)
    #expect(left.contains(99))
  }
}

/// At 8000 Hz: 5 ms are 40 frames.
@Suite struct EarTests {
  /// Music at full volume, faded in and out over `fade` frames.
  private func music(_ frames: Int, fade: Int) -> [Int16] {
    (0..<frames).flatMap { frame in
      let gain = min(fade, frame, frames - 1 - frame)
      let (left, right) = (TestMusic.level, TestMusic.right(at: frame))
      return [Int16(left * gain / fade), Int16(right * gain / fade)]
    }
  }

  private func ear() -> Ear {
    var ear = Ear(rate: 8_000)
    ear.setGain(1)
    ear.musicEnd = nil
    ear.cueEnd = nil
    return ear
  }

  @Test("P12: a fade of 4 ms is no click")
  func fade() {
    var ear = ear()
    ear.hear(music(1_000, fade: 32), frames: 1_000, at: 100)
    ear.pass(until: 2_000)
    #expect(ear.complaint?.message == nil)
  }

  @Test("P12: a fade of 3 ms is a click")
  func shortFade() {
    var ear = ear()
    ear.hear(music(1_000, fade: 24), frames: 1_000, at: 100)
    #expect(ear.complaint?.row == "P12")
  }

  @Test("P12: a fade of 1 ms is a click, but not where the output was taken away")
  func click() {
    var ear = ear()
    ear.hear(music(1_000, fade: 8), frames: 1_000, at: 100)
    #expect(ear.complaint?.row == "P12")
    var excused = self.ear()
    excused.hear(Array(music(1_000, fade: 32).prefix(1_000)), frames: 500, at: 100)
    excused.cut = 600
    excused.pass(until: 2_000)
    #expect(excused.complaint?.message == nil)
  }

  @Test("R3: music behind its end is heard, on whatever port")
  func leak() {
    var ear = ear()
    ear.musicEnd = 900
    ear.hear(music(1_000, fade: 32), frames: 1_000, at: 0)
    #expect(ear.complaint?.row == "R3")
    #expect(ear.complaint?.frame == 900)
  }

  @Test("R13: what is louder than the volume is heard")
  func loud() {
    var ear = ear()
    ear.setGain(0.5)
    ear.pass(until: 8_000)
    ear.hear(music(1_000, fade: 500), frames: 1_000, at: 8_000)
    #expect(ear.complaint?.row == "R13")
  }

  @Test("R13: a volume that comes into the ramp of another may start from above both, but not for long")
  func rampIntoRamp() {
    for (pause, row) in [(100, nil), (900, "R13")] {
      var ear = ear()
      ear.pass(until: 8_000)
      ear.setGain(0.25)
      ear.pass(until: 8_000 + pause)
      ear.setGain(0.5)
      ear.hear(music(1_000, fade: 500), frames: 1_000, at: 8_000 + pause)
      #expect(ear.complaint?.row == row)
    }
  }

  @Test("P2: a gap in music that plays is noticed, a fade out and in is none")
  func gap() {
    var ear = ear()
    ear.musicDue = 100
    ear.hear(music(1_000, fade: 32), frames: 1_000, at: 0)
    ear.hear(music(1_000, fade: 32), frames: 1_000, at: 1_050)
    #expect(ear.complaint?.message == nil)
    ear.hear(music(1_000, fade: 32), frames: 1_000, at: 2_200)
    #expect(ear.complaint?.row == "P2")
  }
}

@Suite struct LedgerTests {
  private func objections(_ events: [Event]) -> [String] {
    var ledger = Ledger(order: [1, 2, 4])
    return events.enumerated().compactMap { index, event in
      ledger.objection(to: event, at: Instant(nanoseconds: Int64(index) * 1_000_000))?.row
    }
  }

  @Test("P3: playback that resumes elsewhere than it was paused is noticed")
  func resume() {
    let paused = Event(.playbackPaused, .info, ["cause": "route-lost", "frame": "700"])
    let started = Event(.playbackStarted)
    #expect(objections([started, paused, Event(.playbackResumed, .info, ["frame": "701"])]) == [])
    #expect(objections([started, paused, Event(.playbackResumed, .info, ["frame": "740"])]) == ["P3"])
    let skip = Event(.buttonPressed, .info, ["button": "next", "line": "BTN_NEXT"])
    #expect(objections([started, paused, skip, Event(.playbackResumed, .info, ["frame": "0"])]) == [])
  }

  @Test("K5: playback that resumes without having started is noticed, and a place that was restored is a start")
  func resumeWithoutStart() {
    let resumed = Event(.playbackResumed)
    #expect(objections([Event(.playbackPaused), resumed]) == ["K5"])
    #expect(objections([Event(.playbackStarted), Event(.playbackStopped), resumed]) == ["K5"])
    #expect(objections([Event(.stateRestored, .info, ["intent": "paused"]), resumed]) == [])
    #expect(objections([Event(.stateRestored, .info, ["intent": "stopped"]), resumed]) == ["K5"])
  }

  @Test("K5: a duck that ends and begins again with the bounce of a plug is noticed")
  func bounceUnderCue() {
    var ledger = Ledger(order: [])
    func row(_ event: Event, _ milliseconds: Int64) -> String? {
      ledger.objection(to: event, at: Instant(nanoseconds: milliseconds * 1_000_000))?.row
    }
    #expect(row(Event(.duckBegan), 1) == nil)
    #expect(row(Event(.duckEnded), 2) == nil)
    #expect(row(Event(.lineBounced), 32) == nil)
    #expect(row(Event(.duckBegan), 32) == "K5")
  }

  @Test("P10: a track that follows another out of turn is noticed")
  func order() {
    let ended = Event(.trackEnded, .info, ["track": "2"])
    #expect(objections([ended, Event(.trackStarted, .info, ["track": "4"])]) == [])
    #expect(objections([ended, Event(.trackStarted, .info, ["track": "1"])]) == ["P10"])
  }

  @Test("What begins twice without an end between is noticed")
  func twice() {
    #expect(objections([Event(.duckBegan), Event(.duckEnded), Event(.duckBegan)]) == [])
    #expect(objections([Event(.duckBegan), Event(.duckBegan)]) == ["D3"])
    #expect(objections([Event(.promptShown), Event(.promptShown)]) == ["Q1"])
  }

  @Test("K5: a log that goes back in time is noticed")
  func backwards() {
    var ledger = Ledger(order: [])
    #expect(ledger.objection(to: Event(.boot), at: Instant(nanoseconds: 2_000)) == nil)
    #expect(ledger.objection(to: Event(.duckBegan), at: Instant(nanoseconds: 1_000))?.row == "K5")
  }
}

@Suite struct FingersTests {
  @Test("P1: a press that was under way at the unplug is overtaken until its button is up")
  func press() {
    var fingers = Fingers()
    fingers.overtake(["BTN_PLAY"], at: .powerOn)
    #expect(fingers.isOvertaken("BTN_PLAY", .play, gesture: "held"))
    #expect(!fingers.isOvertaken("BTN_NEXT", .next, gesture: nil))
    fingers.lift("BTN_PLAY")
    #expect(!fingers.isOvertaken("BTN_PLAY", .play, gesture: nil))
  }

  @Test("K3: the second press of two is overtaken with the first")
  func secondOfOvertaken() {
    var fingers = Fingers()
    fingers.overtake(["BTN_PLAY"], at: .powerOn)
    fingers.press(.play, gesture: nil, on: "BTN_PLAY", at: .powerOn)
    fingers.lift("BTN_PLAY")
    #expect(fingers.isOvertaken("BTN_PLAY", .play, gesture: "twice"))
  }

  @Test("K3: the second press of two is overtaken only within its time, and not by a sleep", arguments: [399, 401])
  func second(milliseconds: Int64) {
    var fingers = Fingers()
    fingers.press(.play, gesture: nil, on: "BTN_PLAY", at: .powerOn)
    fingers.overtake([], at: .powerOn + .milliseconds(milliseconds))
    #expect(fingers.isOvertaken("BTN_PLAY", .play, gesture: "twice") == (milliseconds < 400))
    fingers.lift("BTN_PLAY")
    fingers.wake()
    #expect(!fingers.isOvertaken("BTN_PLAY", .play, gesture: "twice"))
  }
}

@Suite struct ConsoleLinesTests {
  private static let help = String(repeating: "x", count: 998)

  /// A console that was blocked while it was told so many lines of 1,000 bytes each.
  private func flooded(_ lines: Int) -> ConsoleLines {
    var console = ConsoleLines()
    console.block()
    for _ in 0..<lines { console.passed(Self.help) }
    return console
  }

  private func objection(_ console: inout ConsoleLines, _ dropped: Int?) -> String? {
    let event = dropped.map { Event(.logDropped, .warn, ["n": String($0)]) } ?? Event(.boot)
    return console.objection(to: event, line: event.line(at: .powerOn))
  }

  @Test("K6: of what is written to a blocked console, 64 KiB wait; a wrong number of dropped lines is noticed")
  func dropped() {
    for (lines, dropped) in [(0, nil), (65, nil), (66, 1), (100, 35)] {
      var console = flooded(lines)
      console.willFree(isAsleep: false)
      #expect(objection(&console, dropped) == nil)
      #expect(objection(&console, nil) == nil)
      for wrong in [nil, 1, 35, lines + 1] where wrong != dropped {
        var console = flooded(lines)
        console.willFree(isAsleep: false)
        #expect(objection(&console, wrong) != nil)
      }
    }
  }

  @Test("K6: what was missed is told at waking, and not behind a power cut")
  func later() {
    var console = flooded(70)
    console.willFree(isAsleep: true)
    console.willWake()
    #expect(objection(&console, 5) == nil)
    var cut = flooded(70)
    cut.powerCut()
    cut.willFree(isAsleep: false)
    #expect(objection(&cut, nil) == nil)
  }
}

@Suite struct MemoryTests {
  /// A booth that was saved in the instant in which it went on from a track that cannot be played.
  private struct Booth {
    private let status: Status
    private var memory: Memory

    init() throws {
      let board = try BoardFile.read(LifeTests.kiosks + "/booth.board.toml")
      var settings = Settings()
      settings.saveInterval = .seconds(7)
      memory = Memory(ports: board.ports.map(\.output), settings: settings, playable: [1, 2, 4, 5, 7])
      status = Jukebox(configuration: board.configuration(settings: settings), library: []).status(at: .powerOn)
      _ = look(track: 2, at: 0)
      _ = memory.objection(to: Event(.playbackResumed, .info, ["track": "6", "frame": "0"]), at: .powerOn)
      _ = memory.objection(to: Event(.stateSaved, .debug), at: .powerOn)
      _ = memory.objection(to: Event(.trackStarted, .info, ["track": "7", "frame": "0"]), at: .powerOn)
      _ = look(track: 7, at: 0)
    }

    mutating func look(track: Int, at seconds: Int) -> String? {
      var status = status
      status.track = track
      return memory.objection(to: status, at: .powerOn + .seconds(seconds), isPlaying: false)?.row
    }

    /// Behind a power cut.
    mutating func boot(track: Int, frame: Int) -> String? {
      var status = status
      status.track = track
      status.frame = frame
      memory.powerCut()
      return memory.didBoot(status, at: .powerOn)?.row
    }
  }

  @Test("W1: where it was saved in passing is no other place than the saved one", arguments: [6, 7])
  func passed(track: Int) throws {
    var booth = try Booth()
    #expect(booth.look(track: track, at: 1) == nil)
    #expect(booth.look(track: track, at: 60) == nil)
  }

  @Test("W1: a place that is not saved in time is noticed", arguments: [2, 4])
  func unsaved(track: Int) throws {
    var booth = try Booth()
    #expect(booth.look(track: track, at: 1) == nil)
    #expect(booth.look(track: track, at: 9) == nil)
    #expect(booth.look(track: track, at: 10) == "W1")
  }

  @Test("W1: a power cut brings back where it was saved in passing", arguments: [6, 7])
  func restored(track: Int) throws {
    var booth = try Booth()
    #expect(booth.boot(track: track, frame: 0) == nil)
  }

  @Test("W1: a power cut that brings back another place is noticed", arguments: [4, 6, 7])
  func lost(track: Int) throws {
    var booth = try Booth()
    #expect(booth.boot(track: track, frame: 100) == "W1")
  }
}
