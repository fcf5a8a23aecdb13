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
    var table: TOMLTable
  }

  static func ports(_ root: TOMLTable, lines: [ReadLine]) throws(FileError) -> [ReadPort] {
    guard let table = try root.table("ports") else {
      throw root.error("ports", "missing, expected at least one port")
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
    try table.allowOnly(["sense", "priority", "private", "pcm", "ceiling", "mixer", "take_back"] + senseKeys)
    let found = try table.attempt { () throws(FileError) in try self.sense(table, lines: lines) }
    let (sense, line) = found ?? (.always, nil)
    let description = try PortDescription(
      output: OutputPort(
        port: port,
        sense: sense,
        priority: table.required("priority", .integer(in: 0...100), or: 0),
        isPrivate: table.optional("private", .boolean) ?? false,
        ceiling: table.optional("ceiling", .integer(in: 0...100)) ?? 100,
        isWireless: line?.source.isWireless ?? false),
      pcm: table.required("pcm", .text, or: ""),
      mixer: table.attempt { () throws(FileError) in try self.mixer(table) } ?? nil,
      takesBack: table.optional("take_back", .boolean))
    return ReadPort(port: description, line: line.map { ReadLine(line: $0, table: table) }, table: table)
  }

  private static func mixer(_ table: TOMLTable) throws(FileError) -> MixerDescription? {
    guard let control = try table.optional("mixer", .text) else { return nil }
    return MixerDescription(card: try card(table), control: control)
  }
}
