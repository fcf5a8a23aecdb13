import BoardFiles
import Files
import Glibc
import TestSupport
import Testing

/// A text with a fault, and the error that it must give.
struct Fault: Sendable, CustomTestStringConvertible {
  var error: String
  var text: String

  var testDescription: String { error }

  /// Settings of this text have this error, and no other.
  func check() {
    #expect(errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") } == [error])
  }

  /// `base` with some of its lines, counted from 1, replaced.
  init(_ error: String, in base: String = "", _ edits: [Int: String]) {
    self.error = error
    let lines = base.split(separator: "\n", omittingEmptySubsequences: false)
    text = lines.enumerated().map { edits[$0.offset + 1] ?? String($0.element) }.joined(separator: "\n")
  }

  init(_ error: String, text: String) {
    self.error = error
    self.text = text
  }

  /// Settings with this one, below the heading of its table.
  init(_ setting: String, _ value: String, _ error: String) {
    let path = setting.split(separator: ".")
    let heading = path.count == 1 ? "" : "[\(path.dropLast().joined(separator: "."))]\n"
    self.init(
      "s.toml:\(heading.isEmpty ? 1 : 2): \(setting): \(error)", text: "\(heading)\(path.last ?? "") = \(value)")
  }
}

/// The bytes of a file of the repository; none where it cannot be read.
func shippedBytes(_ path: String) -> [UInt8] { readFile(repositoryPath(path)) ?? [] }

/// The texts of all errors that `body` throws.
func errorTexts<Value>(_ body: () throws(FileError) -> Value) -> [String] {
  do throws(FileError) {
    _ = try body()
    return []
  } catch {
    return [error.description] + error.further.map(\.description)
  }
}
