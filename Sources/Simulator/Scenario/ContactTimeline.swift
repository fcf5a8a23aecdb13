import AudioSession
import BoardFiles
import Jukebox

/// The contacts of a scenario, as its text moves them: see `ScenarioValidator`.
struct ContactTimeline {
  /// When the system sees a move.
  enum Sight {
    /// As the state that it finds at power on.
    case atPowerOn
    case atOnce
    /// It sleeps, or has no power.
    case later
  }

  private struct Move {
    var step: Int
    /// Of the first edge and of the last.
    var from: Instant
    var until: Instant
    var sight: Sight
    var isPress: Bool
  }

  private struct Contact {
    var debounce: Duration
    /// Where it comes to rest, and when.
    var level = false
    var restsAt = Instant.powerOn
    /// The last move, as long as nobody may have seen what came of it.
    var move: Move?
  }

  private let board: BoardDescription
  private var contacts: [String: Contact] = [:]

  init(_ board: BoardDescription) {
    self.board = board
    for line in board.lines { contacts[line.name] = Contact(debounce: line.debounce) }
  }

  /// Why a step moves nothing; nil where it does, and then it is done.
  mutating func objection(to step: Scenario.Step, _ index: Int, _ sight: Sight) -> String? {
    switch step.action {
    case .plug(let port, let bounce): return plug(port, to: true, bounce, step, index, sight)
    case .unplug(let port, let bounce): return plug(port, to: false, bounce, step, index, sight)
    case .press(let button, let hold):
      guard let line = board.lines.first(where: { $0.role == .button(button) })?.name,
        let contact = contacts[line]
      else { return nil }
      if contact.level || contact.restsAt > step.at { return "\(line) is down already, expected it up before a press" }
      move(line, to: false, Move(step: index, from: step.at, until: step.at + hold, sight: sight, isPress: true))
    case .line(let name, let level):
      guard let contact = contacts[name] else { return nil }
      if contact.level == level && contact.restsAt <= step.at {
        return "\(name) is \(level ? 1 : 0) already, expected \(level ? 0 : 1)"
      }
      move(name, to: level, Move(step: index, from: step.at, until: step.at, sight: sight, isPress: false))
    case .route, .console, .consoleBlocked, .interruptBegin, .interruptEnd, .cue, .microphone, .output, .outputRate,
      .storage, .power, .clock, .expect, .end:
      break
    }
    return nil
  }

  private mutating func plug(
    _ port: Port, to level: Bool, _ bounce: Duration, _ step: Scenario.Step, _ index: Int, _ sight: Sight
  ) -> String? {
    guard let setup = board.ports.first(where: { $0.output.port == port }), case .line(let line) = setup.output.sense,
      let contact = contacts[line]
    else { return nil }
    if contact.level == level {
      return level
        ? "the plug of \(port.rawValue) is in already, expected `unplug` before it"
        : "the plug of \(port.rawValue) is out already, expected `plug` before it"
    }
    move(line, to: level, Move(step: index, from: step.at, until: step.at + bounce, sight: sight, isPress: false))
    return nil
  }

  private mutating func move(_ line: String, to level: Bool, _ move: Move) {
    contacts[line]?.level = level
    contacts[line]?.restsAt = move.until
    contacts[line]?.move = move
  }

  // MARK: - Who looks

  /// The power is cut, or the system sleeps: what has moved until now was seen, as far as it came.
  mutating func lookAway() {
    for line in contacts.keys { contacts[line]?.move = nil }
  }

  /// The system reads its lines again: what is over by now was never seen. What it finds at power on counts at once, what
  /// it finds at waking once it has rested.
  mutating func lookAgain(at now: Instant, isPowerOn: Bool) -> [ScenarioValidator.Fault] {
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

  mutating func end(at end: Instant, _ power: ScenarioValidator.Power) -> [ScenarioValidator.Fault] {
    contacts.compactMap { line, contact in
      guard let move = contact.move else { return nil }
      func fault(_ message: String) -> ScenarioValidator.Fault {
        ScenarioValidator.Fault(step: move.step, message: message, isError: move.isPress)
      }
      if power != .on {
        let state = power == .off ? "the power stays off" : "the system sleeps"
        return fault("nobody sees it: \(state) until the scenario ends")
      }
      let isFound = move.sight == .atPowerOn && move.until == .powerOn
      // A press acts while it is still down, unless it is too short for any.
      let isLong = move.isPress && move.until - move.from >= contact.debounce
      let acts = (isLong ? move.from : move.until) + contact.debounce
      guard !isFound && acts > end else { return nil }
      return fault(
        "\(line) counts at \(acts.logStamp) s, behind the end of the scenario at \(end.logStamp) s; "
          + "expected an `end` no earlier than that")
    }
  }
}
