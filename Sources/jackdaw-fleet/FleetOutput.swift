import Files
import Glibc

/// What the program prints.
enum FleetOutput {
  /// One line on standard error; line breaks in it are escaped.
  static func note(_ text: String) {
    _ = FileAccess.write("jackdaw-fleet: \(Wording.oneLine(text))\n", to: STDERR_FILENO)
  }

  /// Ends the program where standard output takes less than all of it.
  static func print(_ text: String) {
    let code = FileAccess.write(text, to: STDOUT_FILENO)
    if code == 0 { return }
    note("standard output: \(String(cString: strerror(code)))")
    exit(1)
  }
}
