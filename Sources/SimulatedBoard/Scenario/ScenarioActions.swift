import AudioSession
import Board
import Jukebox

/// The verbs of the scenario language, and what they may name on this board.
struct ScenarioActions {
  let board: BoardDescription

  /// Verbs of the language whose feature is still to come.
  private static let notBuilt = [
    "interrupt": "interruptions", "cue": "cues", "microphone": "recording", "storage": "storage faults",
  ]
  private static let notBuiltButtons = ["record": "recording", "cue": "cues"]
  private static let notBuiltLines = [
    "BTN_RECORD": "recording", "BTN_CUE": "cues", "PAGE": "interruptions", "MUTE": "the mute line",
    "AMP_MUTE": "amplifier muting",
  ]
  private static let verbs = [
    "plug", "unplug", "press", "line", "output", "route", "console", "power", "expect", "end",
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
    case "output": return .output(try words.choice("output", OutputFault.allCases.map { ($0.rawValue, $0) }))
    case "power": return try words.choice("power", [("cut", .powerCut), ("on", .powerOn)])
    case "expect": return .expect(try ScenarioExpectations(board: board).all(&words))
    case "end": return .end
    default:
      if let feature = Self.notBuilt[verb] { throw words.notBuilt("step", verb, feature) }
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
    let button = try words.choice(
      "button", present.map { ($0.rawValue, $0) }, notBuilt: Self.notBuiltButtons)
    return .press(button, hold: words.skip("for") ? try words.duration() : Scenario.pressTime)
  }

  private func line(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let inputs = board.lines.filter { $0.role != .lamp }.map { ($0.name, $0.name) }
    let name = try words.choice("line", inputs, notBuilt: Self.notBuiltLines)
    return .line(name, asserted: try words.choice("level", [("0", false), ("1", true)]))
  }

  private func route(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let ports: [(word: String, value: Port?)] = Self.portNames(board).map { ($0.word, $0.value) }
    return .route(try words.choice("route", ports + [("auto", nil)]))
  }

  private func console(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    if let word = words.peek, word == "blocked" || word == "free" {
      throw words.notBuilt("console", word, "a console that blocks")
    }
    return .console(try words.next("a command in quotes, as typed"))
  }
}
