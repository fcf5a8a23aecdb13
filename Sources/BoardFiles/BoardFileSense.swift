import AudioSession
import Board
import Files
import Jukebox

/// How the board knows that something is plugged into a port.
extension BoardFile {
  private enum Source: String, CaseIterable {
    case gpio, `switch`, jack, bluetooth, always

    /// The keys that go with it.
    var keys: [String] {
      switch self {
      case .gpio: ["line"]
      case .switch: ["device", "code", "debounce", "line"]
      case .jack: ["card", "control", "debounce", "line"]
      case .bluetooth: ["address", "debounce", "line"]
      case .always: []
      }
    }
  }

  static let senseKeys = ["line", "device", "code", "card", "control", "address", "debounce"]

  /// A port's sense, and its line where that is not in the board's table of lines.
  static func sense(
    _ table: TOMLTable, lines: [ReadLine]
  ) throws(FileError) -> (sense: OutputPort.Sense, line: LineDescription?) {
    let source = try table.required("sense", TOMLShape<Source>.word)
    for key in senseKeys where table.has(key) && !source.keys.contains(key) {
      if key == "card" && table.has("mixer") { continue }
      let fitting = Source.allCases.filter { $0.keys.contains(key) }.map { Wording.quoted($0.rawValue) }
      let others = key == "card" ? ["a mixer"] : []
      throw table.error(
        key,
        "found with sense = \(Wording.quoted(source.rawValue)), expected only with \(Wording.list(fitting + others))")
    }
    switch source {
    case .always: return (.always, nil)
    case .gpio: return (.line(try gpioLine(table, lines)), nil)
    case .switch:
      let device = try table.required("device", .inputDevice, or: "")
      return try line(table) { () throws(FileError) in
        try .input(device: device, code: table.required("code", .switchCode))
      }
    case .jack:
      let control = try table.required("control", .text, or: "")
      return try line(table) { () throws(FileError) in try .jack(card: card(table), control: control) }
    case .bluetooth:
      return try line(table) { () throws(FileError) in try .headset(table.optional("address", .bluetoothAddress)) }
    }
  }

  /// The source is read last, because it throws where a key of it is wrong.
  private static func line(
    _ table: TOMLTable, _ source: () throws(FileError) -> LineDescription.Source
  ) throws(FileError) -> (sense: OutputPort.Sense, line: LineDescription?) {
    let ownName = try table.optional("line", .text)
    let debounce = try debounce(table)
    let source = try source()
    let name =
      switch source {
      case .input(_, let code): code.name
      case .jack(_, let control): control
      case .headset: "bluetooth"
      case .gpio, .headsetKey, .led: ""
      }
    let line = LineDescription(name: ownName ?? name, role: .sense, source: source, debounce: debounce)
    return (.line(line.name), line)
  }

  /// The id of the port's sound card: its own key, else the one in the name of its PCM.
  static func card(_ table: TOMLTable) throws(FileError) -> String {
    if table.has("card") { return try table.required("card", .text) }
    guard let card = try cardID(in: table.required("pcm", .text)) else {
      throw table.missing("card", expected: "the id of a sound card, as pcm names none")
    }
    return card
  }

  /// `Dock` of `plughw:CARD=Dock,DEV=0` and of `hw:Dock`.
  static func cardID(in pcm: String) -> String? {
    guard let colon = pcm.firstIndex(of: ":") else { return nil }
    for (index, argument) in pcm[pcm.index(after: colon)...].split(separator: ",").enumerated() {
      if argument.hasPrefix("CARD=") { return String(argument.dropFirst(5)) }
      if index == 0 && !argument.contains("=") { return String(argument) }
    }
    return nil
  }

  private static func gpioLine(_ table: TOMLTable, _ lines: [ReadLine]) throws(FileError) -> String {
    let name = try table.required("line", .text)
    let senses = lines.filter { $0.line.role == .sense }.map(\.line.name)
    // A line of that name may be one with an error of its own.
    if senses.contains(name) || table.isFaulty { return name }
    let fault = lines.contains { $0.line.name == name } ? "is not a line of role sense" : "is not a line of this board"
    let hint =
      if let nearest = Wording.nearest(to: name, among: senses) {
        "did you mean \(Wording.quoted(nearest))?"
      } else {
        "expected \(senses.isEmpty ? "a line of role sense" : Wording.list(senses.map(Wording.quoted)))"
      }
    throw table.error("line", "\(Wording.quoted(name)) \(fault), \(hint)")
  }
}

extension TOMLShape where Value == BluetoothAddress {
  static var bluetoothAddress: Self {
    Self(expected: "a Bluetooth address such as \"00:1A:7D:DA:71:13\"") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      return BluetoothAddress(text).map { .good($0) } ?? .bad("\(value.found) is no address", line: value.line)
    }
  }
}
