import AudioSession

/// What a message on a command topic asks for.
enum FleetCommand: Hashable {
  /// A line for the firmware's control socket.
  case line(String)
  /// That the board looks for newer content and software now.
  case look

  struct Refusal: Error, Hashable { var message: String }

  /// The longest payload, in bytes: with its verb a line of the control socket.
  static let longestPayload = 200

  /// The most that are given at once.
  private static let most = 999

  /// How a verb takes its payload.
  private enum Form {
    /// It needs none; whatever a button sends is ignored.
    case none(String)
    /// It is the rest of the console's line.
    case word(String)
    /// One of these, each with its line.
    case choice([String: String])
    /// It is a number: how many more to give.
    case more(String)
    /// The board looks for content and for software at the same time; the payload is ignored.
    case look
  }

  private static let verbs: [String: Form] = [
    // From afar, play means what it says, however often it arrives.
    "play": .none("start"), "start": .none("start"), "pause": .none("pause"), "stop": .none("stop"),
    "next": .none("next"),
    "previous": .none("previous"), "reload": .none("reload"),
    "volume": .word("volume"), "route": .word("route"), "track": .word("track"), "playlist": .word("playlist"),
    "cue": .word("cue"), "token": .word("token"), "sleep": .word("sleep"),
    "hours": .choice(["open": "hours open", "closed": "hours closed", "auto": "hours auto"]),
    "page": .choice(["begin": "interrupt begin page", "end": "interrupt end page resume"]),
    "requests": .choice(["clear": "requests clear"]), "credits": .more("credits"),
    "content": .look, "update": .look,
  ]

  /// `volume/PORT` is the volume of that port.
  private static func form(of verb: String) -> Form? {
    if let form = verbs[verb] { return form }
    let parts = verb.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "volume", let port = Port(rawValue: String(parts[1])) else { return nil }
    return .word("volume \(port.rawValue)")
  }

  /// Throws why it is refused.
  init(verb: String, payload: String) throws(Refusal) {
    guard let form = Self.form(of: verb) else {
      let known = (Self.verbs.keys + ["volume/PORT"]).sorted().joined(separator: ", ")
      throw Refusal(message: "\(Self.plain(verb)): unknown command, expected one of \(known)")
    }
    guard payload.utf8.count <= Self.longestPayload else {
      throw Refusal(message: "\(verb): the payload is longer than \(Self.longestPayload) bytes")
    }
    guard Self.plain(payload) == payload else { throw Refusal(message: "\(verb): expected one line of text") }
    switch form {
    case .none(let line): self = .line(line)
    case .word(let command):
      guard payload.contains(where: { $0 != " " }) else { throw Refusal(message: "\(verb): the payload is empty") }
      self = .line("\(command) \(payload)")
    case .choice(let lines):
      guard let line = lines[payload] else {
        throw Refusal(message: "\(verb): expected \(lines.keys.sorted().joined(separator: " or "))")
      }
      self = .line(line)
    case .more(let command):
      guard let number = Int(payload), (1...Self.most).contains(number), payload == "+\(number)" else {
        throw Refusal(message: "\(verb): expected +1 to +\(Self.most)")
      }
      self = .line("\(command) \(payload)")
    case .look: self = .look
    }
  }

  /// Whether this payload is not refused before the firmware has it.
  static func takes(_ verb: String, _ payload: String) -> Bool {
    (try? FleetCommand(verb: verb, payload: payload)) != nil
  }

  /// Without what could end the line or is not text.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }))
  }
}
