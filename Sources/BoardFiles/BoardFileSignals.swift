import AudioSession
import Files
import Jukebox

/// Outputs of role `signal` (E rows).
extension BoardFile {
  static let signalKeys = ["while", "and", "on", "on_delay", "off_delay", "pulse", "pattern", "led"]

  static func refuseSignalKeys(_ table: TOMLTable) throws(FileError) {
    for key in signalKeys where table.has(key) {
      try table.keep(table.error(key, "expected only with role = \"signal\""))
    }
  }

  static func signal(_ table: TOMLTable) throws(FileError) -> OutputSignal {
    let pattern = try table.optional("pattern", .choice(patterns)) ?? .on
    if table.has("on") && table.has("while") { throw table.error("on", "found beside while, expected one of the two") }
    if table.has("on") {
      try refuse(["and", "on_delay", "off_delay"], beside: "on", insteadOf: "while", table)
      let pulse = try table.optional("pulse", .duration(in: .milliseconds(10) ... .seconds(3_600)))
      return try OutputSignal(
        pulse: pulse ?? .milliseconds(500), on: table.required("on", .list(of: .event)), pattern: pattern)
    }
    try refuse(["pulse"], beside: "while", insteadOf: "on", table)
    let delay = TOMLShape<Duration>.duration(in: .milliseconds(1) ... .seconds(3_600), orZero: true)
    return try OutputSignal(
      whileAny: table.required("while", .list(of: .condition)),
      alsoWhile: table.optional("and", .list(of: .condition)) ?? [],
      onDelay: table.optional("on_delay", delay) ?? .zero, offDelay: table.optional("off_delay", delay) ?? .zero,
      pattern: pattern)
  }

  private static let patterns = LampPattern.allCases.filter { $0 != .off }.map { ($0.rawValue, $0) }

  private static func refuse(
    _ keys: [String], beside key: String, insteadOf other: String, _ table: TOMLTable
  ) throws(FileError) {
    for found in keys where table.has(found) {
      try table.keep(table.error(found, "found beside \(key), expected only with \(other)"))
    }
  }

  /// A light of the kernel's LED class.
  static func ledLine(_ name: String, _ role: Line.Role, _ table: TOMLTable) throws(FileError) -> LineDescription {
    for key in ["chip", "offset", "active", "bias", "debounce", "device", "code"] where table.has(key) {
      try table.keep(table.error(key, "found beside led, expected only on a GPIO line"))
    }
    return LineDescription(name: name, role: role, source: .led(try table.required("led", .ledName)))
  }
}

extension BoardChecks {
  /// Throws where there are too many signals, or one follows a port that the board does not have.
  static func checkSignals(_ lines: [BoardFile.ReadLine], ports: [BoardFile.ReadPort]) throws(FileError) {
    let known = ports.map(\.port.output.port)
    var count = 0
    for (line, table) in lines.map({ ($0.line, $0.table) }) {
      guard case .signal(let signal) = line.role else { continue }
      count += 1
      if count > OutputSignal.most {
        throw table.error("role", "is that of \(count) lines, expected \(OutputSignal.most) at most")
      }
      for (key, conditions) in [("while", signal.whileAny), ("and", signal.alsoWhile)] {
        for case .port(let port) in conditions where !known.contains(port) {
          let names = Wording.list(known.map { "\"port:\($0.rawValue)\"" })
          throw table.error(key, "the board has no port \(port.rawValue), expected \(names)")
        }
      }
    }
  }
}

extension TOMLShape where Value == OutputSignal.Condition {
  private static let named = ["track:", "playlist:", "cue:", "port:"]

  /// What a signal follows.
  static var condition: Self {
    let words = OutputSignal.Condition.plain.map { "\"\($0.word)\"" } + named.map { "\"\($0)…\"" }
    return Self(expected: Wording.list(words)) { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      if let plain = OutputSignal.Condition.plain.first(where: { $0.word == text }) { return .good(plain.value) }
      guard let kind = named.first(where: { text.hasPrefix($0) }) else {
        return .bad("\(value.found) is unknown", line: value.line)
      }
      guard let condition = condition(kind, name: String(text.dropFirst(kind.count))) else {
        return .bad("\(value.found) names nothing", line: value.line)
      }
      return .good(condition)
    }
  }

  private static func condition(_ kind: String, name: String) -> OutputSignal.Condition? {
    if name.isEmpty { return nil }
    switch kind {
    case "track:": return name == "0" ? nil : .track(TrackName(name))
    case "playlist:": return .playlist(name)
    case "cue:": return .cue(name)
    case _: return Port(rawValue: name).map { .port($0) }
    }
  }
}

extension TOMLShape where Value == EventName {
  /// An event that the brain logs while it runs.
  static var event: Self {
    let names = EventName.allCases.filter { $0 != .logDropped && $0 != .shutdown }.map(\.rawValue)
    return Self(expected: "an event of the log such as \"track.started\"") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      if names.contains(text), let event = EventName(rawValue: text) { return .good(event) }
      let nearest = Wording.nearest(to: text, among: names).map { " (did you mean \"\($0)\"?)" }
      return .bad("\(value.found) is unknown\(nearest ?? "")", line: value.line)
    }
  }
}

extension TOMLShape where Value == String {
  /// The name of a folder in `/sys/class/leds`.
  static var ledName: Self {
    Self(expected: "the name of a folder in /sys/class/leds") { value in
      let reading = TOMLShape.text.read(value)
      guard case .good(let name) = reading, name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix(".") else {
        return reading
      }
      return .bad("found \(value.found)", line: value.line)
    }
  }
}
