import AudioSession
import BoardFiles
import Jukebox

/// Follows the contacts that the steps of a scenario move, for `ScenarioValidator`.
struct ContactTimeline {
  private struct Move {
    var step: Int
    /// When the first and the last edge come.
    var from: Instant
    var until: Instant
    /// It is part of the state at power on.
    var isAtPowerOn: Bool
    var isPress: Bool
  }

  private struct Contact {
    var debounce: Duration
    /// The level that it comes to rest at, and when.
    var level = false
    var restsAt = Instant.powerOn
    /// The last move, as long as the system may not have noticed it.
    var move: Move?
  }

  private let board: BoardDescription
  private var contacts: [String: Contact] = [:]

  init(_ board: BoardDescription) {
    self.board = board
    for line in board.lines { contacts[line.name] = Contact(debounce: line.debounce) }
  }

  /// Applies a step to its contact. Returns why it moves nothing; nil where it does.
  /// - Parameter isAtPowerOn: whether the step is part of the state at power on.
  mutating func apply(_ step: Scenario.Step, _ index: Int, isAtPowerOn: Bool) -> String? {
    switch step.action {
    case .plug(let port, let bounce): return plug(port, to: true, bounce, step, index, isAtPowerOn)
    case .unplug(let port, let bounce): return plug(port, to: false, bounce, step, index, isAtPowerOn)
    case .press(let button, let hold):
      guard let line = board.lines.first(where: { $0.role == .button(button) })?.name,
        let contact = contacts[line]
      else { return nil }
      if contact.level || contact.restsAt > step.at { return "\(line) is down already, expected it up before a press" }
      let up = step.at + hold
      move(line, to: false, Move(step: index, from: step.at, until: up, isAtPowerOn: isAtPowerOn, isPress: true))
    case .line(let name, let level):
      guard let contact = contacts[name] else { return nil }
      if contact.level == level && contact.restsAt <= step.at {
        return "\(name) is \(level ? 1 : 0) already, expected \(level ? 0 : 1)"
      }
      move(name, to: level, Move(step: index, from: step.at, until: step.at, isAtPowerOn: isAtPowerOn, isPress: false))
    case .turn, .coin, .type, .card, .console, .consoleBlocked, .microphone, .output, .outputRate, .outputCard,
      .outputVolume, .headset, .storage, .music, .power, .clock, .expect, .end, .outputOpening, .outputLink:
      break
    }
    return nil
  }

  private mutating func plug(
    _ port: Port, to level: Bool, _ bounce: Duration, _ step: Scenario.Step, _ index: Int, _ isAtPowerOn: Bool
  ) -> String? {
    guard let setup = board.ports.first(where: { $0.output.port == port }), case .line(let line) = setup.output.sense,
      let contact = contacts[line]
    else { return nil }
    if contact.level == level {
      return level
        ? "the plug of \(port.rawValue) is in already, expected `unplug` before it"
        : "the plug of \(port.rawValue) is out already, expected `plug` before it"
    }
    let rest = step.at + bounce
    move(line, to: level, Move(step: index, from: step.at, until: rest, isAtPowerOn: isAtPowerOn, isPress: false))
    return nil
  }

  private mutating func move(_ line: String, to level: Bool, _ move: Move) {
    contacts[line]?.level = level
    contacts[line]?.restsAt = move.until
    contacts[line]?.move = move
  }

  // MARK: - Power and sleep

  /// The power is cut, or the system falls asleep: all moves until now were noticed.
  mutating func stopObserving() {
    for line in contacts.keys { contacts[line]?.move = nil }
  }

  /// The system is powered on or wakes and reads its lines again: moves that are over by now were never noticed. The
  /// levels found at power on count at once, those found at waking once they have settled. Returns the presses that
  /// nothing will notice.
  mutating func resumeObserving(at now: Instant, isPowerOn: Bool) -> [ScenarioValidator.Fault] {
    var faults: [ScenarioValidator.Fault] = []
    for line in contacts.keys {
      guard var move = contacts[line]?.move else { continue }
      let isOver = move.until <= now
      move.from = max(move.from, now)
      move.until = max(move.until, now)
      contacts[line]?.move = isOver && (isPowerOn || move.isPress) ? nil : move
      guard move.isPress && isOver else { continue }
      faults.append(
        ScenarioValidator.Fault(
          step: move.step, message: "nobody sees it: \(line) is up again before there is power and the system is awake",
          isError: true))
    }
    return faults
  }

  /// Returns the moves that have no effect because the scenario ends too early.
  func faults(atEnd end: Instant, _ power: ScenarioValidator.Power) -> [ScenarioValidator.Fault] {
    contacts.compactMap { line, contact in
      guard let move = contact.move else { return nil }
      func fault(_ message: String) -> ScenarioValidator.Fault {
        ScenarioValidator.Fault(step: move.step, message: message, isError: move.isPress)
      }
      if power != .on {
        let state = power == .off ? "the power stays off" : "the system sleeps"
        return fault("nobody sees it: \(state) until the scenario ends")
      }
      let isFound = move.isAtPowerOn && move.until == .powerOn
      // A press takes effect while the button is still down, unless it is shorter than the debounce time.
      let isLong = move.isPress && move.until - move.from >= contact.debounce
      let acts = (isLong ? move.from : move.until) + contact.debounce
      guard !isFound && acts > end else { return nil }
      return fault(
        "\(line) counts at \(acts.logStamp) s, behind the end of the scenario at \(end.logStamp) s; "
          + "expected an `end` no earlier than that")
    }
  }
}
