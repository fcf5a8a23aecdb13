import AudioSession
import Jukebox

extension BoardFile {
  /// A port and the table it was read from, which names the place of errors found later.
  struct ReadPort {
    var port: PortDescription
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
      ports.append(ReadPort(port: try self.port(port, table, lines: lines), table: table))
    }
    guard !ports.isEmpty else { throw table.error("is empty, expected at least one port") }
    return ports
  }

  private static func port(
    _ port: Port, _ table: TOMLTable, lines: [ReadLine]
  ) throws(FileError) -> PortDescription {
    try table.allowOnly(["sense", "line", "priority", "private", "pcm", "ceiling"])
    return try PortDescription(
      output: OutputPort(
        port: port,
        sense: sense(table, lines: lines),
        priority: table.required("priority", .integer(in: 0...100)),
        isPrivate: table.optional("private", .boolean) ?? false,
        ceiling: table.optional("ceiling", .integer(in: 0...100)) ?? 100),
      pcm: table.required("pcm", .text))
  }

  private static func sense(_ table: TOMLTable, lines: [ReadLine]) throws(FileError) -> OutputPort.Sense {
    let source: TOMLShape<Bool> = .choice([("gpio", true), ("always", false)], notBuilt: ["switch", "jack"])
    guard try table.required("sense", source) else {
      if table.has("line") {
        throw table.error("line", "found on a port that is always there, expected only with sense = \"gpio\"")
      }
      return .always
    }
    let name = try table.required("line", .text)
    let senses = lines.filter { $0.line.role == .sense }.map(\.line.name)
    if senses.contains(name) { return .line(name) }
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
