import Board
import Glibc
import TrackDecoding

/// Bad input, in one line that names the file, the line and what was expected. Ends the program with status 2.
struct Complaint: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// Runs `body` and turns what it throws into a complaint.
  static func about<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(Complaint) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw Complaint("jackdaw: \(error)")
    }
  }
}

/// Standard output and standard error, without the buffering that would hold back a log line.
enum Console {
  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  static func say(_ text: String) { put(text + "\n") }

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
