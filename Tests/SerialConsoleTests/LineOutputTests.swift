import AudioSession
import Board
import Glibc
import TestSupport
import Testing

@testable import SerialConsole

/// An output, and the reader at its other end.
final class OutputRoute {
  let writer: CInt
  let reader: CInt

  enum Kind: CaseIterable { case pipe, socket, terminal }

  init(_ kind: Kind) {
    var ends: [CInt] = [-1, -1]
    switch kind {
    case .pipe: pipe(&ends)
    case .socket: socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    case .terminal:
      var (near, far): (CInt, CInt) = (-1, -1)
      openpty(&near, &far, nil, nil, nil)
      ends = [near, far]
      var settings = termios()
      tcgetattr(ends[1], &settings)
      cfmakeraw(&settings)
      tcsetattr(ends[1], TCSANOW, &settings)
    }
    (reader, writer) = (ends[0], ends[1])
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(writer)
    close(reader)
  }

  func take() -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reader, &block, block.count)
      guard count > 0 else { return bytes }
      bytes += block[..<count]
    }
  }
}

@Suite struct LineOutputTests {
  /// A tenth of a second later whenever it is looked at.
  private final class SteppingClock: BoardClock, @unchecked Sendable {
    private var last = Instant.powerOn
    var now: Instant {
      last = last + .milliseconds(100)
      return last
    }
  }

  @Test(
    "K6: a reader that is stuck holds up nobody, and what it missed is counted to the line",
    arguments: OutputRoute.Kind.allCases)
  func stuck(kind: OutputRoute.Kind) {
    let route = OutputRoute(kind)
    let output = LineOutput(route.writer)
    // More than any of the outputs and the queue hold together.
    let (count, text) = (10_000, String(repeating: "x", count: 93))
    for number in 0..<count { output.write(line: "\(10_000 + number) \(text)") }
    #expect(output.pollDescriptor != nil)
    #expect(output.takeDropped() == 0)
    var bytes = route.take()
    while output.pollDescriptor != nil {
      output.flush()
      bytes += route.take()
    }
    let dropped = output.takeDropped()
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    #expect(dropped > 0)
    #expect(lines.count + dropped == count)
    #expect(lines.allSatisfy { $0.count == 99 })
    #expect(output.takeDropped() == 0)
    // Other users of the descriptor may rely on its blocking.
    #expect(fcntl(route.writer, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test("nothing is written any more to a reader that has gone")
  func gone() {
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    signal(SIGPIPE, SIG_IGN)
    let output = LineOutput(ends[1])
    close(ends[0])
    for _ in 0..<10_000 { output.write(line: "nobody reads this") }
    #expect(output.pollDescriptor == nil && output.takeDropped() == 0)
    close(ends[1])
  }

  @Test("K6: what a full disk has no room for is counted, and the log goes on when there is room again")
  func fullDisk() {
    var (written, room): ([UInt8], Int) = ([], 6)
    let output = LineOutput(STDOUT_FILENO) { bytes in
      let count = min(bytes.count, room)
      written += bytes.prefix(count)
      room -= count
      if count == 0 { errno = ENOSPC }
      return count == 0 ? -1 : count
    }
    for line in ["one", "two", "three"] { output.write(line: line) }
    #expect(output.pollDescriptor == nil)
    output.flush()
    #expect(output.takeDropped() == 0, "there is no room for what would be logged of it")
    room = 100
    output.write(line: "four")
    #expect(output.takeDropped() == 2)
    #expect(output.takeDropped() == 0)
    #expect(String(decoding: written, as: UTF8.self) == "one\ntw\nfour\n")
  }

  @Test("K6: the end waits for a reader that takes byte by byte no longer than for one that is stuck")
  func slowEnd() {
    let route = OutputRoute(.pipe)
    var (written, hasTaken) = (0, false)
    let output = LineOutput(route.writer) { _ in
      hasTaken.toggle()
      if hasTaken { written += 1 } else { errno = EAGAIN }
      return hasTaken ? 1 : -1
    }
    output.write(line: String(repeating: "x", count: 1_000))
    output.finish(SteppingClock())
    #expect(output.pollDescriptor != nil)
    #expect((3...12).contains(written))
  }

  @Test("a file is written on from where it is")
  func file() throws {
    let folder = try TemporaryFolder()
    let file = open(folder.write("log", ""), O_RDWR)
    defer { close(file) }
    write(file, "one\n", 4)
    LineOutput(file).write(line: "two")
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(pread(file, &bytes, bytes.count, 0) == 8)
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "one\ntwo\n")
  }
}
