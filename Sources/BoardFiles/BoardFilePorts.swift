import AudioSession
import Board
import Files
import Jukebox

extension BoardFile {
  /// A port, and the table it was read from for errors found later.
  struct ReadPort {
    var port: PortDescription
    /// The line of its switch or jack; nil for GPIO lines, which have a table of their own, and without a sense.
    var line: ReadLine?
    /// The keys of its headset.
    var keys: [LineDescription] = []
    var table: TOMLTable
  }

  static func ports(_ root: TOMLTable, lines: [ReadLine]) throws(FileError) -> [ReadPort] {
    guard let table = try root.table("ports") else {
      throw root.missing("ports", expected: "at least one port")
    }
    try table.allowOnly(Port.allCases.map(\.rawValue))
    var ports: [ReadPort] = []
    for (name, table) in try table.tables() {
      guard let port = Port(rawValue: name) else { continue }
      if let port = try table.attempt({ () throws(FileError) in try self.port(port, table, lines: lines) }) {
        ports.append(port)
      }
    }
    guard !ports.isEmpty || table.isFaulty else { throw table.error("is empty, expected at least one port") }
    return ports
  }

  private static func port(_ port: Port, _ table: TOMLTable, lines: [ReadLine]) throws(FileError) -> ReadPort {
    try table.allowOnly(
      [
        "sense", "priority", "private", "pcm", "ceiling", "floor", "channels", "balance", "mixer", "take_back",
        "position_step", "keys",
      ] + senseKeys)
    let found = try table.attempt { () throws(FileError) in try self.sense(table, lines: lines) }
    let (sense, line) = found ?? (.always, nil)
    let ceiling = try table.optional("ceiling", .integer(in: 0...100)) ?? 100
    let description = try PortDescription(
      output: OutputPort(
        port: port,
        sense: sense,
        priority: table.required("priority", .integer(in: 0...100), or: 0),
        isPrivate: table.optional("private", .boolean) ?? false,
        ceiling: ceiling,
        floor: table.optional("floor", .integer(in: 0...ceiling)) ?? 0,
        channels: channels(table),
        isWireless: line?.source.isWireless ?? false, headset: line?.source.headset),
      pcm: table.required("pcm", .text, or: ""),
      mixer: table.attempt { () throws(FileError) in try self.mixer(table) } ?? nil,
      card: KnownCard(
        takesBack: table.optional("take_back", .boolean),
        positionStep: positionStep(table)))
    let hasKeys = try table.optional("keys", .boolean)
    let isHeadset = line?.source.isWireless ?? false
    if hasKeys != nil && !isHeadset && found != nil {
      throw table.error("keys", "found without sense = \"bluetooth\", expected only with it")
    }
    return ReadPort(
      port: description, line: line.map { ReadLine(line: $0, table: table) },
      keys: isHeadset && hasKeys ?? true ? line.map(headsetKeys) ?? [] : [], table: table)
  }

  private static func positionStep(_ table: TOMLTable) throws(FileError) -> Duration? {
    let least = Duration.milliseconds(1)
    let expected = TOMLShape.duration(in: least ... .milliseconds(100), orZero: true)
    let shape = TOMLShape(type: expected.type, expected: expected.expected) { value in
      TOMLShape.duration(in: .zero ... .milliseconds(100)).read(value)
    }
    guard let step = try table.optional("position_step", shape) else { return nil }
    if step == .zero || step >= least { return step }
    table.warn(table.error("position_step", "is shorter than 1ms, which counts"))
    return least
  }

  private static func channels(_ table: TOMLTable) throws(FileError) -> PortChannels {
    let modes = PortChannels.Mode.allCases.map { ($0.rawValue, $0) }
    return try PortChannels(
      table.optional("channels", .choice(modes)) ?? .stereo,
      balance: table.optional("balance", .integer(in: -100...100)) ?? 0)
  }

  /// The keys of all headsets. Where those of any headset count, they are not looked for at one more port.
  static func headsetKeys(of ports: [ReadPort]) -> [LineDescription] {
    ports.first { !$0.keys.isEmpty && $0.port.output.headset == nil }?.keys ?? ports.flatMap(\.keys)
  }

  /// Each key of a headset (B5) is pressed and let go by a message, so nothing bounces, and both may come in one instant.
  /// A headset that believes that nothing plays sends another code with the same key. Volume keys are left out: a headset
  /// that can turn its volume reports that in another way, and often in both.
  private static func headsetKeys(of headset: LineDescription) -> [LineDescription] {
    let keys: [(name: String, Button)] = [
      ("playcd", .play), ("pausecd", .play), ("stopcd", .stop), ("nextsong", .next), ("previoussong", .previous),
    ]
    return keys.compactMap { name, button in
      guard let code = InputCode.key(named: name) else { return nil }
      return LineDescription(
        name: "\(headset.name) \(name)", role: .button(button),
        source: .headsetKey(headset.source.headset, code: code), debounce: .zero)
    }
  }

  private static func mixer(_ table: TOMLTable) throws(FileError) -> MixerDescription? {
    guard let control = try table.optional("mixer", .text) else {
      _ = try table.optional("card", .text)
      return nil
    }
    return MixerDescription(card: try card(table), control: control)
  }
}
