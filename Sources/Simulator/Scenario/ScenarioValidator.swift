import AudioSession
import BoardFiles
import Jukebox

/// Follows a scenario as far as its text alone tells what each step finds, and reports those that can do nothing there.
public struct ScenarioValidator {
  public struct Fault: Hashable, Sendable {
    /// Index of the step.
    public var step: Int
    /// What it finds, and what was expected instead.
    public var message: String
    /// Whoever wrote it expects something to happen: power that is there already, a press that never counts. Any other
    /// step may stand there to show that it changes nothing.
    public var isError = false
  }

  /// In the order of the steps. A step that is objected to counts as not being there.
  public static func faults(in scenario: Scenario, board: BoardDescription) -> [Fault] {
    var course = ScenarioValidator(board)
    for (index, step) in scenario.steps.enumerated() { course.take(step, index) }
    course.end(scenario)
    return course.faults.sorted { $0.step < $1.step }
  }

  enum Power { case on, asleep, off }

  let board: BoardDescription
  var faults: [Fault] = []
  /// What happens at 0 s to the surroundings is there before it.
  private var hasBooted = false
  private var power = Power.on
  private var isConsoleBlocked = false
  private var isOutputFailing = false
  private var isMicrophoneLost = false
  private var storage = StorageState.good
  private var contacts: ContactTimeline

  private init(_ board: BoardDescription) {
    self.board = board
    contacts = ContactTimeline(board)
  }

  private mutating func take(_ step: Scenario.Step, _ index: Int) {
    if step.at > .powerOn || !step.action.isOfSurroundings { hasBooted = true }
    guard let message = objection(to: step, index) else { return }
    var fault = Fault(step: index, message: message)
    if case .power = step.action { fault.isError = true }
    faults.append(fault)
  }

  /// Why the step can do nothing; nil where it can, and then it is done.
  private mutating func objection(to step: Scenario.Step, _ index: Int) -> String? {
    switch step.action {
    case .plug, .unplug, .press, .line:
      let sight: ContactTimeline.Sight = !hasBooted ? .atPowerOn : power == .on ? .atOnce : .later
      return contacts.objection(to: step, index, sight)
    case .route, .console, .interruptBegin, .interruptEnd, .cue: return unheard("nobody hears it")
    case .output(.underrun): return unheard("nothing plays")
    case .output(let fault):
      return turn(
        \.isOutputFailing, to: fault == .fail, "the outputs fail already, expected `output restore` before it",
        "no output fails, expected `output fail` before it")
    case .microphone(.fail), .microphone(.restore):
      return turn(
        \.isMicrophoneLost, to: step.action == .microphone(.fail),
        "the microphone has failed already, expected `microphone restore` before it",
        "the microphone is there, expected `microphone fail` before it")
    case .consoleBlocked(let isBlocked):
      return turn(
        \.isConsoleBlocked, to: isBlocked, "the console is blocked already, expected `console free` before it",
        "the console is free, expected `console blocked` before it")
    case .storage(let state): return change(to: state)
    case .power(let change): return self.change(to: change, at: step.at)
    case .microphone(.file), .outputRate, .clock, .expect, .end: return nil
    }
  }

  private func unheard(_ what: String) -> String? {
    switch power {
    case .on: nil
    case .asleep: "\(what): the system sleeps, expected `power wake` before it"
    case .off: "\(what): the power is off, expected `power on` before it"
    }
  }

  private mutating func turn(
    _ flag: WritableKeyPath<Self, Bool>, to value: Bool, _ isOn: String, _ isOff: String
  ) -> String? {
    if self[keyPath: flag] == value { return value ? isOn : isOff }
    self[keyPath: flag] = value
    return nil
  }

  private mutating func change(to state: StorageState) -> String? {
    if storage == state {
      return state == .good
        ? "nothing is wrong with the storage, expected `storage full` or `storage read-only` before it"
        : "the storage is \(state.rawValue) already, expected `storage restore` before it"
    }
    storage = state
    return nil
  }

  private mutating func change(to change: PowerChange, at now: Instant) -> String? {
    switch (change, power) {
    case (.on, .on), (.on, .asleep): return "the power is on already, expected `power cut` before it"
    case (.cut, .off): return "the power is off already, expected `power on` before it"
    case (.sleep, .off): return "the power is off, expected `power on` before it"
    case (.sleep, .asleep): return "the system sleeps already, expected `power wake` before it"
    case (.wake, .on), (.wake, .off): return "the system does not sleep, expected `power sleep` before it"
    case (.cut, .on), (.cut, .asleep): power = .off
    case (.sleep, .on): power = .asleep
    case (.on, .off), (.wake, .asleep): power = .on
    }
    if power == .on {
      faults += contacts.lookAgain(at: now, isPowerOn: change == .on)
    } else {
      contacts.lookAway()
    }
    return nil
  }

  /// What is still to come when the scenario ends has done nothing.
  private mutating func end(_ scenario: Scenario) {
    guard let end = scenario.steps.last?.at else { return }
    faults += contacts.end(at: end, power)
    for (index, step) in scenario.steps.enumerated() where step.at == end && step.action.needsTime {
      if faults.contains(where: { $0.step == index }) { continue }
      faults.append(Fault(step: index, message: "nothing happens after it, expected an `end` later than that"))
    }
  }
}

extension Scenario.Action {
  /// Shows only in what happens after it.
  fileprivate var needsTime: Bool {
    switch self {
    case .microphone(.file), .microphone(.restore), .output(.restore), .storage, .clock, .consoleBlocked(true),
      .power(.sleep):
      true
    case .plug, .unplug, .press, .line, .route, .console, .consoleBlocked, .interruptBegin, .interruptEnd, .cue,
      .microphone, .output, .outputRate, .power, .expect, .end:
      false
    }
  }
}
