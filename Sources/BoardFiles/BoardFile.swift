import AudioSession
import Files
import Jukebox

/// Reads `board/NAME.toml`, the description of a board.
public enum BoardFile {
  /// Reads and checks a board file. Throws all errors in it as one. Errors that concern two tables, such as two lines of one
  /// name, are found once each table is good by itself.
  public static func read(_ path: String) throws(FileError) -> BoardDescription {
    try parse(FileAccess.read(path), file: path)
  }

  /// Checks the text of a board file; `file` is only named in errors.
  public static func parse(_ text: [UInt8], file: String) throws(FileError) -> BoardDescription {
    try TOMLTable.reading(text, file: file, rootKeys: keys) { (root) throws(FileError) in try read(root) }
  }

  /// All keys of the file other than tables.
  private static let keys = ["name", "models", "simulated", "rate", "buffer", "chip"]

  private static func read(_ root: TOMLTable) throws(FileError) -> BoardDescription {
    try root.allowOnly(keys + ["console", "lines", "readers", "knobs", "ports", "inputs"])
    let name = try root.required("name", .text, or: "")
    let models = try root.optional("models", .texts) ?? []
    let isSimulated = try root.optional("simulated", .boolean) ?? false
    let rate = try root.required("rate", .integer(in: 8_000...192_000), or: 0)
    let buffer = try root.optional("buffer", .duration(in: .milliseconds(20) ... .seconds(2))) ?? .milliseconds(300)
    let console = try console(root)
    let lines = try lines(root)
    let readers = try readers(root)
    let knobs = try knobs(root)
    let ports = try root.attempt { () throws(FileError) in try self.ports(root, lines: lines) } ?? []
    let input = try root.attempt { () throws(FileError) in try self.input(root) } ?? nil
    try root.checkFaults()
    let allLines = lines + ports.compactMap(\.line)
    try BoardChecks.check(allLines)
    try BoardChecks.check(readers, lines: allLines)
    try BoardChecks.check(knobs, lines: allLines, readers: readers)
    try BoardChecks.check(ports, lines: lines)
    try BoardChecks.checkSignals(lines, ports: ports)
    var board = BoardDescription(
      name: name, models: models, isSimulated: isSimulated, rate: rate, buffer: buffer, console: console,
      lines: allLines.map(\.line) + headsetKeys(of: ports), readers: readers.map(\.reader),
      knobs: knobs.map(\.knob), ports: ports.map(\.port), input: input)
    board.remarks = root.remarks
    return board
  }

  private static func console(_ root: TOMLTable) throws(FileError) -> BoardDescription.Console? {
    guard let table = try root.table("console") else { return nil }
    try table.allowOnly(["device", "speed"])
    let speed = TOMLShape.integer(of: BoardDescription.Console.speeds)
    return try BoardDescription.Console(
      device: table.required("device", .absolutePath, or: ""), speed: table.required("speed", speed, or: 0))
  }
}
