import AudioSession
import BoardFiles
import Files
import Jukebox

/// Parses the steps of the scenario language, with the names that this board has.
struct ScenarioActions {
  let board: BoardDescription

  /// The scenario's path, for errors; the paths in it are relative to its folder.
  let file: String

  private static let verbs = [
    "plug", "unplug", "press", "turn", "coin", "type", "lay", "lift", "line", "choose", "seek", "interrupt", "cue",
    "headset", "microphone", "output", "storage", "music", "route", "console", "power", "clock", "expect", "end",
  ]

  func parseAction(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let verb = try words.readWord("a step: \(Wording.list(Self.verbs))")
    switch verb {
    case "plug": return .plug(try parsePluggablePort(&words), bounce: try parseBounce(&words))
    case "unplug": return .unplug(try parsePluggablePort(&words), bounce: try parseBounce(&words))
    case "press": return try parsePress(&words)
    case "turn": return try parseTurn(&words)
    case "coin": return try parseCoin(&words)
    case "type": return try parseType(&words)
    case "lay": return try parseCard(isLaid: true, &words)
    case "lift": return try parseCard(isLaid: false, &words)
    case "line": return try parseLine(&words)
    case "choose": return try parseChoose(&words)
    case "seek": return try parseSeek(&words)
    case "route": return try parseRoute(&words)
    case "console": return try parseConsole(&words)
    case "interrupt": return try parseInterrupt(&words)
    case "cue": return try parseCue(&words)
    case "headset": return try parseHeadset(&words)
    case "microphone": return try parseMicrophone(&words)
    case "output": return try parseOutput(&words)
    case "storage": return .storage(try words.readChoice("storage", Self.storageStates))
    case "music": return try parseMusic(&words)
    case "power": return .power(try words.readChoice("power", PowerChange.allCases.map { ($0.rawValue, $0) }))
    case "clock":
      if words.skip("unset") { return .clock(nil, second: 0) }
      let day = words.readDay()
      let (time, second) = try words.readTimeOfDay()
      return .clock(time, second: second, day: day)
    case "expect": return .expect(try ScenarioExpectations(board: board).parseAll(&words))
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

  private func parsePluggablePort(_ words: inout ScenarioWords) throws(FileError) -> Port {
    let port = try words.readChoice("port", Self.portNames(board))
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

  private func parseBounce(_ words: inout ScenarioWords) throws(FileError) -> Duration {
    try parseBounce(&words, atMost: .seconds(10), "10s")
  }

  /// `[bounce TIME]`. No contact bounces for longer than `longest`, and each of its edges is simulated.
  /// - Parameter shown: that time as a scenario has it.
  func parseBounce(
    _ words: inout ScenarioWords, atMost longest: Duration, _ shown: String
  ) throws(FileError) -> Duration {
    guard words.skip("bounce") else { return .zero }
    let word = words.peek ?? ""
    let time = try words.readDuration()
    if time <= longest { return time }
    throw words.error("bounce \(Wording.quoted(word)), expected \(shown) at most")
  }

  private func parsePress(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let present = board.lines.compactMap { if case .button(let button) = $0.role { button } else { nil } }
    let kinds = (Button.single.map(\.word) + ["track", "playlist", "popular"]).filter { word in
      present.contains { $0.word == word }
    }
    let kind = try words.readChoice("button", kinds.map { ($0, $0) })
    let alike = present.filter { $0.word == kind }
    let choices = alike.compactMap { button in button.choice.map { (word: $0.name, value: button) } }
    let plain = alike.first { $0.choice == nil }
    let isPlain = plain != nil && !choices.contains { $0.word == words.peek }
    let button = isPlain ? plain : choices.isEmpty ? nil : try words.readChoice(kind, choices)
    guard let button else { throw words.error("button \(kind), expected a button of this board") }
    return .press(button, hold: words.skip("for") ? try words.readDuration() : Scenario.pressTime)
  }

  private func parseType(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let readers = board.readers.filter { $0.lift == nil }.map { ($0.name, $0.name) }
    guard var reader = readers.first?.0 else { throw words.error("type, expected a board with a reader") }
    let expected = "letters, digits and \(TypedKey.punctuation)"
    let text = try words.readWord(expected)
    if TypedKey.keys(of: text) == nil { throw words.error("type \(Wording.quoted(text)), expected \(expected)") }
    if words.skip("on") { reader = try words.readChoice("reader", readers) }
    return .type(text, reader: reader, isEnded: !words.skip("unended"))
  }

  private func parseCard(isLaid: Bool, _ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let readers = board.readers.filter { $0.lift != nil }.map { ($0.name, $0.name) }
    guard var reader = readers.first?.0 else {
      throw words.error("\(isLaid ? "lay" : "lift"), expected a board with a reader of kind \"presence\"")
    }
    var token: String?
    if isLaid {
      let expected = "letters, digits and \(TypedKey.punctuation)"
      let text = try words.readWord(expected)
      token = TypedKey.typed(text)
      if token == nil || text.isEmpty { throw words.error("lay \(Wording.quoted(text)), expected \(expected)") }
    }
    if words.skip(isLaid ? "on" : "from") { reader = try words.readChoice("reader", readers) }
    return .card(token, reader: reader)
  }

  private func parseChoose(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let kind = try words.readChoice("choose", [("track", "track"), ("playlist", "playlist")])
    let name = try words.readWord("a \(kind)'s number or name")
    if name.isEmpty { throw words.error("choose \(kind) \"\", expected a \(kind)'s number or name") }
    return .console("\(kind) \(name)")
  }

  private func parseSeek(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let place = try words.readWord(Seek.expected)
    if Seek(place) == nil { throw words.error("seek \(Wording.quoted(place)), expected \(Seek.expected)") }
    return .console("seek \(place)")
  }

  private func parseLine(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let inputs = board.lines.filter { !$0.isOutput }.map { ($0.name, $0.name) }
    if let word = words.peek, board.lines.contains(where: { $0.name == word && $0.isOutput }) {
      throw words.error("line \(word) is an output, expected \(Wording.list(inputs.map(\.0)))")
    }
    let name = try words.readChoice("line", inputs)
    return .line(name, asserted: try words.readChoice("level", [("0", false), ("1", true)]))
  }

  private func parseRoute(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let ports = Self.portNames(board).map { ($0.word, $0.value.rawValue) }
    return .console("route \(try words.readChoice("route", ports + [("auto", "auto")]))")
  }

  private func parseConsole(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    if words.skip("blocked") { return .consoleBlocked(true) }
    if words.skip("free") { return .consoleBlocked(false) }
    return .console(try words.readWord("a command in quotes, as typed, or blocked or free"))
  }
}

/// Parses interruptions, cues, the microphone and faults.
extension ScenarioActions {
  private static let storageStates: [(word: String, value: StorageState)] = [
    ("full", .full), ("read-only", .readOnly), ("restore", .good),
  ]

  private func parseInterrupt(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let begins = try words.readChoice("interrupt", [("begin", true), ("end", false)])
    let text = try words.readWord("an interrupter's name, such as page")
    guard let name = ClientName(text) else {
      throw words.error(
        "interrupter \(Wording.quoted(text)), expected 1 to 31 lower-case letters, digits and hyphens")
    }
    if ClientName.own.contains(name) {
      throw words.error(
        "interrupter \(Wording.quoted(text)), expected another than \(Wording.list(ClientName.own.map(\.text)))")
    }
    if begins { return .console("interrupt begin \(name)") }
    return .console("interrupt end \(name)\(words.skip("resume") ? " resume" : "")")
  }

  private func parseCue(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let name = try words.readWord("a cue's name, such as welcome")
    if name.isEmpty { throw words.error("cue \"\", expected a cue's name, such as welcome") }
    return .console("cue \(name)")
  }

  private func parseHeadset(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let expected = "a Bluetooth address such as 00:1A:7D:DA:71:13"
    let word = try words.readWord(expected)
    guard let address = BluetoothAddress(word) else {
      throw words.error("headset \(Wording.quoted(word)), expected \(expected)")
    }
    let changes = SimulatedHeadsets.Change.allCases.map { ($0.rawValue, $0) }
    return .headset(address, try words.readChoice("headset", changes))
  }

  private func parseMicrophone(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    guard board.input != nil else { throw words.error("this board has no input that a microphone could be at") }
    let word = try words.readWord("a WAV file, or fail or restore")
    switch word {
    case "fail": return .microphone(.fail)
    case "restore": return .microphone(.restore)
    case "": throw words.error("microphone \"\", expected a WAV file, or fail or restore")
    default: return .microphone(.file(FileAccess.join(FileAccess.folder(of: file), word)))
    }
  }

  private func parseMusic(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let change = try words.readChoice("music", ["add", "remove", "gone", "back", "fails", "works"].map { ($0, $0) })
    if change == "gone" { return .music(.gone) }
    if change == "back" { return .music(.back) }
    if change == "fails" { return .music(.fails) }
    if change == "works" { return .music(.works) }
    let name = try words.readWord("a track's number or name")
    if name.isEmpty { throw words.error("music \(change) \"\", expected a track's number or name") }
    return .music(change == "add" ? .add(name) : .remove(name))
  }

  private func parseOutput(_ words: inout ScenarioWords) throws(FileError) -> Scenario.Action {
    let faults = OutputFault.allCases.map(\.rawValue)
    let word = try words.readChoice(
      "output", (faults + ["rate", "card", "opening", "stall", "recover", "volume"]).map { ($0, $0) })
    if let fault = OutputFault(rawValue: word) { return .output(fault) }
    if word == "rate" { return .outputRate(try words.readNumber("rate", in: 8_000...192_000)) }
    if ["stall", "recover", "volume"].contains(word) {
      let wireless = board.ports.filter(\.output.isWireless).map { ($0.output.port.rawValue, $0.output.port) }
      if wireless.isEmpty { throw words.error("output \(word), expected a board with a port that is reached by radio") }
      let port = try words.readChoice("port", wireless)
      if word != "volume" { return .outputLink(port, isSilent: word == "stall") }
      return .outputVolume(port, level: words.skip("none") ? nil : try words.readNumber("volume", in: 0...127))
    }
    let port = try words.readChoice("port", Self.portNames(board))
    if word == "opening" { return .outputOpening(port, try words.readDuration()) }
    return .outputCard(port, try words.readChoice("card", SimulatedCard.allCases.map { ($0.rawValue, $0) }))
  }
}

extension LineDescription {
  /// Whether the board drives it, so that a scenario cannot move it.
  fileprivate var isOutput: Bool {
    switch role {
    case .lamp, .signal, .ampMute, .coinInhibit: true
    case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay: false
    }
  }
}
