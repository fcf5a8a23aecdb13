import Files
import Jukebox
import SerialConsole

/// Bytes from a serial line: their echo moves the cursor only to erase, and the length of a line is bounded.
enum TypedCommands {
  static func check(_ bytes: [UInt8]) throws {
    var reader = CommandLineReader()
    let board = try SimulatedKiosk.board()
    var kiosk = try SimulatedKiosk(board.configuration(settings: Settings(), cues: SimulatedKiosk.cues))
    for byte in bytes {
      var echo: [UInt8] = []
      let input = reader.take(byte, echo: &echo)
      try checkEcho(echo)
      try hold(reader.partial.count <= CommandLineReader.limit, "\(reader.partial.count) bytes are kept")
      guard case .line(let line) = input else { continue }
      try hold(!line.isEmpty && line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a line: \(Wording.oneLine(line))")
      try kiosk.obey(line)
    }
  }

  private static func checkEcho(_ echo: [UInt8]) throws {
    let rest = echo.filter { $0 < 0x20 || $0 == 0x7F }
    let isErasure = rest.allSatisfy { $0 == 0x08 }
    try hold(isErasure || rest == [0x0D, 0x0A], "what is echoed: \(echo)")
  }
}
