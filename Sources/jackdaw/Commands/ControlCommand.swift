import Files
import Glibc
import Jukebox
import SerialConsole

struct ControlCommand: Command {
  static let help = CommandHelp(
    name: "ctl",
    summary: "Send a console command to the running firmware, print its reply.",
    text: """
      The same commands as on the serial console, listed below; `jackdaw ctl help`
      lists those of the running firmware. That listens at
      $RUNTIME_DIRECTORY/control, else at $XDG_RUNTIME_DIR/jackdaw/control, else at
      /run/jackdaw/control; any program may send it lines there, and reads lines
      until one is `ok` or starts with `error: `.

      `jackdaw ctl watch` prints every line of the log and every change of the state
      as JSON, until it is ended.

      Exit status: 0 obeyed, 1 refused or no firmware, 2 bad usage.
      """,
    arguments: [
      CommandHelp.Parameter(
        name: "command", expected: "a command, as status", help: "A console command, as: volume 40", repeats: true)
    ],
    section: CommandHelp.Section(title: "CONSOLE COMMANDS") {
      ConsoleHelp.text.split(separator: "\n").map { "  \($0)" }
    })

  private let words: ArraySlice<String>

  init(_ arguments: Arguments) { words = arguments.positional(from: 0) }

  func run() throws(CommandError) -> ExitStatus {
    let line = words.joined(separator: " ")
    if line.allSatisfy({ $0 == " " }) {
      throw CommandError("jackdaw: <command> is empty, expected a command, as status")
    }
    if line.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) {
      throw CommandError("jackdaw: \(Wording.quoted(line)) is more than one line, expected one command")
    }
    if line.utf8.count > ControlSocket.longestLine {
      throw CommandError("jackdaw: <command> is longer than \(ControlSocket.longestLine) bytes")
    }
    let reply = try line == ControlSocket.watchCommand ? ControlCall.send(line, Self.show) : ControlCall.send(line)
    for line in reply.lines { Terminal.printLine(Wording.oneLine(line)) }
    if let refusal = reply.refusal { throw CommandError("jackdaw: \(refusal)", status: .problem) }
    return .good
  }

  /// Returns false where it cannot be written, or nobody reads it.
  private static func show(_ line: String) -> Bool {
    Terminal.printLine(Wording.oneLine(line))
    return !Terminal.hasFailed
  }
}

/// Sends one command over the control socket and waits for the reply. Blocks, so the firmware must not call it.
enum ControlCall {
  struct Reply {
    var lines: [String] = []
    /// Why the command was not obeyed.
    var refusal: String?
  }

  /// How many seconds to wait for a reply. A firmware replies at once, but its board may be busy.
  private static let timeout = 10

  /// - Parameter watch: gets what follows the reply, until it returns false, or the firmware ends, which throws.
  static func send(_ line: String, _ watch: ((String) -> Bool)? = nil) throws(CommandError) -> Reply {
    let (descriptor, path) = try connected()
    defer { close(descriptor) }
    var reply = Reply()
    var isWatching = false
    let isTaken = try exchange(line, with: descriptor, at: path) { line in
      if isWatching, let watch { return watch(line) }
      if line.hasPrefix("error: ") { reply.refusal = String(line.dropFirst("error: ".count)) }
      if reply.refusal != nil { return false }
      if line == "ok" {
        isWatching = watch != nil
        // From now on, silence is not a failure.
        if isWatching { limitWait(of: descriptor, seconds: 0) }
        return isWatching
      }
      reply.lines.append(line)
      return true
    }
    if !isTaken {
      let what = isWatching ? "has ended" : "has ended without a reply"
      throw CommandError("jackdaw: the firmware at \(path) \(what)", status: .problem)
    }
    return reply
  }

  /// Sends a line, and passes each line that comes to `take` until that returns false. Returns false where the firmware
  /// has ended before.
  private static func exchange(
    _ line: String, with descriptor: CInt, at path: String, _ take: (String) -> Bool
  ) throws(CommandError) -> Bool {
    let bytes = Array("\(line)\n".utf8)
    // If the firmware has closed the connection meanwhile, reading the reply fails.
    _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &block, block.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        throw CommandError("jackdaw: the firmware at \(path) does not reply", status: .problem)
      }
      guard count > 0 else { return false }
      received += block[..<count]
      while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        if !take(line) { return true }
      }
    }
  }

  private static func limitWait(of descriptor: CInt, seconds: Int) {
    var wait = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &wait, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Connects to the first path where a firmware listens.
  private static func connected() throws(CommandError) -> (descriptor: CInt, path: String) {
    var refusal: CommandError?
    for path in ControlPlace.paths {
      guard let address = UnixAddress(path) else { continue }
      let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
      limitWait(of: descriptor, seconds: timeout)
      let code = address.use { connect(descriptor, $0, $1) == 0 ? 0 : errno }
      if code == 0 { return (descriptor, path) }
      close(descriptor)
      if code == EAGAIN {
        refusal = refusal ?? CommandError("jackdaw: \(path): the firmware does not reply", status: .problem)
      }
      if code == EACCES { refusal = refusal ?? CommandError(denial(path), status: .problem) }
    }
    let places = Wording.list(ControlPlace.paths)
    throw refusal
      ?? CommandError("jackdaw: no firmware listens at \(places); `jackdaw run` starts one", status: .problem)
  }

  private static func denial(_ path: String) -> String {
    let name = ProcessUser.group(of: FileAccess.folder(of: path)) ?? "jackdaw"
    return "jackdaw: \(path): permission denied, expected a member of group \(name): sudo usermod -aG \(name) USER"
  }
}
