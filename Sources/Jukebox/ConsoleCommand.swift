import AudioSession

/// What the console replies to `help`, and what it takes for a command.
public enum ConsoleHelp {
  public static var text: String { ConsoleCommand.helpText }

  /// Whether a line is a command, which may still not be obeyed now.
  public static func isCommand(_ line: String) -> Bool { (try? ConsoleCommand(parsing: line)) != nil }
}

/// One line typed on the console (K7), by what it is for: whether it is use of the kiosk (K8), and whether something may
/// keep it from being obeyed (K7.4).
enum ConsoleCommand: Hashable, Sendable {
  /// It asks only: programs do that again and again (K7.5).
  case question(QuestionCommand)
  /// It says what is to be heard, as whoever stands at the kiosk does with a button; `music` wants sound.
  case music(MusicCommand), transport(TransportCommand)
  /// It wants something else that may be held.
  case sound(SoundCommand)
  case setting(SettingCommand)

  enum QuestionCommand: Hashable, Sendable {
    case status, statusAsJSON, statistics, statisticsAsJSON, paired, hours, requests, credits, help
  }

  enum MusicCommand: Hashable, Sendable {
    case play
    /// Plays; where it plays, nothing.
    case start
    case track(TrackName)
    /// nil: all the music.
    case playlist(String?)
    case playlistStep(Int)
    case popular(Int)
  }

  enum TransportCommand: Hashable, Sendable {
    case pause, stop, next, previous
    case seek(Seek)
  }

  enum SoundCommand: Hashable, Sendable {
    case cue(String)
    /// As if read by that reader; nil: by the console itself.
    case token(String, reader: String?)
    /// The card that lies on that reader is gone; nil: on the only one.
    case cardLifted(reader: String?)
    case record
    case beginInterruption(ClientName)
  }

  enum SettingCommand: Hashable, Sendable {
    /// nil: of the current port.
    case volume(VolumeChange, of: Port?)
    /// The channels of this port; nil: of the route's.
    case channels(Port?, PortChannels.Mode)
    case balance(Port?, Int)
    /// nil: `route auto`.
    case route(Port?)
    case sleep(SleepRequest)
    case endInterruption(ClientName, shouldResume: Bool)
    case category(SessionCategory)
    /// nil: `content idle`.
    case content(ContentNotice?)
    case pair
    /// nil: `unpair all`.
    case unpair(String?)
    case order(HoursOrder)
    case clearRequests
    /// By staff.
    case give(Int)
    case reload
  }

  /// Why a command is refused: it cannot be parsed, or not be obeyed now.
  struct Invalid: Error, Hashable {
    var message: String
  }

  var isQuestion: Bool { if case .question = self { true } else { false } }

  /// Music, a cue and a recording are refused while it is closed (K7.4).
  var whenClosed: WhenClosed {
    switch self {
    case .music, .sound(.cue): .refused
    case .sound(.record): .endsRecording
    case .setting(.sleep(let request)) where request != .off: .untilSilent
    case .question, .transport, .sound(.token), .sound(.cardLifted), .sound(.beginInterruption), .setting: .obeyed
    }
  }

  static let helpText = verbs.map(\.help).joined(separator: "\n")

  init(parsing line: String) throws(Invalid) {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let name = words.first else { throw Invalid(message: "empty command, try help") }
    guard let verb = Self.verbs.first(where: { $0.name == name }) else {
      let names = Self.verbs.map(\.name)
      let expected = "\(Self.list(names.dropLast())) or \(names.last ?? "")"
      throw Invalid(message: "\(name): unknown command, expected \(expected)")
    }
    self = try verb.parse(Array(words.dropFirst()))
  }

  /// A verb of the console: how it is called, what it does, and what it makes of the words after it.
  private struct Verb: Sendable {
    typealias Parse = @Sendable ([String]) throws(Invalid) -> ConsoleCommand

    var name: String
    var help: String
    var parse: Parse

    /// - Parameter usage: how it is called; several lines where one is not enough.
    init(_ usage: String, _ help: String, _ parse: @escaping Parse) {
      let column = 15
      let last = usage.split(separator: "\n").last?.count ?? 0
      let gap =
        last < column ? String(repeating: " ", count: column - last) : "\n" + String(repeating: " ", count: column)
      name = String(usage.prefix { $0 != " " && $0 != "\n" })
      self.help = usage + gap + help
      self.parse = parse
    }

    /// A verb without words after it.
    init(_ name: String, _ help: String, _ command: ConsoleCommand) {
      self.init(name, help) { (rest) throws(Invalid) in
        guard rest.isEmpty else { throw Invalid(message: "\(name): expected nothing after it") }
        return command
      }
    }

    /// One that takes `--json`.
    init(_ name: String, _ help: String, _ command: ConsoleCommand, json: ConsoleCommand) {
      let alone = Verb(name, "\(help); \(name) --json for programs", command)
      self = alone
      parse = { (rest) throws(Invalid) in rest == ["--json"] ? json : try alone.parse(rest) }
    }

    /// One that takes a name, as the file or the headset is called, which may be with blanks.
    init(
      _ usage: String, _ help: String, expected: String, _ command: @escaping @Sendable (String) -> ConsoleCommand
    ) {
      let name = usage.prefix { $0 != " " }
      self.init(usage, help) { (rest) throws(Invalid) in
        guard !rest.isEmpty else { throw Invalid(message: "\(name): expected \(expected)") }
        return command(rest.joined(separator: " "))
      }
    }
  }

  private static let verbs: [Verb] = [
    Verb("status", "what plays, where and how loud", .question(.status), json: .question(.statusAsJSON)),
    Verb("stats", "what was listened to today", .question(.statistics), json: .question(.statisticsAsJSON)),
    Verb("play", "play, or pause what plays, as the button does", .music(.play)),
    Verb("start", "play; what plays already plays on", .music(.start)),
    Verb("pause", "pause, and stay so whatever comes to an end", .transport(.pause)),
    Verb("stop", "stop and return to the start of the track", .transport(.stop)),
    Verb("next", "next track", .transport(.next)),
    Verb("previous", "start of this track, or the track before", .transport(.previous)),
    Verb(
      "track N|NAME", "one track from its start, by its number or its file's name",
      expected: "a number or a file's name"
    ) { .music(.track(TrackName($0))) },
    Verb("playlist NAME", "the music of one folder; without a name all; + and - step on", playlist),
    Verb("popular N", "the track heard most in the last 90 days, or the N-th", popular),
    Verb("seek TIME", "another place: 1:30 or 90s from the track's start, +10s, -10s", seek),
    Verb("volume N", "volume of this port, 0 to 100; +N or -N; PORT N: another's", volume),
    Verb("channels [PORT] MODE", "stereo, mono, left, right or swap, until the visit ends", channels),
    Verb("balance [PORT] N", "-100 to 100: above 0 the left side is softer, below the right", balance),
    Verb("route PORT", "force the route; route auto lets the best port win again", port),
    Verb("cue NAME", "speak a cue over the music", expected: "a name") { .sound(.cue($0)) },
    Verb("token TEXT", "as if a reader had read it; TEXT READER: that reader", token),
    Verb("record", "begin a recording, or end it", .sound(.record)),
    Verb("sleep TIME", "pause after a time such as 30min; track: behind this one; off", sleep),
    Verb(
      "interrupt begin NAME\ninterrupt end NAME [resume]",
      "a page or an alarm begins and ends; resume lets the music go on", interruption),
    Verb("category NAME", "what the music is to the session: playback, ambient, ...", category),
    Verb(
      "content reading | installed NAME | refused REASON | idle",
      "what the lamp tells whoever brings music, settings or software", content),
    Verb("pair", "let a headset pair: one, within a minute", .setting(.pair)),
    Verb("paired", "the headsets that are paired, and whether they are connected", .question(.paired)),
    Verb(
      "unpair NAME", "forget a headset, by its name or address; unpair all",
      expected: "a headset's name or address, or all"
    ) { .setting(.unpair($0 == "all" ? nil : $0)) },
    Verb("hours [open|closed|auto]", "until when it is open; open or close until the next boundary", orderOfHours),
    Verb("requests [clear]", "the tracks that wait their turn; clear takes them back", ofRequests),
    Verb("credits [+N]", "what is left of the coins; +N gives some", ofCredits),
    Verb("reload", "list the music again at once", .setting(.reload)),
    Verb("help", "this list", .question(.help)),
  ]

  private static func playlist(_ rest: [String]) -> Self {
    switch rest {
    case []: .music(.playlist(nil))
    case ["+"]: .music(.playlistStep(1))
    case ["-"]: .music(.playlistStep(-1))
    default: .music(.playlist(rest.joined(separator: " ")))
    }
  }

  private static func seek(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count == 1 else { throw Invalid(message: "seek: expected one time, \(Seek.expected)") }
    guard let seek = Seek(rest[0]) else { throw Invalid(message: "seek \(rest[0]): expected \(Seek.expected)") }
    return .transport(.seek(seek))
  }

  private static func sleep(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count == 1, let request = SleepRequest(rest[0]) else {
      throw Invalid(message: "sleep: expected \(SleepRequest.expected)")
    }
    return .setting(.sleep(request))
  }

  private static func volume(_ rest: [String]) throws(Invalid) -> Self {
    let (port, word) = try portAndValue("volume", rest, expected: VolumeChange.expected)
    guard let change = VolumeChange(word) else {
      throw Invalid(message: "volume \(rest.joined(separator: " ")): expected \(VolumeChange.expected)")
    }
    return .setting(.volume(change, of: port))
  }

  private static func token(_ rest: [String]) throws(Invalid) -> Self {
    guard let text = rest.first, rest.count <= 2 else {
      throw Invalid(message: "token: expected a token, and a reader's name or none")
    }
    if text == "lifted" { return .sound(.cardLifted(reader: rest.dropFirst().first)) }
    guard text.utf8.count <= Typing.most else {
      throw Invalid(message: "token: expected \(Typing.most) characters at most")
    }
    guard let typed = TypedKey.typed(text) else {
      throw Invalid(message: "token \(text): expected letters, digits and what else a reader types")
    }
    return .sound(.token(typed, reader: rest.dropFirst().first))
  }

  private static func channels(_ rest: [String]) throws(Invalid) -> Self {
    let (port, word) = try portAndValue("channels", rest)
    guard let mode = PortChannels.Mode(rawValue: word) else {
      let modes = PortChannels.Mode.allCases.map(\.rawValue)
      throw Invalid(message: "channels \(word): expected one of \(list(modes))")
    }
    return .setting(.channels(port, mode))
  }

  private static func balance(_ rest: [String]) throws(Invalid) -> Self {
    let (port, word) = try portAndValue("balance", rest)
    guard let balance = Int(word), (-100...100).contains(balance) else {
      throw Invalid(message: "balance \(word): expected a whole number from -100 to 100")
    }
    return .setting(.balance(port, balance))
  }

  /// What is said of a port, and of which; nil: of the current one.
  private static func portAndValue(
    _ verb: String, _ rest: [String], expected: String = "one value"
  ) throws(Invalid) -> (Port?, String) {
    guard let word = rest.last, rest.count <= 2 else {
      throw Invalid(message: "\(verb): expected \(expected), behind a port or none")
    }
    return (rest.count == 2 ? try port(rest[0], of: verb) : nil, word)
  }

  private static func port(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count == 1 else { throw Invalid(message: "route: expected one port, or auto") }
    return .setting(.route(rest[0] == "auto" ? nil : try port(rest[0], of: "route", or: "auto or ")))
  }

  private static func port(
    _ word: String, of verb: String, or other: String = ""
  ) throws(Invalid) -> Port {
    if let port = Port(rawValue: word) { return port }
    throw Invalid(message: "\(verb) \(word): expected \(other)one of \(list(Port.allCases.map(\.rawValue)))")
  }

  private static func interruption(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count >= 2, rest[0] == "begin" || rest[0] == "end" else {
      throw Invalid(message: "interrupt: expected begin NAME, or end NAME with or without resume")
    }
    let edge = rest[0]
    guard let name = ClientName(rest[1]), !ClientName.own.contains(name) else {
      throw Invalid(
        message: "interrupt \(edge) \(rest[1]): expected 1 to 31 small letters, digits and hyphens, but none of "
          + list(ClientName.own.map(\.text)))
    }
    switch (edge, rest.count) {
    case ("begin", 2): return .sound(.beginInterruption(name))
    case ("end", 2): return .setting(.endInterruption(name, shouldResume: false))
    case ("end", 3) where rest[2] == "resume": return .setting(.endInterruption(name, shouldResume: true))
    default:
      throw Invalid(message: "interrupt \(edge) \(name): expected \(edge == "end" ? "resume or " : "")nothing after it")
    }
  }

  private static func category(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count == 1, let category = SessionCategory(rawValue: rest[0]) else {
      throw Invalid(message: "category: expected one of \(list(SessionCategory.allCases.map(\.rawValue)))")
    }
    return .setting(.category(category))
  }

  private static func content(_ rest: [String]) throws(Invalid) -> Self {
    let text = rest.dropFirst().joined(separator: " ")
    switch (rest.first, text.isEmpty) {
    case ("reading", true): return .setting(.content(.reading))
    case ("installed", false): return .setting(.content(.installed(text)))
    case ("refused", false): return .setting(.content(.refused(text)))
    case ("idle", true): return .setting(.content(nil))
    default: throw Invalid(message: "content: expected reading, installed NAME, refused REASON or idle")
    }
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
