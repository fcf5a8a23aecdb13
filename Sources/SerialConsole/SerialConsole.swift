import AudioSession
import Board
import Files
import Glibc

/// A serial line: log out, commands in. Control thread; no call blocks. Closed when the last reference goes.
///
/// Typed text is echoed after a prompt, and a prompt follows each reply. A log line always starts at the beginning of a
/// line, even while somebody is typing; the typed text is shown again after a new prompt as soon as no log line waits.
/// So log lines stay whole for people and programs, and a slow line wastes no time on prompts that nobody could read.
public final class SerialConsole {
  /// Bytes that wait for a console that is slow or blocked; lines beyond are dropped.
  public static let queueCapacity = 65_536
  /// The line end on a raw tty.
  public static let lineEnd: [UInt8] = [0x0D, 0x0A]
  private static let prompt = Array("> ".utf8)

  /// The path of the device.
  public let device: String
  private let descriptor: SerialDescriptor
  private var queue = LineQueue(capacity: queueCapacity)
  private var reader = CommandLineReader()
  /// Whether anything was typed since a log line last took the place of the prompt; the prompt is then shown again.
  private var isAnswered = false
  /// Whether the queue ends with the prompt and the text typed so far.
  private var isPromptShown = false
  private var dropped = 0
  private var isLost = false
  private var input = [UInt8](repeating: 0, count: 512)

  private init(device: String, adopting descriptor: consuming SerialDescriptor) {
    self.device = device
    self.descriptor = descriptor
  }

  deinit {
    // The kernel may hold up closing for 30 s to drain a line that nobody takes.
    if isLost || !queue.isEmpty { tcflush(descriptor.number, TCOFLUSH) }
  }

  /// Opens a tty raw, 8N1, without flow control. Throws `open` where the device is missing or access is denied, and
  /// `configure` for a speed that termios has no constant for, for a file that is not a tty, and
  /// for a tty that refuses the settings.
  public static func open(device: String, speed: Int) throws(SerialError) -> SerialConsole {
    let descriptor = try SerialDescriptor.open(device: device, speed: speed)
    return SerialConsole(device: device, adopting: descriptor)
  }

  /// What to poll for now: input always, room for output while `wantsWrite`.
  public var pollDescriptor: PollDescriptor {
    PollDescriptor(fileDescriptor: descriptor.number, events: CShort(wantsWrite ? POLLIN | POLLOUT : POLLIN))
  }

  /// What to poll for while input is not wanted; nil: nothing. `poll` reports a hang-up even of a descriptor with no
  /// events, again and again.
  public var outputDescriptor: PollDescriptor? {
    wantsWrite ? PollDescriptor(fileDescriptor: descriptor.number, events: CShort(POLLOUT)) : nil
  }

  /// Whether `flush()` has something to send.
  public var wantsWrite: Bool { !queue.isEmpty || isPromptDue }

  /// Whether `readLines()` has something to read.
  public var hasInput: Bool {
    var polled = pollfd(fd: descriptor.number, events: CShort(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Queues `line`, which comes without its end and holds no control characters. A line that does not fit, and every
  /// line after the device was lost, is dropped whole and counted.
  public func write(line: String) {
    let end = isPromptShown ? Self.lineEnd : []
    guard !isLost, queue.append(end + Array(line.utf8) + Self.lineEnd, isLine: true) else {
      dropped += 1
      return
    }
    if isPromptShown { isAnswered = false }
    isPromptShown = false
  }

  private var isPromptDue: Bool { (isAnswered || !reader.partial.isEmpty) && !isPromptShown && !isLost }

  /// Sends as much as the device takes now. Throws `write` when the device is lost; the lines that wait count as
  /// dropped.
  public func flush() throws(SerialError) {
    while wantsWrite {
      if queue.isEmpty { isPromptShown = queue.append(Self.prompt + reader.partial, isLine: false) }
      let failure = queue.flush { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
      if let failure { throw lose(.write, code: failure) }
      if !queue.isEmpty { return }
    }
  }

  /// Waits up to a second for the device to take the rest.
  public func finish(_ clock: any BoardClock) {
    let end = clock.now + .seconds(1)
    do throws(SerialError) {
      try flush()
      while wantsWrite, LineQueue.waitForRoom(in: descriptor.number, until: end, clock) { try flush() }
    } catch {
      // Nobody is left to be told.
    }
  }

  /// Lines dropped since the last call.
  public func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Reads at most 512 bytes that wait, queues their echo, and returns the lines that ended in them; `poll` reports
  /// further input. Throws `read` when the device is lost or hung up.
  public func readLines() throws(SerialError) -> [ConsoleInput] {
    let count = read(descriptor.number, &input, input.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    guard count > 0 else { throw lose(.read, code: count < 0 ? errno : EIO) }
    var lines: [ConsoleInput] = []
    var shown: [UInt8] = []
    for byte in input[..<count] {
      let typed = reader.partial
      var echo: [UInt8] = []
      if let line = reader.take(byte, echo: &echo) { lines.append(line) }
      guard !echo.isEmpty else { continue }
      if !isPromptShown { shown += Self.prompt + typed }
      shown += echo
      isPromptShown = echo.last != 0x0A
    }
    if !shown.isEmpty {
      isAnswered = true
      // An echo that does not fit may be dropped: the prompt is shown again with all the text typed.
      if !queue.append(shown, isLine: false) { isPromptShown = false }
    }
    return lines
  }

  /// Drops what waits to be read, and what has been typed of a line.
  public func dropInput() {
    tcflush(descriptor.number, TCIFLUSH)
    if isPromptShown, !reader.partial.isEmpty {
      isPromptShown = false
      // Where it does not fit, the prompt follows what was typed.
      _ = queue.append(Self.lineEnd, isLine: false)
    }
    reader = CommandLineReader()
  }

  private func lose(_ operation: SerialError.Operation, code: CInt) -> SerialError {
    isLost = true
    dropped += queue.unsentLines
    queue.removeAll()
    return SerialError(operation, device, code: code)
  }
}
