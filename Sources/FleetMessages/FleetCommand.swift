/// What a message on a command topic asks for: a line for the firmware's control socket.
enum FleetCommand {
  struct Refusal: Error, Hashable { var message: String }

  /// The longest payload, in bytes: with its verb a line of the control socket.
  static let longestPayload = 200

  /// How a verb takes its payload.
  private enum Form {
    /// It needs none; whatever a button sends is ignored.
    case none(String)
    /// It is the rest of the console's line.
    case word(String)
    /// One of these, each with its line.
    case choice([String: String])
    /// There is nobody on this board to do it.
    case missing(String)
  }

  private static let verbs: [String: Form] = [
    "play": .none("play"), "pause": .none("pause"), "stop": .none("stop"), "next": .none("next"),
    "previous": .none("previous"), "reload": .none("reload"),
    "volume": .word("volume"), "route": .word("route"), "track": .word("track"), "playlist": .word("playlist"),
    "cue": .word("cue"),
    "page": .choice(["begin": "interrupt begin page", "end": "interrupt end page resume"]),
    "content": .missing("nothing on this board fetches content"),
    "update": .missing("nothing on this board fetches updates"),
  ]

  /// The console's line. Throws why there is none.
  static func line(verb: String, payload: String) throws(Refusal) -> String {
    guard let form = verbs[verb] else {
      let known = verbs.keys.sorted().joined(separator: ", ")
      throw Refusal(message: "\(plain(verb)): unknown command, expected one of \(known)")
    }
    guard payload.utf8.count <= longestPayload else {
      throw Refusal(message: "\(verb): the payload is longer than \(longestPayload) bytes")
    }
    guard plain(payload) == payload else { throw Refusal(message: "\(verb): expected one line of text") }
    switch form {
    case .none(let line): return line
    case .word(let command):
      guard payload.contains(where: { $0 != " " }) else { throw Refusal(message: "\(verb): the payload is empty") }
      return "\(command) \(payload)"
    case .choice(let lines):
      guard let line = lines[payload] else {
        throw Refusal(message: "\(verb): expected \(lines.keys.sorted().joined(separator: " or "))")
      }
      return line
    case .missing(let reason): throw Refusal(message: "\(verb): \(reason)")
    }
  }

  /// Without what could end the line or is no text.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }))
  }
}
