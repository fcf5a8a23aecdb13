import AudioSession
import BoardFiles
import Files
import Jukebox

/// The verbs of the scenario language, and what they may name on this board.
struct ScenarioActions {
  let board: BoardDescription

  /// As errors name it; other files are named as seen from it.
  let file: String

  private static let verbs = [
    "plug", "unplug", "press", "line", "interrupt", "cue", "microphone", "output", "storage", "route", "console",
    "power", "clock", "expect", "end",
  ]

  func action(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let verb = try words.next("a step: \(Wording.list(Self.verbs))")
    switch verb {
    case "plug": return .plug(try pluggable(&words), bounce: try bounce(&words))
    case "unplug": return .unplug(try pluggable(&words), bounce: try bounce(&words))
    case "press": return try press(&words)
    case "line": return try line(&words)
    case "route": return try route(&words)
    case "console": return try console(&words)
    case "interrupt": return try interrupt(&words)
    case "cue": return try cue(&words)
    case "microphone": return try microphone(&words)
    case "output": return try output(&words)
    case "storage": return .storage(try words.choice("storage", Self.storageStates))
    case "power": return .power(try words.choice("power", PowerChange.allCases.map { ($0.rawValue, $0) }))
    case "clock":
      let (time, second) = try words.timeOfDay()
      return .clock(time, second: second)
    case "expect": return .expect(try ScenarioExpectations(board: board).all(&words))
    case "end": return .end
    default:
      throw words.error("unknown step \(Wording.quoted(verb)), expected \(Wording.list(Self.verbs))")
    }
  }

  /// The names of ports in scenarios: the dock's port is `line-out`.
  static func portNames(_ board: BoardDescription) -> [(word: String, value: Port)] {
    let ports = board.ports.map(\.output.port)
    return ports.map { ($0.rawValue, $0) } + (ports.contains(.lineOut) ? [("dock", .lineOut)] : [])
  }

  private func pluggable(_ words: inout ScenarioWords) throws(FileError) -> Port {
    let port = try words.choice("port", Self.portNames(board))
    guard senseLine(of: port) != nil else {
      throw words.error("\(port.rawValue) is always connected on this board, expected a port with a sense line")
    }
    return port
  }

  private func senseLine(of port: Port) -> String? {
    for setup in board.ports where setup.output.port == port {
      if case .line(let name) = setup.output.sense { return name }
    }
    return nil
  }

  private func bounce(_ words: inout ScenarioWords) throws(FileError) -> Duration {
    words.skip("bounce") ? try words.duration() : .zero
  }

  private func press(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let present = Button.allCases.filter { button in board.lines.contains { $0.role == .button(button) } }
    let button = try words.choice("button", present.map { ($0.rawValue, $0) })
    return .press(button, hold: words.skip("for") ? try words.duration() : Scenario.pressTime)
  }

  private func line(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let inputs = board.lines.filter { !$0.isOutput }.map { ($0.name, $0.name) }
    if let word = words.peek, board.lines.contains(where: { $0.name == word && $0.isOutput }) {
      throw words.error("line \(word) is an output, expected \(Wording.list(inputs.map(\.0)))")
    }
    let name = try words.choice("line", inputs)
    return .line(name, asserted: try words.choice("level", [("0", false), ("1", true)]))
  }

  private func route(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let ports: [(word: String, value: Port?)] = Self.portNames(board).map { ($0.word, $0.value) }
    return .route(try words.choice("route", ports + [("auto", nil)]))
  }

  private func console(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    if words.skip("blocked") { return .consoleBlocked(true) }
    if words.skip("free") { return .consoleBlocked(false) }
    return .console(try words.next("a command in quotes, as typed, or blocked or free"))
  }
}

/// Who else wants to be heard, and what fails.
extension ScenarioActions {
  private static let storageStates: [(word: String, value: StorageState)] = [
    ("full", .full), ("read-only", .readOnly), ("restore", .good),
  ]

  private func interrupt(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let begins = try words.choice("interrupt", [("begin", true), ("end", false)])
    let name = try words.next("an interrupter's name, such as page")
    guard SessionClient.isName(name) else {
      throw words.error(
        "interrupter \(Wording.quoted(name)), expected 1 to 31 lower-case letters, digits and hyphens")
    }
    if SessionClient.ownNames.contains(name) {
      throw words.error(
        "interrupter \(Wording.quoted(name)), expected another than \(Wording.list(SessionClient.ownNames))")
    }
    return begins ? .interruptBegin(name) : .interruptEnd(name, resume: words.skip("resume"))
  }

  private func cue(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let name = try words.next("a cue's name, such as welcome")
    if name.isEmpty { throw words.error("cue \"\", expected a cue's name, such as welcome") }
    return .cue(name)
  }

  private func microphone(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    guard board.input != nil else { throw words.error("this board has no input that a microphone could be at") }
    let word = try words.next("a WAV file, or fail or restore")
    switch word {
    case "fail": return .microphone(.fail)
    case "restore": return .microphone(.restore)
    case "": throw words.error("microphone \"\", expected a WAV file, or fail or restore")
    default: return .microphone(.file(FileAccess.join(FileAccess.folder(of: file), word)))
    }
  }

  private func output(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let faults: [(word: String, value: OutputFault?)] = OutputFault.allCases.map { ($0.rawValue, $0) }
    guard let fault = try words.choice("output", faults + [("rate", nil)]) else {
      return .outputRate(try words.number("rate", in: 8_000...192_000))
    }
    return .output(fault)
  }
}

extension LineDescription {
  /// Driven by the board, which no scenario can contradict.
  fileprivate var isOutput: Bool {
    switch role {
    case .lamp, .ampMute: true
    case .sense, .button, .interrupter, .mute: false
    }
  }
}
