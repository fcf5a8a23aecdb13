/// An error that ends the program: one line with file, line and what was expected.
struct CommandError: Error, CustomStringConvertible {
  var description: String
  var status: ExitStatus

  init(_ description: String, status: ExitStatus = .badInput) {
    self.description = description
    self.status = status
  }

  /// Runs `body` and converts what it throws into a `CommandError`.
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
