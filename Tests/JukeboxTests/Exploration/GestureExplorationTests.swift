import AudioSession
import Testing

@testable import Jukebox

/// Every contact sequence and every firing of a timer on one button. The library is empty, so that the rest of the
/// brain stands still and the log of gestures is all that an action leaves.
@Suite struct GestureExplorationTests {
  private enum Move: Hashable {
    case edge
    case timer(TimerID)
    /// The system slept, and the contact is so at the wake.
    case slept(isDown: Bool)
  }

  /// A button, and what the operator did with it, kept from the moves alone.
  private struct Bench: Hashable {
    var brain: Jukebox
    var timers: Set<TimerID> = []
    /// The debounced contact, by our own book.
    var isDown: Bool
    var raw: Bool
    var isMoving = false
    let button: Button
    /// Since the last press: long press told, stuck told.
    var wasHeld = false
    var wasStuck: Bool
    var wasTwice = false
    var complaint: String?
  }

  private static let line = LineID(0)

  private func bench(_ button: Button, isDown: Bool, _ settings: Settings) -> Bench {
    var settings = settings
    settings.idleReset = .zero
    settings.volumeStep = 50
    let configuration = Configuration(
      rate: 48_000, lines: [Line(name: "B", role: .button(button))],
      ports: [OutputPort(port: .speaker, sense: .always, priority: 1, isPrivate: false)], settings: settings)
    let brain = Jukebox(configuration: configuration, library: [])
    var bench = Bench(brain: brain, isDown: isDown, raw: isDown, button: button, wasStuck: false)
    _ = feed(.powerOn(PowerOn(asserted: isDown ? [Self.line] : [])), &bench)
    // Down at power on is no press.
    if isDown { bench.wasHeld = true }
    return bench
  }

  private func feed(_ input: Input, _ bench: inout Bench) -> [Event] {
    var events: [Event] = []
    if case .timer(let timer) = input { bench.timers.remove(timer) }
    for effect in bench.brain.handle(input, at: .powerOn) {
      switch effect {
      case .setTimer(let timer, _): bench.timers.insert(timer)
      case .cancelTimer(let timer): bench.timers.remove(timer)
      case .log(let event): events.append(event)
      case .audio, .record, .lamp, .muteAmplifier, .reply, .save: break
      }
    }
    bench.timers.remove(.save)
    bench.brain.saving = Saving(interval: .seconds(60), at: .powerOn)
    return events
  }

  private func make(_ move: Move, _ button: Button, on bench: inout Bench) {
    switch move {
    case .edge:
      bench.raw.toggle()
      bench.isMoving = true
      let events = feed(.edge(Self.line, asserted: bench.raw, at: .powerOn), &bench)
      if !events.isEmpty { bench.complaint = "K1 an edge did something: \(events)" }
      forgetEdges(&bench)
    case .timer(let timer): fire(timer, button, on: &bench)
    case .slept(let isDown): sleep(isDown: isDown, &bench)
    }
  }

  /// Whatever counted before the sleep counts anew after it, or not at all.
  private func sleep(isDown: Bool, _ bench: inout Bench) {
    let before = bench.timers
    bench.timers = []
    bench.isMoving = bench.isMoving || bench.raw != isDown
    bench.raw = isDown
    let input = Input.woke(asserted: isDown ? [Self.line] : [], slept: .zero)
    if feed(input, &bench).contains(where: { $0.name != .routeChanged }) { bench.complaint = "R11 a wake is a gesture" }
    for timer in bench.timers.subtracting(before) where timer != .settle(Self.line) {
      let isAnew = !bench.brain.lines[0].debouncer.isSettled || bench.isDown
      if !isAnew { bench.complaint = "R11 \(timer) begins with a wake" }
    }
    forgetEdges(&bench)
    checkTimers(&bench)
  }

  /// Edges are counted for the log only: many settle as one or two do.
  private func forgetEdges(_ bench: inout Bench) {
    var line = bench.brain.lines[0]
    let level = line.debouncer.level
    line.debouncer = Debouncer(level: level)
    if bench.isMoving {
      line.debouncer.edge(!level, at: .powerOn)
      if bench.raw == level { line.debouncer.edge(level, at: .powerOn) }
    }
    bench.brain.lines = Lines([line], secondPress: bench.brain.lines.secondPress)
  }

  private func fire(_ timer: TimerID, _ button: Button, on bench: inout Bench) {
    let awaited = bench.brain.lines.secondPress != nil
    let isPress = timer == .settle(Self.line) && bench.isMoving && bench.raw && !bench.isDown
    if timer == .settle(Self.line) {
      bench.isMoving = false
      bench.isDown = bench.raw
    }
    let events = feed(.timer(timer), &bench)
    let gestures = events.filter { $0.name == .buttonPressed }.map { $0["gesture"] ?? "press" }
    let stuck = events.filter { $0.name == .lineStuck }.count
    var expected: [String] = []
    if isPress {
      bench.wasTwice = button == .play && awaited
      expected = [bench.wasTwice ? "twice" : "press"]
      bench.wasHeld = false
      bench.wasStuck = false
    }
    if timer == .held(Self.line) && button == .play {
      expected = ["held"]
      if bench.wasHeld || bench.wasStuck || bench.wasTwice || !bench.isDown {
        bench.complaint = "K1 held once too often"
      }
      bench.wasHeld = true
    }
    if gestures != expected { bench.complaint = "K1 \(timer) gave \(gestures), expected \(expected)" }
    if stuck > 0 {
      if bench.wasStuck || !bench.isDown || timer != .stuck(Self.line) { bench.complaint = "K4 stuck was told again" }
      bench.wasStuck = true
    }
    checkTimers(&bench)
  }

  private func checkTimers(_ bench: inout Bench) {
    let isArmed = bench.timers.contains(.held(Self.line)) || bench.timers.contains(.stuck(Self.line))
    if isArmed && !bench.isDown { bench.complaint = "a timer of a press outlives it" }
    if bench.timers.contains(.held(Self.line)) && bench.wasStuck { bench.complaint = "K4 a stuck button repeats" }
    // A contact that went up in a sleep is awaited again once it has turned out to be bounce.
    let isAwake = bench.isDown && !(bench.isMoving && bench.brain.lines[0].gestures?.isInterrupted == true)
    if isAwake && bench.button == .play && !bench.wasHeld && !bench.wasStuck && !bench.wasTwice
      && !bench.timers.contains(.held(Self.line))
    {
      bench.complaint = "K3 nobody waits for the long press"
    }
    if isAwake && !bench.wasStuck && !bench.timers.contains(.stuck(Self.line)) {
      bench.complaint = "K4 nobody watches a button that is down"
    }
    let isAwaited = bench.brain.lines.secondPress != nil
    if isAwaited != bench.timers.contains(.doublePress) { bench.complaint = "K3 waits for ever" }
  }

  private func explore(_ button: Button, _ settings: Settings) -> (states: Int, transitions: Int) {
    var seen: Set<Bench> = []
    var open = [bench(button, isDown: false, settings), bench(button, isDown: true, settings)]
    seen.formUnion(open)
    var transitions = 0
    while let here = open.popLast() {
      for move in [.edge, .slept(isDown: false), .slept(isDown: true)] + here.timers.map(Move.timer) {
        var there = here
        make(move, button, on: &there)
        transitions += 1
        if let complaint = there.complaint {
          Issue.record("\(button): \(complaint)")
          return (seen.count, transitions)
        }
        if seen.insert(there).inserted { open.append(there) }
      }
    }
    return (seen.count, transitions)
  }

  @Test("K1, K2, K3, K4: every contact sequence on every button is one gesture a press", arguments: Button.allCases)
  func everySequence(button: Button) {
    for action in Settings.GestureAction.allCases {
      var settings = Settings()
      settings.playHeld = action
      settings.playTwice = action
      let (states, transitions) = explore(button, settings)
      print("explored gestures of \(button.rawValue), \(action.rawValue): \(states) states, \(transitions) transitions")
      // Fewer means that a contact sequence is not tried any more.
      #expect(states >= 24 && transitions >= 46)
    }
  }
}
