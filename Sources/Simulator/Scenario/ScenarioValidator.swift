import AudioSession
import BoardFiles

/// Follows a scenario, as far as its text alone determines the state of the board, and reports steps without an effect.
public struct ScenarioValidator {
  public struct Fault: Hashable, Sendable {
    /// Index of the step.
    public var step: Int
    /// The state that the step finds, and the one that was expected.
    public var message: String
    /// Whether the step must be a mistake, such as `power on` with the power on, or a press that never counts. Other steps
    /// may be there to show that they change nothing.
    public var isError = false
  }

  /// Returns the faults in the order of the steps. A step with a fault is then treated as if it were not there.
  public static func faults(in scenario: Scenario, board: BoardDescription) -> [Fault] {
    var validator = ScenarioValidator(board)
    for (index, step) in scenario.steps.enumerated() { validator.check(step, index) }
    validator.end(scenario)
    return validator.faults.sorted { $0.step < $1.step }
  }

  enum Power { case on, asleep, off }

  let board: BoardDescription
  var faults: [Fault] = []
  /// False while steps at 0 s still set the state of the surroundings at power on.
  private var hasBooted = false
  private var power = Power.on
  private var isConsoleBlocked = false
  private var isOutputFailing = false
  private var isMicrophoneLost = false
  private var storage = StorageState.good
  private var isMusicGone = false
  private var isMusicFailing = false
  private var silentLinks: Set<Port> = []
  private var isClockUnset = false
  private var contacts: ContactTimeline
  private var laidCards: [String: String] = [:]

  private init(_ board: BoardDescription) {
    self.board = board
    contacts = ContactTimeline(board)
  }

  private mutating func check(_ step: Scenario.Step, _ index: Int) {
    if step.at > .powerOn || !step.action.changesSurroundings { hasBooted = true }
    guard let message = apply(step, index) else { return }
    var fault = Fault(step: index, message: message)
    switch step.action {
    case .power, .clock(nil, _, _): fault.isError = true
    case _: break
    }
    faults.append(fault)
  }

  /// Applies a step. Returns why it has no effect; nil where it has one.
  private mutating func apply(_ step: Scenario.Step, _ index: Int) -> String? {
    switch step.action {
    case .plug, .unplug, .press, .line:
      return contacts.apply(step, index, isAtPowerOn: !hasBooted)
    case .type: return faultWithoutPower("nobody reads it")
    case .card(let token, let reader):
      defer { laidCards[reader] = token }
      if laidCards[reader] != token { return nil }
      return token == nil ? "no card lies there, expected `lay` before it" : "this card lies there already"
    // Turned without power it is a position.
    case .turn: return nil
    case .coin: return faultWithoutPower("nobody counts it")
    case .console: return faultWithoutPower("nobody hears it")
    case .output(.underrun): return faultWithoutPower("nothing plays")
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
    case .music(let change): return self.change(change)
    case .power(let change): return self.change(to: change, at: step.at)
    case .clock(let time, _, _): return setClock(isUnset: time == nil)
    case .headset(_, .asks): return faultWithoutPower("nobody hears it")
    case .outputLink(let port, let isSilent):
      if isSilent == silentLinks.contains(port) {
        return isSilent
          ? "the link of \(port.rawValue) is silent already, expected `output recover` before it"
          : "the link of \(port.rawValue) is not silent, expected `output stall` before it"
      }
      if isSilent { silentLinks.insert(port) } else { silentLinks.remove(port) }
      return nil
    case .headset, .microphone(.file), .outputRate, .outputCard, .outputOpening, .outputVolume, .expect, .end:
      return nil
    }
  }

  private func faultWithoutPower(_ what: String) -> String? {
    switch power {
    case .on: nil
    case .asleep: "\(what): the system sleeps, expected `power wake` before it"
    case .off: "\(what): the power is off, expected `power on` before it"
    }
  }

  private mutating func turn(
    _ flag: WritableKeyPath<Self, Bool>, to value: Bool, _ faultWhenOn: String, _ faultWhenOff: String
  ) -> String? {
    if self[keyPath: flag] == value { return value ? faultWhenOn : faultWhenOff }
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

  private mutating func change(_ music: MusicChange) -> String? {
    switch music {
    case .gone, .back:
      return turn(
        \.isMusicGone, to: music == .gone, "the music is gone already, expected `music back` before it",
        "the music is there, expected `music gone` before it")
    case .fails, .works:
      return turn(
        \.isMusicFailing, to: music == .fails, "the music cannot be read already, expected `music works` before it",
        "nothing is wrong with the music, expected `music fails` before it")
    // A track has several names, which only the music knows: `SimulatedMusic` says it.
    case .remove, .add: return nil
    }
  }

  private mutating func setClock(isUnset: Bool) -> String? {
    if isUnset && isClockUnset { return "nobody has set the clock, expected `clock HH:MM` before it" }
    if isUnset && hasBooted && power != .off {
      return "a clock that is set stays so while there is power, expected it at 0 s or behind `power cut`"
    }
    isClockUnset = isUnset
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
      faults += contacts.resumeObserving(at: now, isPowerOn: change == .on)
    } else {
      contacts.stopObserving()
    }
    return nil
  }

  /// Reports the steps whose effects would come after the end of the scenario.
  private mutating func end(_ scenario: Scenario) {
    guard let end = scenario.steps.last?.at else { return }
    faults += contacts.faults(atEnd: end, power)
    for (index, step) in scenario.steps.enumerated() where step.at == end && step.action.needsTime {
      if faults.contains(where: { $0.step == index }) { continue }
      faults.append(Fault(step: index, message: "nothing happens after it, expected an `end` later than that"))
    }
  }
}

extension Scenario.Action {
  /// Whether its effect only shows in what happens after it.
  fileprivate var needsTime: Bool {
    switch self {
    case .microphone(.file), .microphone(.restore), .output(.restore), .outputCard, .outputVolume, .storage, .music,
      .clock, .consoleBlocked(true), .power(.sleep), .outputOpening, .outputLink:
      true
    case .plug, .unplug, .press, .turn, .coin, .type, .card, .line, .console, .consoleBlocked, .headset, .microphone,
      .output, .outputRate, .power, .expect, .end:
      false
    }
  }
}
