import Files
import Glibc
import Synchronization

/// Standard output and standard error, without the buffering that would hold back a log line.
enum Terminal {
  /// Ignores SIGPIPE, so that the program survives its reader, and opens closed standard descriptors, so that no file gets
  /// their numbers. Call it first of all.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Prints one line to standard error; line breaks in `line` are escaped.
  static func printError(_ line: String) { write(Wording.oneLine(line) + "\n", to: STDERR_FILENO) }

  static func printLine(_ text: String) { print(text + "\n") }

  /// The size of the terminal; nil where standard output is none, or its size is unknown.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Whether standard output is a terminal that can move its cursor.
  static var canDraw: Bool {
    let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
    return isatty(STDOUT_FILENO) == 1 && !isDumb
  }

  /// The error number of the last write to standard output that failed; 0 where none did.
  private static let failure = Atomic<CInt>(0)

  /// Throws where standard output has lost something, as on a full disk. A reader that has gone wants no more.
  static func checkOutput() throws(CommandError) {
    let code = failure.load(ordering: .relaxed)
    if code == 0 || code == EPIPE { return }
    throw CommandError("jackdaw: standard output: \(String(cString: strerror(code)))", status: .problem)
  }

  /// Whether standard output has lost something, as on a full disk, or its reader has gone: whoever prints until somebody
  /// ends it, ends now.
  static var hasFailed: Bool { failure.load(ordering: .relaxed) != 0 }

  private static func write(_ text: String, to descriptor: CInt) {
    let code = FileAccess.write(text, to: descriptor)
    if code != 0 && descriptor == STDOUT_FILENO { failure.store(code, ordering: .relaxed) }
  }
}
