import Glibc
import TestSupport
import Testing

@testable import SerialConsole

@Suite struct TerminalModeTests {
  func flags(_ line: PseudoTerminal) -> [tcflag_t] {
    let settings = line.settings
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  func withTerminal(_ body: (PseudoTerminal, CInt) throws -> Void) throws {
    let line = try PseudoTerminal()
    let descriptor = open(line.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try body(line, descriptor)
  }

  @Test("keys come one by one and unseen; signals and output stay as they were")
  func raw() throws {
    try withTerminal { line, descriptor in
      let before = flags(line)
      let mode = try TerminalMode.raw(on: descriptor)
      let now = line.settings
      #expect(now.c_lflag & tcflag_t(ICANON | ECHO) == 0)
      #expect(now.c_lflag & tcflag_t(ISIG) != 0)
      #expect(now.c_oflag == before[1])
      withUnsafeBytes(of: now.c_cc) { keys in
        #expect(keys[Int(VINTR)] == 3)
        #expect(keys[Int(VSUSP)] == 0)
        #expect(keys[Int(VQUIT)] == 0)
      }
      line.type("p")
      #expect(isReady(descriptor))
      mode.restore()
    }
  }

  @Test("restoring puts everything back and forgets unread keys; a second time does nothing")
  func restoring() throws {
    try withTerminal { line, descriptor in
      let before = flags(line)
      let mode = try TerminalMode.raw(on: descriptor)
      #expect(flags(line) != before)
      line.type("q")
      #expect(isReady(descriptor))
      mode.restore()
      #expect(flags(line) == before)
      var polled = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
      #expect(poll(&polled, 1, 0) == 0)

      let next = try TerminalMode.raw(on: descriptor)
      mode.restore()
      #expect(flags(line) != before)
      next.restore()
    }
  }

  @Test("letting the mode go restores as well")
  func lettingGo() throws {
    try withTerminal { line, descriptor in
      let before = flags(line)
      do {
        let mode = try TerminalMode.raw(on: descriptor)
        withExtendedLifetime(mode) { #expect(flags(line) != before) }
      }
      #expect(flags(line) == before)
    }
  }

  @Test("what is no terminal is refused")
  func notATerminal() throws {
    let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let error = consoleError { try TerminalMode.raw(on: descriptor) }
    #expect(error?.operation == .configure)
    #expect(error?.description == "descriptor \(descriptor): configure: not a serial device or terminal")
  }
}
