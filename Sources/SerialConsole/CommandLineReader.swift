/// Input from the console.
public enum ConsoleInput: Hashable, Sendable {
  /// A whole line that is not empty, without its end. Bytes that are not UTF-8 are replaced.
  case line(String)
  /// A line of more than 256 bytes ended; nothing of it was kept.
  case tooLong
}

/// Turns the bytes that an operator or a program types into lines, with the keys that every terminal has: backspace or
/// DEL, Ctrl-U to erase the line, Ctrl-C to cancel it. Arrows and other keys that send sequences are ignored.
package struct CommandLineReader {
  package static let limit = 256
  private static let erasure: [UInt8] = [0x08, 0x20, 0x08]
  private static let newline: [UInt8] = [0x0D, 0x0A]

  /// The place in the sequence of a special key: `ESC [ 1 ; 5 C`, `ESC O P`, `ESC x`.
  private enum Sequence { case none, escape, parameters, last }

  /// What has been typed of the line that is not ended yet.
  package private(set) var partial: [UInt8] = []
  private var isTooLong = false
  private var lastWasReturn = false
  private var sequence = Sequence.none

  package init() {}

  /// Takes one byte, and appends to `echo` what the terminal should show for it: after a line that ended or was
  /// cancelled, a line end. A line ends with CR, LF or CRLF.
  package mutating func take(_ byte: UInt8, echo: inout [UInt8]) -> ConsoleInput? {
    let wasReturn = lastWasReturn
    lastWasReturn = byte == 0x0D
    if isPartOfSequence(byte) { return nil }
    switch byte {
    case 0x0A where wasReturn: return nil
    case 0x0A, 0x0D: return end(echo: &echo)
    case 0x08, 0x7F: erase(echo: &echo)
    case 0x03: cancel(echo: &echo)
    case 0x15: eraseLine(echo: &echo)
    case 0x00..<0x20: break
    default: keep(byte, echo: &echo)
    }
    return nil
  }

  private mutating func isPartOfSequence(_ byte: UInt8) -> Bool {
    switch (sequence, byte) {
    case (_, 0x1B): sequence = .escape
    case (.none, _): return false
    case (_, 0x00..<0x20), (_, 0x7F...):
      // No sequence contains such a byte: either the ESC key itself was pressed, or the rest of a sequence was lost.
      sequence = .none
      return false
    case (.escape, UInt8(ascii: "[")): sequence = .parameters
    case (.escape, UInt8(ascii: "O")): sequence = .last
    case (.parameters, 0x20..<0x40): break
    case (.escape, _), (.parameters, _), (.last, _): sequence = .none
    }
    return true
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
    while let last = partial.popLast(), CommandLineReader.continuesCharacter(last) {}
    echo += CommandLineReader.erasure
  }

  private mutating func eraseLine(echo: inout [UInt8]) {
    // What the terminal still shows of a line that is too long is not known any more.
    if isTooLong { echo += CommandLineReader.newline }
    while !partial.isEmpty { erase(echo: &echo) }
    isTooLong = false
  }

  private mutating func cancel(echo: inout [UInt8]) {
    echo += [UInt8(ascii: "^"), UInt8(ascii: "C")] + CommandLineReader.newline
    partial = []
    isTooLong = false
  }

  private mutating func end(echo: inout [UInt8]) -> ConsoleInput? {
    defer {
      partial = []
      isTooLong = false
    }
    echo += CommandLineReader.newline
    if isTooLong { return .tooLong }
    return partial.isEmpty ? nil : .line(String(decoding: partial, as: UTF8.self))
  }

  private static func continuesCharacter(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }
}
