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
      ports.append(try self.port(port, table, lines: lines))
    }
    guard !ports.isEmpty else { throw table.error("is empty, expected at least one port") }
    return ports
  }

  private static func port(_ port: Port, _ table: TOMLTable, lines: [ReadLine]) throws(FileError) -> ReadPort {
    try table.allowOnly(["sense", "priority", "private", "pcm", "ceiling", "mixer", "take_back"] + senseKeys)
    let (sense, line) = try sense(table, lines: lines)
    let description = try PortDescription(
      output: OutputPort(
        port: port,
        sense: sense,
        priority: table.required("priority", .integer(in: 0...100)),
        isPrivate: table.optional("private", .boolean) ?? false,
        ceiling: table.optional("ceiling", .integer(in: 0...100)) ?? 100),
      pcm: table.required("pcm", .text),
      mixer: mixer(table),
      takesBack: table.optional("take_back", .boolean))
    return ReadPort(port: description, line: line.map { ReadLine(line: $0, table: table) }, table: table)
  }

  private static func mixer(_ table: TOMLTable) throws(FileError) -> MixerDescription? {
    guard let control = try table.optional("mixer", .text) else { return nil }
    return MixerDescription(card: try card(table), control: control)
  }
}
