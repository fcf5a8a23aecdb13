import AudioSession
import Files

extension BoardFile {
  static func input(_ root: TOMLTable) throws(FileError) -> InputDescription? {
    guard let inputs = try root.table("inputs") else { return nil }
    let names = InputPort.allCases.map(\.rawValue)
    try inputs.allowOnly(names)
    let tables = try inputs.tables()
    guard let (name, table) = tables.first, let port = InputPort(rawValue: name) else {
      if inputs.isFaulty { return nil }
      throw inputs.error("is empty, expected \(Wording.list(names))")
    }
    if let second = tables.dropFirst().first {
      throw second.table.error("comes after \(table.path) on line \(table.line), expected one input at most")
    }
    try table.allowOnly(["pcm"])
    return InputDescription(port: port, pcm: try table.required("pcm", .text))
  }
}
