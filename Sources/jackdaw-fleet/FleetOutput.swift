import Files
import Glibc

/// What the program prints.
enum FleetOutput {
  /// One line on standard error; line breaks in it are escaped.
  static func note(_ text: String) { _ = write("jackdaw-fleet: \(Wording.oneLine(text))\n", to: STDERR_FILENO) }

  /// Ends the program where standard output takes less than all of it.
  static func print(_ text: String) {
    let code = write(text, to: STDOUT_FILENO)
    if code == 0 { return }
    note("standard output: \(String(cString: strerror(code)))")
    exit(1)
  }

  /// Returns the error number; 0 where all is written.
  private static func write(_ text: String, to descriptor: CInt) -> CInt {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return errno }
      sent += max(0, count)
    }
    return 0
  }
}
