import AudioSession
import Files
import Jukebox

/// Reads `board/NAME.toml`, the description of a board.
public enum BoardFile {
  /// Reads and checks a board file. Throws the first error in it.
  public static func read(_ path: String) throws(FileError) -> BoardDescription {
    try parse(FileAccess.read(path), file: path)
  }

  /// Checks the text of a board file; `file` is only named in errors.
  public static func parse(_ text: [UInt8], file: String) throws(FileError) -> BoardDescription {
    let root = try TOMLTable(parsing: text, file: file)
    try root.allowOnly([
      "name", "models", "simulated", "rate", "buffer", "chip", "console", "lines", "ports", "inputs",
    ])
    let name = try root.required("name", .text)
    let models = try root.optional("models", .texts) ?? []
    let isSimulated = try root.optional("simulated", .boolean) ?? false
    let rate = try root.required("rate", .integer(in: 8_000...192_000))
    let buffer = try root.optional("buffer", .duration(in: .milliseconds(20) ... .seconds(2))) ?? .milliseconds(300)
    let console = try console(root)
    let lines = try lines(root)
    let ports = try ports(root, lines: lines)
    let input = try input(root)
    let allLines = lines + ports.compactMap(\.line)
    try BoardChecks.check(allLines)
    try BoardChecks.check(ports, lines: lines)
    return BoardDescription(
      name: name, models: models, isSimulated: isSimulated, rate: rate, buffer: buffer, console: console,
      lines: allLines.map(\.line),
      ports: ports.map(\.port), input: input)
  }

  private static func console(_ root: TOMLTable) throws(FileError) -> BoardDescription.Console? {
    guard let table = try root.table("console") else { return nil }
    try table.allowOnly(["device", "speed"])
    let speed = TOMLShape.integer(of: BoardDescription.Console.speeds)
    return try BoardDescription.Console(
      device: table.required("device", .absolutePath), speed: table.required("speed", speed))
  }
}
