import Files
import Glibc

/// What the program prints.
enum FleetOutput {
  /// One line on standard error; line breaks in it are escaped.
  static func note(_ text: String) { write("jackdaw-fleet: \(Wording.oneLine(text))\n", to: STDERR_FILENO) }

  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  private static func write(_ text: String, to descriptor: CInt) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
