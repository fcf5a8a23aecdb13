import AudioSession
import Board
import Files
import Jukebox

extension BoardFile {
  /// A line, and the table it was read from for errors found later.
  struct ReadLine {
    var line: LineDescription
    var table: TOMLTable
  }

  static func lines(_ root: TOMLTable) throws(FileError) -> [ReadLine] {
    // A chip that no line uses is not an error: the lines may all have labels of their own.
    let chip = try root.optional("chip", .text)
    var lines: [ReadLine] = []
    for (name, table) in try root.table("lines")?.tables() ?? [] {
      if var line = try table.attempt({ () throws(FileError) in try self.line(name, table, boardChip: chip) }) {
        line.manners = try table.attempt { () throws(FileError) in try manners(of: line.role, table) } ?? nil
        lines.append(ReadLine(line: line, table: table))
      }
    }
    return lines
  }

  private static func line(
    _ name: String, _ table: TOMLTable, boardChip: String?
  ) throws(FileError) -> LineDescription {
    try checkLabel(name, table)
    try table.allowOnly(
      [
        "role", "client", "track", "playlist", "popular", "cue", "released", "chip", "offset", "active", "bias",
        "debounce", "device",
        "code", "settle", "port", "back_after",
      ] + signalKeys + mannerKeys + coinKeys)
    guard let role = try table.attempt({ () throws(FileError) in try self.role(table) }) else {
      // The other keys are read for their own errors; a line of any role stands for this one.
      return try gpioLine(name, .sense, table, boardChip: boardChip)
    }
    if table.has("released") && !role.isSelector {
      try table.keep(table.error("released", "expected only with role = \"selector\""))
    }
    if !role.isSignal { try refuseSignalKeys(table) }
    try refuseSilenceKeys(table, role)
    try refuseCoinKeys(table, role)
    for key in ["settle", "port"] where table.has(key) && role != .ampMute {
      try table.keep(table.error(key, "expected only with role = \"amp-mute\""))
    }
    if table.has("led") && role.isSignal { return try ledLine(name, role, table) }
    if table.has("device") || table.has("code") { return try inputLine(name, role, table) }
    if let output = output(role) {
      for key in ["bias", "debounce"] where table.has(key) {
        try table.keep(table.error(key, "found on \(output), expected only on inputs"))
      }
    }
    return try gpioLine(name, role, table, boardChip: boardChip)
  }

  private static func gpioLine(
    _ name: String, _ role: Line.Role, _ table: TOMLTable, boardChip: String?
  ) throws(FileError) -> LineDescription {
    var line = try LineDescription(
      name: name,
      role: role,
      source: .gpio(
        fallback: table.attempt { () throws(FileError) in try fallback(table, boardChip: boardChip) } ?? nil),
      activeLow: table.optional("active", .choice([("high", false), ("low", true)])) ?? false,
      bias: table.optional("bias", .word) ?? .asIs,
      debounce: role.isCoin ? .zero : debounce(table))
    line.settle = try table.optional("settle", .duration(in: .milliseconds(1) ... .seconds(1), orZero: true)) ?? .zero
    line.serves = try table.optional("port", .word)
    return line
  }

  /// A key or switch of an input device.
  private static func inputLine(
    _ name: String, _ role: Line.Role, _ table: TOMLTable
  ) throws(FileError) -> LineDescription {
    if let output = output(role) { throw table.error("device", "found on \(output), expected only on inputs") }
    if role == .sense {
      throw table.error("device", "found on a sense, expected in the port's table, with sense = \"switch\"")
    }
    for key in ["chip", "offset", "active", "bias"] where table.has(key) {
      try table.keep(table.error(key, "found beside device, expected only on a GPIO line"))
    }
    let ownDebounce = try ownDebounce(table)
    let device = try table.required("device", .inputDevice, or: "")
    let code = try table.required("code", .keyOrSwitchCode)
    // A key is not a contact: whatever drives the device has made a press of it, however short (K1.1).
    let usual: Duration =
      switch code.kind {
      case .key: .zero
      case .switch, .axis: usualDebounce
      }
    return LineDescription(
      name: name, role: role, source: .input(device: device, code: code), debounce: ownDebounce ?? usual)
  }

  private static let usualDebounce = Duration.milliseconds(30)

  static func debounce(_ table: TOMLTable) throws(FileError) -> Duration { try ownDebounce(table) ?? usualDebounce }

  private static func ownDebounce(_ table: TOMLTable) throws(FileError) -> Duration? {
    try table.optional("debounce", .duration(in: .milliseconds(1) ... .seconds(1)))
  }

  /// What `role` says, which another key may complete.
  private enum RoleWord {
    case complete(Line.Role)
    case interrupter, track, playlist, popular, cue, selector, silence, coin, signal

    /// The key that completes it.
    var key: String? {
      switch self {
      case .complete, .silence, .coin, .signal: nil
      case .interrupter: "client"
      case .track: "track"
      case .playlist, .selector: "playlist"
      case .popular: "popular"
      case .cue: "cue"
      }
    }
  }

  private static let roles: [(word: String, value: RoleWord)] =
    [("sense", .complete(.sense)), ("lamp", .complete(.lamp))]
    + Button.single.map { ($0.word, $0 == .cue ? .cue : .complete(.button($0))) }
    + [
      ("track", .track), ("playlist", .playlist), ("popular", .popular), ("selector", .selector),
      ("page", .complete(.interrupter(.page))), ("interrupter", .interrupter),
      ("mute", .complete(.mute)), ("silence", .silence), ("amp-mute", .complete(.ampMute)), ("signal", .signal),
      ("coin", .coin), ("coin-inhibit", .complete(.coinInhibit)), ("free-play", .complete(.freePlay)),
    ]

  private static func role(_ table: TOMLTable) throws(FileError) -> Line.Role {
    let word = try table.required("role", .choice(roles))
    for (role, other) in roles {
      guard let key = other.key, key != word.key, table.has(key) else { continue }
      try table.keep(table.error(key, "expected only with role = \"\(role)\""))
    }
    switch word {
    case .complete(let role): return role
    case .interrupter: return .interrupter(try table.required("client", .interrupter))
    case .track: return .button(.choose(.track(try table.required("track", .trackName))))
    case .playlist: return .button(.choose(.playlist(try table.required("playlist", .text))))
    case .popular:
      return .button(.choose(.popular(try table.required("popular", .integer(in: Ranking.places)))))
    case .cue: return .button(try table.optional("cue", .text).map { .choose(.cue($0)) } ?? .cue)
    case .selector:
      let released = try table.optional("released", .text)
      return .selector(playlist: try table.required("playlist", .text), released: released)
    case .silence: return try silence(table)
    case .coin: return try coin(table)
    case .signal: return .signal(try signal(table))
    }
  }

  /// How an error names a line of this role if it is an output; nil for inputs.
  private static func output(_ role: Line.Role) -> String? {
    switch role {
    case .lamp: "a lamp"
    case .signal: "a signal"
    case .ampMute: "an amp-mute"
    case .coinInhibit: "a coin-inhibit"
    case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay: nil
    }
  }

  private static func fallback(_ table: TOMLTable, boardChip: String?) throws(FileError) -> ChipOffset? {
    let chip = try table.optional("chip", .text)
    guard let offset = try table.optional("offset", .integer(in: 0...511)) else {
      if chip != nil && !table.has("offset") {
        throw table.error("chip", "found without offset, expected both or none")
      }
      return nil
    }
    guard let chip = chip ?? boardChip else {
      throw table.error("offset", "found without chip, expected one beside it or at the top of the file")
    }
    return ChipOffset(chip: chip, offset: offset)
  }
}

extension Line.Role {
  fileprivate var isSelector: Bool { if case .selector = self { true } else { false } }
  var isSignal: Bool { if case .signal = self { true } else { false } }
  /// Whether several lines may do the same.
  var mayBeMany: Bool {
    switch self {
    case .sense, .signal, .coin, .coinInhibit: true
    case .button, .interrupter, .mute, .selector, .silence, .freePlay, .lamp, .ampMute: false
    }
  }
}

extension TOMLShape where Value == TrackName {
  /// A track's number, or its file's name.
  static var trackName: Self {
    .number(
      in: 1...1_000_000, TrackName.number, orText: TrackName.file,
      expected: "a whole number 1...1000000 or a file's name in quotes")
  }
}
