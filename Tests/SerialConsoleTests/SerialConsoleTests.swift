import BoardFiles
import Glibc
import TestSupport
import Testing

@testable import Files
@testable import SerialConsole

@Suite struct SerialConsoleTests {
  @Test("a device that is not there says so")
  func missingDevice() {
    let error = consoleError { try SerialConsole.open(device: "/dev/absent-console", speed: 115_200) }
    #expect(
      error
        == SerialError(
          operation: .open, device: "/dev/absent-console", code: ENOENT, message: "No such file or directory"))
    #expect(error?.description == "/dev/absent-console: open: No such file or directory")
  }

  @Test("what is no tty is refused and not left open")
  func notATTY() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("tty", "")
    let error = consoleError { try SerialConsole.open(device: path, speed: 9_600) }
    #expect(error?.operation == .configure)
    #expect(error?.code == ENOTTY)
    #expect(error?.message == "not a serial device or terminal")
    #expect(folder.openDescriptors == 0)
  }

  @Test("an unknown speed is refused with the known ones", arguments: [0, -9_600, 9_601, 4_000_001])
  func unknownSpeed(speed: Int) throws {
    let line = try PseudoTerminal()
    let error = consoleError { try SerialConsole.open(device: line.path, speed: speed) }
    #expect(error?.operation == .configure)
    #expect(error?.message.hasPrefix("speed \(speed), expected one of 300, 600, ") == true)
    #expect(error?.message.hasSuffix(", 4000000") == true)
  }

  @Test("the line is raw, 8N1, at the speed asked for", arguments: BoardDescription.Console.speeds)
  func raw(speed: Int) throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: speed)
    var settings = line.settings
    #expect(cfgetospeed(&settings) == SerialSpeed.constant(for: speed))
    #expect(cfgetispeed(&settings) == SerialSpeed.constant(for: speed))
    #expect(settings.c_cflag & tcflag_t(CSIZE | PARENB | CSTOPB) == tcflag_t(CS8))
    #expect(settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(settings.c_oflag & tcflag_t(OPOST) == 0)
    #expect(settings.c_cflag & tcflag_t(CLOCAL) != 0)
    #expect(fcntl(console.pollDescriptor.fileDescriptor, F_GETFL) & O_NONBLOCK != 0)
  }

  @Test("letting the console go closes its device")
  func closing() throws {
    let line = try PseudoTerminal()
    do {
      let console = try SerialConsole.open(device: line.path, speed: 115_200)
      console.write(line: "shutdown")
      #expect(openDescriptors(of: line.path) == 1)
    }
    #expect(openDescriptors(of: line.path) == 0)
  }

  @Test("lines go out whole, each on a line of its own")
  func output() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    #expect(!console.wantsWrite)
    #expect(console.pollDescriptor.events == CShort(POLLIN))
    console.write(line: "0.000001 info boot")
    console.write(line: "1.000000 info route.initial")
    #expect(console.wantsWrite)
    #expect(console.pollDescriptor.events == CShort(POLLIN | POLLOUT))
    try console.flush()
    #expect(!console.wantsWrite)
    #expect(line.receive(until: "initial\r\n") == "0.000001 info boot\r\n1.000000 info route.initial\r\n")
  }

  @Test("K6: a blocked console drops whole lines, counts them, and never holds up the caller")
  func blocked() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    let text = String(repeating: "x", count: 91)
    for number in 10_000..<12_000 {
      console.write(line: "\(number) \(text)")
      try console.flush()
    }
    let dropped = console.takeDropped()
    #expect(dropped > 0)
    #expect(console.takeDropped() == 0)

    let bytes = try line.receive(count: (2_000 - dropped) * 99, from: console)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 2_000 - dropped)
    #expect(lines.allSatisfy { $0.utf8.count == 97 && $0.hasSuffix(" \(text)") })
    #expect(!console.wantsWrite)
    console.write(line: "log.dropped n=\(dropped)")
    try console.flush()
    #expect(line.receive(until: "\r\n") == "log.dropped n=\(dropped)\r\n")
  }

  @Test("a line longer than the queue is dropped and counted")
  func hugeLine() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    console.write(line: String(repeating: "x", count: SerialConsole.queueCapacity - 1))
    #expect(console.takeDropped() == 1)
    #expect(!console.wantsWrite)
    console.write(line: String(repeating: "x", count: SerialConsole.queueCapacity - 2))
    #expect(console.takeDropped() == 0)
  }

  @Test("K7: commands come in whole, are echoed, and too long ones are reported")
  func input() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    #expect(try console.readLines() == [])
    line.type("volu")
    #expect(isReady(console.pollDescriptor.fileDescriptor))
    #expect(try console.readLines() == [])
    line.type("me 40\r\n")
    #expect(try console.nextLines() == [.line("volume 40")])
    line.type(String(repeating: "x", count: 300) + "\r")
    #expect(try console.nextLines() == [.tooLong])
    try console.flush()
    let echo = "> volume 40\r\n> " + String(repeating: "x", count: 256) + "\r\n> "
    #expect(line.receive(until: "x\r\n> ") == echo)
  }

  /// What the terminal shows after `steps`, everything sent and taken.
  private func shown(_ steps: (PseudoTerminal, SerialConsole) throws -> Void, until end: String) throws -> String {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    try steps(line, console)
    try console.flush()
    #expect(!console.wantsWrite)
    return line.receive(until: end)
  }

  private func type(_ text: String, _ line: PseudoTerminal, _ console: SerialConsole) throws -> [ConsoleInput] {
    line.type(text)
    #expect(isReady(console.pollDescriptor.fileDescriptor))
    return try console.readLines()
  }

  @Test("there is no prompt until somebody presses a key, and Enter is enough")
  func prompt() throws {
    let quiet = try shown({ _, console in console.write(line: "1.000000 info boot") }, until: "boot\r\n")
    #expect(quiet == "1.000000 info boot\r\n")
    let attended = try shown(
      { line, console in
        let lines = try type("\r", line, console)
        #expect(lines == [])
      }, until: "\n> ")
    #expect(attended == "> \r\n> ")
  }

  @Test("a log line has a line for itself, and what was typed comes again after it")
  func typingMeanwhile() throws {
    let shown = try shown(
      { line, console in
        _ = try type("sta", line, console)
        console.write(line: "2.000000 info track.ended")
        console.write(line: "2.000001 info queue.ended")
        try console.flush()
        let lines = try type("tus\r", line, console)
        #expect(lines == [.line("status")])
        console.write(line: "state=stopped")
      }, until: "stopped\r\n> ")
    #expect(
      shown
        == "> sta\r\n2.000000 info track.ended\r\n2.000001 info queue.ended\r\n> status\r\nstate=stopped\r\n> ")
  }

  @Test("the prompt after an answer gives way to the log, and is not shown again for nobody")
  func nobody() throws {
    let shown = try shown(
      { line, console in
        _ = try type("play\r", line, console)
        console.write(line: "state=playing")
        try console.flush()
        for number in 1...2 {
          console.write(line: "track \(number)")
          try console.flush()
        }
      }, until: "2\r\n")
    #expect(shown == "> play\r\nstate=playing\r\n> \r\ntrack 1\r\ntrack 2\r\n")
  }

  @Test("what is typed while lines wait is kept and shown after them")
  func typingInAFlood() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    _ = try type("vol", line, console)
    // More than the device takes without anybody reading.
    let text = String(repeating: "x", count: 98)
    for _ in 0..<200 { console.write(line: text) }
    try console.flush()
    #expect(try type("ume 4\u{7F}40\r", line, console) == [.line("volume 40")])
    let echo = "> vol\r\n" + String(repeating: text + "\r\n", count: 200) + "> volume 4\u{8} \u{8}40\r\n> "
    let bytes = try line.receive(count: echo.utf8.count, from: console)
    #expect(String(decoding: bytes, as: UTF8.self) == echo)
  }

  @Test("K7.6: input that is dropped leaves neither a line nor a part of one, and what follows begins at a new prompt")
  func droppedInput() throws {
    let shown = try shown(
      { line, console in
        _ = try type("sta", line, console)
        line.type("tus\rplay\r")
        console.dropInput()
        console.write(line: "2.000000 info track.ended")
        try console.flush()
        let lines = try type("stop\r", line, console)
        #expect(lines == [.line("stop")])
      }, until: "stop\r\n> ")
    #expect(shown == "> sta\r\n2.000000 info track.ended\r\n> stop\r\n> ")
  }

  @Test("K6: an unplugged console fails once as an error and from then on only counts")
  func unplugged() throws {
    let line = try PseudoTerminal()
    let console = try SerialConsole.open(device: line.path, speed: 115_200)
    console.write(line: "one")
    console.write(line: "two")
    line.hangUp()
    let written = consoleError { try console.flush() }
    #expect(written == SerialError(.write, line.path, code: EIO))
    #expect(!console.wantsWrite)
    console.write(line: "three")
    #expect(console.takeDropped() == 3)
    #expect(consoleError { try console.readLines() } == SerialError(.read, line.path, code: EIO))
  }
}
