import AudioSession

/// What the console replies to `help`.
public enum ConsoleHelp {
  public static var text: String { ConsoleCommand.helpText }
}

/// One line typed on the console (K7).
enum ConsoleCommand: Hashable, Sendable {
  case status
  case statusAsJSON
  case statistics
  case statisticsAsJSON
  case play
  case pause
  case stop
  case next
  case previous
  case track(TrackName)
  /// nil: all the music.
  case playlist(String?)
  case playlistStep(Int)
  case seek(Seek)
  case volume(Int)
  /// nil: `route auto`.
  case route(Port?)
  case cue(String)
  case record
  case beginInterruption(String)
  case endInterruption(String, shouldResume: Bool)
  case category(SessionCategory)
  /// nil: `content idle`.
  case content(ContentNotice?)
  case pair
  case paired
  /// nil: `unpair all`.
  case unpair(String?)
  case reload
  case help

  struct Invalid: Error, Hashable {
    var message: String
  }

  static let helpText = """
    status         what plays, where and how loud; status --json for programs
    stats          what was listened to today; stats --json for programs
    play           play, or pause what plays, as the button does
    pause          pause, and stay so whatever comes to an end
    stop           stop and return to the start of the track
    next           next track
    previous       start of this track, or the track before
    track N|NAME   one track from its start, by its number or its file's name
    playlist NAME  the music of one folder; without a name all; + and - step on
    seek TIME      another place: 1:30 or 90s from the track's start, +10s, -10s
    volume N       volume of the current port, 0 to 100
    route PORT     force the route; route auto lets the best port win again
    cue NAME       speak a cue over the music
    record         begin a recording, or end it
    interrupt begin NAME
    interrupt end NAME [resume]
                   a page or an alarm begins and ends; resume lets the music go on
    category NAME  what the music is to the session: playback, ambient, ...
    content reading | installed NAME | refused REASON | idle
                   what the lamp tells whoever brings music, settings or software
    pair           let a headset pair: one, within a minute
    paired         the headsets that are paired, and whether they are connected
    unpair NAME    forget a headset, by its name or address; unpair all
    reload         list the music again at once
    help           this list
    """

  /// Whether it says what is to be heard, as whoever stands at the kiosk does with a button.
  var isOfMusic: Bool {
    switch self {
    case .play, .pause, .stop, .next, .previous, .track, .playlist, .playlistStep, .seek: true
    case .status, .statusAsJSON, .statistics, .statisticsAsJSON, .volume, .route, .cue, .record, .beginInterruption,
      .endInterruption, .category, .content, .pair, .paired, .unpair, .reload, .help:
      false
    }
  }

  init(parsing line: String) throws(Invalid) {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard let verb = words.first else { throw Invalid(message: "empty command, try help") }
    let rest = Array(words.dropFirst())
    switch verb {
    case "status": self = try rest == ["--json"] ? .statusAsJSON : Self.alone(.status, verb, rest)
    case "stats": self = try rest == ["--json"] ? .statisticsAsJSON : Self.alone(.statistics, verb, rest)
    case "play": self = try Self.alone(.play, verb, rest)
    case "pause": self = try Self.alone(.pause, verb, rest)
    case "stop": self = try Self.alone(.stop, verb, rest)
    case "next": self = try Self.alone(.next, verb, rest)
    case "previous": self = try Self.alone(.previous, verb, rest)
    case "record": self = try Self.alone(.record, verb, rest)
    case "pair": self = try Self.alone(.pair, verb, rest)
    case "paired": self = try Self.alone(.paired, verb, rest)
    case "unpair":
      guard !rest.isEmpty else { throw Invalid(message: "unpair: expected a headset's name or address, or all") }
      self = .unpair(rest == ["all"] ? nil : rest.joined(separator: " "))
    case "reload": self = try Self.alone(.reload, verb, rest)
    case "help": self = try Self.alone(.help, verb, rest)
    case "track":
      guard !rest.isEmpty else { throw Invalid(message: "track: expected a number or a file's name") }
      self = .track(TrackName(rest.joined(separator: " ")))
    case "playlist":
      switch rest {
      case []: self = .playlist(nil)
      case ["+"]: self = .playlistStep(1)
      case ["-"]: self = .playlistStep(-1)
      default: self = .playlist(rest.joined(separator: " "))
      }
    case "seek": self = .seek(try Self.seek(rest))
    case "volume": self = .volume(try Self.volume(rest))
    case "route": self = .route(try Self.port(rest))
    case "cue":
      guard !rest.isEmpty else { throw Invalid(message: "cue: expected a name") }
      // As the file is called, which may be with blanks.
      self = .cue(rest.joined(separator: " "))
    case "interrupt": self = try Self.interruption(rest)
    case "category": self = .category(try Self.category(rest))
    case "content": self = .content(try Self.content(rest))
    default:
      let verbs =
        "status, stats, play, pause, stop, next, previous, track, playlist, seek, volume, route, cue, record, interrupt, "
        + "category, content, pair, paired, unpair, reload or help"
      throw Invalid(message: "\(verb): unknown command, expected \(verbs)")
    }
  }

  private static func alone(_ command: Self, _ verb: String, _ rest: [String]) throws(Invalid) -> Self {
    guard rest.isEmpty else { throw Invalid(message: "\(verb): expected nothing after it") }
    return command
  }

  private static func seek(_ rest: [String]) throws(Invalid) -> Seek {
    guard rest.count == 1 else { throw Invalid(message: "seek: expected one time, \(Seek.expected)") }
    guard let seek = Seek(rest[0]) else { throw Invalid(message: "seek \(rest[0]): expected \(Seek.expected)") }
    return seek
  }

  private static func volume(_ rest: [String]) throws(Invalid) -> Int {
    guard rest.count == 1 else { throw Invalid(message: "volume: expected one number from 0 to 100") }
    guard let volume = Int(rest[0]), (0...100).contains(volume), rest[0].allSatisfy(\.isWholeNumber) else {
      throw Invalid(message: "volume \(rest[0]): expected a whole number from 0 to 100")
    }
    return volume
  }

  private static func port(_ rest: [String]) throws(Invalid) -> Port? {
    guard rest.count == 1 else { throw Invalid(message: "route: expected one port, or auto") }
    if rest[0] == "auto" { return nil }
    guard let port = Port(rawValue: rest[0]) else {
      throw Invalid(message: "route \(rest[0]): expected auto or one of \(list(Port.allCases.map(\.rawValue)))")
    }
    return port
  }

  private static func interruption(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count >= 2, rest[0] == "begin" || rest[0] == "end" else {
      throw Invalid(message: "interrupt: expected begin NAME, or end NAME with or without resume")
    }
    let (edge, name) = (rest[0], rest[1])
    guard SessionClient.isName(name), !SessionClient.ownNames.contains(name) else {
      throw Invalid(
        message: "interrupt \(edge) \(name): expected small letters, digits and hyphens, but none of "
          + list(SessionClient.ownNames))
    }
    switch (edge, rest.count) {
    case ("begin", 2): return .beginInterruption(name)
    case ("end", 2): return .endInterruption(name, shouldResume: false)
    case ("end", 3) where rest[2] == "resume": return .endInterruption(name, shouldResume: true)
    default:
      throw Invalid(message: "interrupt \(edge) \(name): expected \(edge == "end" ? "resume or " : "")nothing after it")
    }
  }

  private static func category(_ rest: [String]) throws(Invalid) -> SessionCategory {
    guard rest.count == 1, let category = SessionCategory(rawValue: rest[0]) else {
      throw Invalid(message: "category: expected one of \(list(SessionCategory.allCases.map(\.rawValue)))")
    }
    return category
  }

  private static func content(_ rest: [String]) throws(Invalid) -> ContentNotice? {
    let text = rest.dropFirst().joined(separator: " ")
    switch (rest.first, text.isEmpty) {
    case ("reading", true): return .reading
    case ("installed", false): return .installed(text)
    case ("refused", false): return .refused(text)
    case ("idle", true): return nil
    default: throw Invalid(message: "content: expected reading, installed NAME, refused REASON or idle")
    }
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
