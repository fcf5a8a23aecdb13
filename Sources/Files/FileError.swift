/// An error in a file, for whoever wrote it.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name, as the caller gave it.
  public var file: String
  /// The line number, from 1; 0 where the error concerns the whole file.
  public var line: Int
  /// Path of the key, e.g. `ports.headphones.ceiling`; empty where the error concerns no key.
  public var field: String
  /// What was found and what was expected.
  public var message: String
  /// The other errors of the same file, in the order of their lines.
  public var further: [FileError] = []

  public init(file: String, line: Int = 0, field: String = "", message: String) {
    self.file = file
    self.line = line
    self.field = field
    self.message = message
  }

  /// One line, without `further`: `FILE:LINE: field: message`, without the parts that are not known.
  public var description: String {
    let file = Wording.path(file)
    let place = line == 0 ? file : "\(file):\(line)"
    return field.isEmpty ? "\(place): \(message)" : "\(place): \(field): \(message)"
  }
}
