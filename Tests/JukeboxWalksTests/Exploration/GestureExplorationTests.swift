import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Every contact sequence and every firing of a timer on one button. The library is empty, so that the rest of the
/// brain does not change and an action leaves nothing but the log of the gesture.
@Suite struct GestureExplorationTests {
  private enum Move: Hashable {
    case edge
    case timer(TimerID)
    /// The system slept, and the contact has this level at the wake.
    case slept(isDown: Bool)
  }

  /// A button, with a model of its contact and gestures that is derived from the moves alone.
  private struct ButtonModel {
    var brain: Jukebox
    var timers: Set<TimerID> = []
    /// The debounced level, by the model.
    var isDown: Bool
    var raw: Bool
    var isMoving = false
    let button: Button
    /// Which events the last press has led to: a long press, a stuck button, a double press.
    var wasHeld = false
    var wasStuck: Bool
    var wasTwice = false
    var violation: String?
  }

  /// What of it decides its future. The number of edges of a bounce does not: many settle as few do.
  private struct Key: Hashable {
    var levels: [Bool]
    var gestures: ButtonGestures?
    var secondPress: Lines.SecondPress?
    var timers: Set<TimerID>
    var past: [Bool]

    init(_ model: ButtonModel) {
      let line = model.brain.lines[0]
      levels = [line.debouncer.level, line.debouncer.raw, line.debouncer.isSettled]
      gestures = line.gestures
      secondPress = model.brain.lines.secondPress
      timers = model.timers
      past = [model.isDown, model.raw, model.isMoving, model.wasHeld, model.wasStuck, model.wasTwice]
    }
  }

  private static let line = LineID(0)

  private func model(_ button: Button, isDown: Bool, _ settings: Settings) -> ButtonModel {
    var settings = settings
    settings.idleReset = .zero
    settings.volumeStep = 50
    let configuration = Configuration(
      rate: 48_000, lines: [Line(name: "B", role: .button(button))],
      ports: [OutputPort(port: .speaker, sense: .always, priority: 1, isPrivate: false)], settings: settings)
    let brain = Jukebox(configuration: configuration, library: [])
    var model = ButtonModel(brain: brain, isDown: isDown, raw: isDown, button: button, wasStuck: false)
    _ = feed(.powerOn(PowerOn(asserted: isDown ? [Self.line] : [])), &model)
    // A button that is down at power on is not pressed.
    if isDown { model.wasHeld = true }
    return model
  }

  private func feed(_ input: Input, _ model: inout ButtonModel) -> [Event] {
    var events: [Event] = []
    if case .timer(let timer) = input { model.timers.remove(timer) }
    for effect in model.brain.handle(input, at: .powerOn) {
      switch effect {
      case .setTimer(let timer, _): model.timers.insert(timer)
      case .cancelTimer(let timer): model.timers.remove(timer)
      case .log(let event): events.append(event)
      case .audio, .record, .lamp, .signal, .muteAmplifier, .reply, .save, .keep, .rank, .count, .replyStatistics,
        .listMusic, .setHeadsetVolume, .headset:
        break
      }
    }
    model.timers.remove(.save)
    return events
  }

  private func make(_ move: Move, _ button: Button, on model: inout ButtonModel) {
    switch move {
    case .edge:
      model.raw.toggle()
      model.isMoving = true
      let events = feed(.edge(Self.line, asserted: model.raw, at: .powerOn), &model)
      if !events.isEmpty { model.violation = "K1 an edge did something: \(events)" }
    case .timer(let timer): fire(timer, button, on: &model)
    case .slept(let isDown): sleep(isDown: isDown, &model)
    }
  }

  /// Timers that ran before the sleep begin again after it, or not at all.
  private func sleep(isDown: Bool, _ model: inout ButtonModel) {
    let before = model.timers
    model.isMoving = model.isMoving || model.raw != isDown
    model.raw = isDown
    let input = Input.woke(asserted: isDown ? [Self.line] : [], slept: .zero)
    if feed(input, &model).contains(where: { $0.name != .routeChanged }) { model.violation = "R11 a wake is a gesture" }
    for timer in model.timers.subtracting(before) where timer != .settle(Self.line) {
      let isAnew = !model.brain.lines[0].debouncer.isSettled || model.isDown
      if !isAnew { model.violation = "R11 \(timer) begins with a wake" }
    }
    checkTimers(&model)
  }

  private func fire(_ timer: TimerID, _ button: Button, on model: inout ButtonModel) {
    let awaited = model.brain.lines.secondPress != nil
    let isPress = timer == .settle(Self.line) && model.isMoving && model.raw && !model.isDown
    if timer == .settle(Self.line) {
      model.isMoving = false
      model.isDown = model.raw
    }
    let events = feed(.timer(timer), &model)
    let gestures = events.filter { $0.name == .buttonPressed }.map { $0["gesture"] ?? "press" }
    let stuck = events.filter { $0.name == .lineStuck }.count
    var expected: [String] = []
    if isPress {
      model.wasTwice = button == .play && awaited
      expected = [model.wasTwice ? "twice" : "press"]
      model.wasHeld = false
      model.wasStuck = false
    }
    if timer == .held(Self.line) && button == .play {
      expected = ["held"]
      if model.wasHeld || model.wasStuck || model.wasTwice || !model.isDown {
        model.violation = "K1 held once too often"
      }
      model.wasHeld = true
    }
    if gestures != expected { model.violation = "K1 \(timer) gave \(gestures), expected \(expected)" }
    if stuck > 0 {
      if model.wasStuck || !model.isDown || timer != .stuck(Self.line) { model.violation = "K4 stuck was logged again" }
      model.wasStuck = true
    }
    checkTimers(&model)
  }

  private func checkTimers(_ model: inout ButtonModel) {
    let isArmed = model.timers.contains(.held(Self.line)) || model.timers.contains(.stuck(Self.line))
    if isArmed && !model.isDown { model.violation = "a timer of a press outlives it" }
    if model.timers.contains(.held(Self.line)) && model.wasStuck { model.violation = "K4 a stuck button repeats" }
    // After a sleep in which the contact opened, the timer is set again once that turns out to be bounce.
    let isAwake = model.isDown && !(model.isMoving && model.brain.lines[0].gestures?.isInterrupted == true)
    if isAwake && model.button == .play && !model.wasHeld && !model.wasStuck && !model.wasTwice
      && !model.timers.contains(.held(Self.line))
    {
      model.violation = "K3 no timer waits for the long press"
    }
    if isAwake && !model.wasStuck && !model.timers.contains(.stuck(Self.line)) {
      model.violation = "K4 no timer watches a button that is down"
    }
    let isAwaited = model.brain.lines.secondPress != nil
    if isAwaited != model.timers.contains(.doublePress) { model.violation = "K3 waits for ever" }
  }

  private func explore(_ button: Button, _ settings: Settings) -> (states: Int, transitions: Int) {
    var seen: Set<Key> = []
    var open = [model(button, isDown: false, settings), model(button, isDown: true, settings)]
    seen.formUnion(open.map(Key.init))
    var transitions = 0
    while let here = open.popLast() {
      for move in [.edge, .slept(isDown: false), .slept(isDown: true)] + here.timers.map(Move.timer) {
        var there = here
        make(move, button, on: &there)
        transitions += 1
        if let violation = there.violation {
          Issue.record("\(button): \(violation)")
          return (seen.count, transitions)
        }
        if seen.insert(Key(there)).inserted { open.append(there) }
      }
    }
    return (seen.count, transitions)
  }

  @Test("K1, K2, K3, K4: every contact sequence on every button is one gesture a press", arguments: Button.single)
  func everySequence(button: Button) {
    for action in Settings.GestureAction.allCases {
      var settings = Settings()
      settings.playHeld = action
      settings.playTwice = action
      let (states, transitions) = explore(button, settings)
      print("explored gestures of \(button.word), \(action.rawValue): \(states) states, \(transitions) transitions")
      // Fewer would mean that some contact sequences are no longer tried.
      #expect(states >= 24 && transitions >= 46)
    }
  }
}
