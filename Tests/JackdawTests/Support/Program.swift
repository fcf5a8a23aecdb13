import Files
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built program, running in a folder of its own with its state there.
final class Program {
  struct Outcome {
    /// The exit status; 128 plus the signal's number where a signal ended it.
    var status: CInt
    var output: String
    var errors: String
  }

  /// `terminal`: standard input and output are a terminal of 80 by 24.
  enum Output { case piped, closed, noReader, terminal }

  /// The limit of every wait: nothing here takes so long unless it hangs.
  private static let patience: CInt = 60_000
  /// Keeps a program that another test starts at the same time from inheriting descriptors.
  private static let spawning = Mutex(())

  /// What tells the leak sanitizer which leaks are not ours.
  private static let leakOptions = getenv("LSAN_OPTIONS").map { String(cString: $0) } ?? ""

  private let folder: TemporaryFolder
  private let name: String
  private var process = pid_t()
  private var input: CInt = -1
  private var output: CInt = -1
  private var collected: [UInt8] = []
  /// The program's side of its terminal, which would forget its flags with the last one who has it open; -1: none is open.
  private var terminal: CInt = -1
  private var lastFlags: [tcflag_t] = []

  /// - Parameters:
  ///   - wrapper: a command that starts the one that follows it.
  ///   - input: the text of standard input; nil for a pipe that `send` writes to.
  ///   - name: of the program.
  init(
    _ arguments: [String], under wrapper: [String] = [], in folder: TemporaryFolder, input text: String? = "",
    output kind: Output = .piped, named name: String = "jackdaw"
  ) throws {
    self.folder = folder
    self.name = name
    signal(SIGPIPE, SIG_IGN)
    try Self.spawning.withLock { _ in try start(arguments, under: wrapper, kind) }
    if let text {
      send(text)
      closeInput()
    }
    if kind == .closed || kind == .noReader { closeOutput() }
  }

  deinit {
    closeInput()
    closeOutput()
    closeTerminal()
    if process > 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  static func run(
    _ arguments: [String], under wrapper: [String] = [], in folder: TemporaryFolder? = nil, input: String = "",
    output: Output = .piped, named name: String = "jackdaw"
  ) throws -> Outcome {
    try Program(
      arguments, under: wrapper, in: folder ?? TemporaryFolder(), input: input, output: output, named: name
    ).end()
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(input, bytes, bytes.count)
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// The terminal's flags, as the program has set them; after `end`, as it has left them.
  var terminalFlags: [tcflag_t] {
    if terminal < 0 { return lastFlags }
    var settings = termios()
    tcgetattr(terminal, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  private func closeTerminal() {
    lastFlags = terminalFlags
    if terminal >= 0 { close(terminal) }
    terminal = -1
  }

  func signalled(_ number: CInt) { kill(process, number) }

  /// Gives its terminal another size, and tells it.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    signalled(SIGWINCH)
  }

  /// The process id.
  var id: pid_t { process }

  /// Waits until the output contains `text`.
  func wait(for text: String) throws {
    while !String(decoding: collected, as: UTF8.self).contains(text) {
      guard try readMore() else { throw Failure("the output ended without \(text)") }
    }
  }

  /// Waits until standard error contains `text`.
  func wait(forErrors text: String) throws {
    let changes = inotify_init1(CInt(IN_CLOEXEC))
    defer { close(changes) }
    inotify_add_watch(changes, "\(folder.path)/stderr", UInt32(IN_MODIFY))
    while !String(decoding: folder.read("stderr") ?? [], as: UTF8.self).contains(text) {
      var polled = pollfd(fd: changes, events: CShort(POLLIN), revents: 0)
      guard poll(&polled, 1, Self.patience) > 0 else { throw Failure("no \(text) on standard error") }
      var block = [UInt8](repeating: 0, count: 4_096)
      _ = read(changes, &block, block.count)
    }
  }

  /// Opens a named pipe for writing as soon as the program opens it for reading.
  func openForWriting(_ path: String) throws -> CInt {
    var (begin, now) = (timespec(), timespec())
    clock_gettime(CLOCK_MONOTONIC, &begin)
    repeat {
      let file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if file >= 0 { return file }
      // Nothing tells that it waits in `open`.
      sched_yield()
      clock_gettime(CLOCK_MONOTONIC, &now)
    } while now.tv_sec - begin.tv_sec < Int(Self.patience) / 1_000
    throw Failure("nobody opens \(path)")
  }

  /// Waits until it has ended by itself.
  func end() throws -> Outcome {
    if terminal >= 0 {
      // Its output ends with the last one who has the terminal open, so that what is left of it is read afterwards. Until
      // the program has ended it may wait for somebody who reads.
      var silence: CInt = 0
      while !hasEnded {
        let isReadable = isReadable(within: 20)
        if isReadable { _ = try readMore() }
        silence = isReadable ? 0 : silence + 20
        if silence > Self.patience { throw Failure("no output, and no end") }
      }
      closeTerminal()
    }
    while output >= 0, try readMore() {}
    // It may end its output, or write it elsewhere, and live on.
    var silence: CInt = 0
    while !hasEnded {
      guard silence < Self.patience else { throw Failure("no end") }
      poll(nil, 0, 20)
      silence += 20
    }
    var status: CInt = 0
    waitpid(process, &status, 0)
    process = 0
    closeInput()
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: String(decoding: collected, as: UTF8.self),
      errors: String(decoding: folder.read("stderr") ?? [], as: UTF8.self))
  }

  private var hasEnded: Bool {
    var found = siginfo_t()
    return waitid(P_PID, id_t(process), &found, WEXITED | WNOWAIT | WNOHANG) != 0 || found.si_signo != 0
  }

  /// - Parameter milliseconds: how long to wait for it.
  private func isReadable(within milliseconds: CInt) -> Bool {
    var polled = pollfd(fd: output, events: CShort(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  private func readMore() throws -> Bool {
    guard isReadable(within: Self.patience) else { throw Failure("no output, and no end") }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = read(output, &block, block.count)
    guard count > 0 else { return false }
    collected += block[..<count]
    return true
  }

  /// Pipes, each with its reading end first.
  private static func descriptors(_ kind: Output) throws -> (toProgram: [CInt], fromProgram: [CInt]) {
    var toProgram: [CInt] = [-1, -1]
    var fromProgram: [CInt] = [-1, -1]
    if kind == .terminal {
      var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
      var (near, far): (CInt, CInt) = (-1, -1)
      guard openpty(&near, &far, nil, nil, &size) == 0 else { throw Failure("no terminal") }
      toProgram = [far, near]
      fromProgram = [dup(near), dup(far)]
    } else {
      guard pipe(&toProgram) == 0, pipe(&fromProgram) == 0 else { throw Failure("no pipe") }
    }
    for descriptor in toProgram + fromProgram { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (toProgram, fromProgram)
  }

  private func start(_ arguments: [String], under wrapper: [String], _ kind: Output) throws {
    let (toProgram, fromProgram) = try Self.descriptors(kind)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toProgram[0], 0)
    if kind == .closed {
      posix_spawn_file_actions_addclose(&actions, 1)
    } else {
      posix_spawn_file_actions_adddup2(&actions, fromProgram[1], 1)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "\(folder.path)/stderr", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    // As a shell would start it: this thread blocks signals, and who runs tests in the background has SIGINT ignored.
    for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let program = FileAccess.join(FileAccess.executableFolder() ?? "", name)
    let environment = [
      "HOME=\(folder.path)", "XDG_STATE_HOME=\(folder.path)/state", "XDG_RUNTIME_DIR=\(folder.path)",
      "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "COLUMNS=80", "LSAN_OPTIONS=\(Self.leakOptions)",
    ]
    // Not every C library lets posix_spawn change the folder.
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path]
    let result = Self.withStrings(shell + wrapper + [program] + arguments) { arguments in
      Self.withStrings(environment) { posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, $0) }
    }
    if kind == .terminal { terminal = toProgram[0] } else { close(toProgram[0]) }
    close(fromProgram[1])
    input = toProgram[1]
    output = fromProgram[0]
    guard result == 0 else { throw Failure("\(program): \(String(cString: strerror(result)))") }
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an array with a nil in it is not empty") }
      return body(base)
    }
  }
}

/// Expects the refusal of bad input: status 2, this one line on standard error, and no output.
func expectRefused(
  _ arguments: [String], _ line: String, in folder: TemporaryFolder? = nil, status: CInt = 2,
  at location: SourceLocation = #_sourceLocation
) throws {
  let outcome = try Program.run(arguments, in: folder)
  #expect(outcome.errors == "jackdaw: \(line)\n", sourceLocation: location)
  #expect(outcome.output == "", sourceLocation: location)
  #expect(outcome.status == status, sourceLocation: location)
}
