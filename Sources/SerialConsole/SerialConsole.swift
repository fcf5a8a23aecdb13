import Board
import Glibc

/// A serial line: log out, commands in. Control thread; no call blocks. Closed when the last reference goes.
///
/// What is typed is echoed after a prompt, and a prompt follows each answer. Every line of the log has a line for itself,
/// from its start, whatever is being typed; that is shown again, after a prompt, as soon as no line waits. So neither a
/// person nor a program finds the log torn, and a slow line loses no time with prompts that nobody could read.
public final class SerialConsole {
  /// Bytes that wait for a console that is slow or blocked; lines beyond are dropped.
  public static let queueCapacity = 65_536
  /// What ends a line on a tty that is raw.
  public static let lineEnd: [UInt8] = [0x0D, 0x0A]
  private static let prompt = Array("> ".utf8)

  /// The path of the device.
  public let device: String
  private let descriptor: SerialDescriptor
  private var queue = LineQueue(capacity: queueCapacity)
  private var reader = CommandLineReader()
  /// Whether the last thing that happened here is an answer, or an empty line.
  private var isAnswered = false
  /// Whether the last that was queued is the prompt with what has been typed.
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

  /// Opens a tty raw, 8N1, without flow control. Throws `open` for a device that is not there or not allowed, and
  /// `configure` for a speed that termios has no constant for, for what is no tty, and for one that refuses.
  public static func open(device: String, speed: Int) throws(SerialConsoleError) -> SerialConsole {
    let descriptor = try SerialDescriptor.open(device: device, speed: speed)
    return SerialConsole(device: device, adopting: descriptor)
  }

  /// What to poll for now: input always, room for output while `wantsWrite`.
  public var pollDescriptor: PollDescriptor {
    PollDescriptor(fileDescriptor: descriptor.number, events: CShort(wantsWrite ? POLLIN | POLLOUT : POLLIN))
  }

  /// What to poll for while nothing is to be read; nil: nothing. A descriptor of which nothing is asked would tell of a
  /// hang-up again and again.
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

  /// Sends what the device takes now. Throws `write` when the device is lost; the lines that wait count as dropped.
  public func flush() throws(SerialConsoleError) {
    while wantsWrite {
      if queue.isEmpty { isPromptShown = queue.append(Self.prompt + reader.partial, isLine: false) }
      let failure = queue.flush { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
      if let failure { throw lose(.write, code: failure) }
      if !queue.isEmpty { return }
    }
  }

  /// Lines dropped since the last call.
  public func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Reads at most 512 bytes that wait and answers the lines that ended in them; poll tells about more. Queues the
  /// echo. Throws `read` when the device is lost or hung up.
  public func readLines() throws(SerialConsoleError) -> [ConsoleInput] {
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
      // An echo that does not fit is no loss: the prompt comes again with all that was typed.
      if !queue.append(shown, isLine: false) { isPromptShown = false }
    }
    return lines
  }

  private func lose(_ operation: SerialConsoleError.Operation, code: CInt) -> SerialConsoleError {
    isLost = true
    dropped += queue.unsentLines
    queue.removeAll()
    return SerialConsoleError(operation, device, code: code)
  }
}
