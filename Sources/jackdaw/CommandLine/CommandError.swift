import Files

/// An error that ends the program: a line with file, line and what was expected, or several such lines.
struct CommandError: Error, CustomStringConvertible {
  var description: String
  var status: ExitStatus
  /// The lines after the first.
  var further: [String] = []

  init(_ description: String, status: ExitStatus = .badInput) {
    self.description = description
    self.status = status
  }

  /// Each of its errors, without the name of the program.
  var lines: [String] {
    ([description] + further).map { $0.hasPrefix("jackdaw: ") ? String($0.dropFirst("jackdaw: ".count)) : $0 }
  }

  /// Runs `body` and converts what it throws into a `CommandError`.
  static func about<Value, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Value
  ) throws(CommandError) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      var command = CommandError("jackdaw: \(error)")
      if let error = error as? FileError { command.further = error.further.map { "jackdaw: \($0)" } }
      throw command
    }
  }
}
