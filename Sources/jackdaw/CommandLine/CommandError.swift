import Files
import Glibc

/// Why the program ends: one line that names the file, the line and what was expected.
struct CommandError: Error, CustomStringConvertible {
  var description: String
  /// 2 for bad input, 1 for a problem that was found.
  var status: CInt

  init(_ description: String, status: CInt = 2) {
    self.description = description
    self.status = status
  }

  /// Runs `body` and turns what it throws into a complaint.
  static func about<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(CommandError) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw CommandError("jackdaw: \(error)")
    }
  }
}

/// Standard output and standard error, without the buffering that would hold back a log line.
enum Terminal {
  /// A reader that goes away is no reason to end, and a descriptor that is closed must not become that of a file.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// One line, whatever is in `line`.
  static func printError(_ line: String) { write(Wording.oneLine(line) + "\n", to: STDERR_FILENO) }

  static func say(_ text: String) { put(text + "\n") }

  /// Of the terminal; nil where standard output is none, or does not say.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func put(_ text: String) { write(text, to: STDOUT_FILENO) }

  private static func write(_ text: String, to descriptor: CInt) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      sent += max(0, count)
    }
  }
}
