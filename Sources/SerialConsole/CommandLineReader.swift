/// What came in from the console.
public enum ConsoleInput: Hashable, Sendable {
  /// A whole line that is not empty, without its end. What is not UTF-8 is repaired.
  case line(String)
  /// A line of more than 256 bytes ended; nothing of it was kept.
  case tooLong
}

/// Makes lines of bytes as a person or a program types them.
struct CommandLineReader {
  static let limit = 256
  private static let erasure: [UInt8] = [0x08, 0x20, 0x08]

  /// What stands on the screen of the line that is not ended yet.
  private(set) var partial: [UInt8] = []
  private var isTooLong = false
  private var lastWasReturn = false

  /// Takes one byte and appends what the terminal should show for it to `echo`. A line ends with CR, LF or CRLF.
  mutating func take(_ byte: UInt8, echo: inout [UInt8]) -> ConsoleInput? {
    let wasReturn = lastWasReturn
    lastWasReturn = byte == 0x0D
    switch byte {
    case 0x0A where wasReturn: return nil
    case 0x0A, 0x0D: return end(echo: &echo)
    case 0x08, 0x7F: erase(echo: &echo)
    case 0x00..<0x20: break
    default: keep(byte, echo: &echo)
    }
    return nil
  }

  private mutating func keep(_ byte: UInt8, echo: inout [UInt8]) {
    if partial.count == CommandLineReader.limit {
      isTooLong = true
      partial = []
    }
    guard !isTooLong else { return }
    partial.append(byte)
    echo.append(byte)
  }

  private mutating func erase(echo: inout [UInt8]) {
    guard !partial.isEmpty else { return }
    while let last = partial.popLast(), last & 0b1100_0000 == 0b1000_0000 {}
    echo += CommandLineReader.erasure
  }

  private mutating func end(echo: inout [UInt8]) -> ConsoleInput? {
    defer {
      partial = []
      isTooLong = false
    }
    echo += [0x0D, 0x0A]
    if isTooLong { return .tooLong }
    return partial.isEmpty ? nil : .line(String(decoding: partial, as: UTF8.self))
  }
}
