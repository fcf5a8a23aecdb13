import AudioSession
import BoardFiles
import Files
import Jukebox

/// Parses the conditions of `expect`.
struct ScenarioExpectations {
  let board: BoardDescription

  private static let words = [
    "state", "hold", "route", "volume", "track", "playlist", "duck", "prompt", "lamp", "signal", "amplifier", "silence",
    "sound",
    "event", "reply",
  ]

  func parseAll(_ words: inout ScenarioWords) throws(FileError) -> [Expectation] {
    var found: [Expectation] = []
    repeat { found.append(try parseOne(&words)) } while !words.isAtEnd
    return found
  }

  private func parseOne(_ words: inout ScenarioWords) throws(FileError) -> Expectation {
    let ports = ScenarioActions.portNames(board)
    switch try words.readWord(Wording.list(Self.words)) {
    case "state":
      return .state(try words.readChoice("state", Status.State.allCases.map { ($0.rawValue, $0) }))
    case "hold":
      let holds: [(word: String, value: HoldName?)] = HoldName.allCases.map { ($0.rawValue, $0) }
      return .hold(try words.readChoice("hold", holds + [("none", nil)]))
    case "route":
      let routes: [(word: String, value: Port?)] = ports.map { ($0.word, $0.value) }
      return .route(try words.readChoice("route", routes + [("none", nil)]))
    case "volume": return .volume(try words.readNumber("volume", in: 0...100))
    case "track": return .track(try words.readNumber("track", in: 1...1_000_000))
    case "playlist":
      let name = try words.readWord("a playlist's name, or none")
      return .playlist(name == "none" ? nil : name)
    case "duck": return .duck(try words.readChoice("duck", [("on", true), ("off", false)]))
    case "prompt": return .prompt(try words.readChoice("prompt", [("on", true), ("off", false)]))
    case "lamp": return .lamp(try words.readChoice("lamp", LampPattern.allCases.map { ($0.rawValue, $0) }))
    case "signal": return try parseSignal(&words)
    case "amplifier": return .amplifier(isMuted: try words.readChoice("amplifier", [("muted", true), ("open", false)]))
    case "silence": return .silence(try words.readChoice("port", ports))
    case "sound": return .sound(try words.readChoice("port", ports))
    case "event": return try parseEvent(&words)
    case "reply":
      let fields = parseFields(&words)
      if fields.isEmpty { throw words.error("reply, expected KEY=VALUE of one of its lines") }
      return .reply(fields)
    case let word:
      throw words.error("unknown expectation \(Wording.quoted(word)), expected \(Wording.list(Self.words))")
    }
  }

  private func parseSignal(_ words: inout ScenarioWords) throws(FileError) -> Expectation {
    let signals = board.lines.indices.compactMap { index -> (word: String, value: LineID)? in
      guard board.lines[index].role.isShown else { return nil }
      return (board.lines[index].name, LineID(index))
    }
    if signals.isEmpty { throw words.error("signal, expected a board with a line of role signal") }
    let line = try words.readChoice("signal", signals)
    let pattern = try words.readChoice("signal", LampPattern.allCases.map { ($0.rawValue, $0) })
    return .signal(line, name: board.lines[line.index].name, pattern)
  }

  private func parseEvent(_ words: inout ScenarioWords) throws(FileError) -> Expectation {
    let word = try words.readWord("an event's name")
    guard let name = EventName(rawValue: word) else {
      let names = EventName.allCases.map(\.rawValue)
      let near = Wording.nearest(to: word, among: names).map { ", did you mean \($0)?" }
      throw words.error("unknown event \(Wording.quoted(word))\(near ?? ", expected one of " + Wording.list(names))")
    }
    return .event(name, parseFields(&words))
  }

  private func parseFields(_ words: inout ScenarioWords) -> [Event.Field] {
    var fields: [Event.Field] = []
    while let word = words.peek, let equals = word.firstIndex(of: "="), equals > word.startIndex {
      fields.append(Event.Field(key: String(word[..<equals]), value: String(word[word.index(after: equals)...])))
      _ = words.skip(word)
    }
    return fields
  }
}

extension Line.Role {
  /// Whether `signal` names it.
  fileprivate var isShown: Bool {
    switch self {
    case .signal, .coinInhibit: true
    case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay, .lamp, .ampMute: false
    }
  }
}
