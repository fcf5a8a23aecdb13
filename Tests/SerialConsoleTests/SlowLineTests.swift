import Glibc
import TestSupport
import Testing

@testable import SerialConsole

/// A line of 9600 baud, which carries 960 bytes a second, on a clock that the test moves.
@Suite struct SlowLineTests {
  private static let bytesPerSecond = 960

  @Test("K6: at 9600 baud a flood is carried as far as it goes; the rest is dropped by whole lines and counted")
  func flood() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 9_600)
    var drained: [UInt8] = []
    var written = 0
    // A minute of fifty lines per second: six times what the line carries. If a call waited for it, the test would not
    // end.
    for _ in 0..<60 {
      for _ in 0..<50 {
        console.write(line: "\(100_000 + written) \(String(repeating: "x", count: 105))")
        written += 1
        try console.flush()
      }
      drained += line.take(atMost: Self.bytesPerSecond)
    }
    // The line was busy all the time, so that no more could have been sent.
    #expect(drained.count == 60 * Self.bytesPerSecond)
    let dropped = console.takeDropped()
    // After the flood the line carries the lines that wait.
    while console.wantsWrite || line.hasOutput {
      try console.flush()
      drained += line.take(atMost: Self.bytesPerSecond)
    }
    let lines = String(decoding: drained, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count == 112 && $0.hasSuffix("x") })
    #expect(lines.count + dropped == written)
    #expect(dropped > written / 2)
    let numbers = lines.compactMap { Int($0.prefix(6)) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == lines.count)
  }
}
