import Board
import Glibc
import Testing

/// A text with a fault, and the error that it must give.
struct Fault: Sendable, CustomTestStringConvertible {
  var error: String
  var text: String

  var testDescription: String { error }

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
}

/// The error of `body` as printed.
func errorText<Result>(_ body: () throws(FileError) -> Result) -> String {
  do throws(FileError) {
    _ = try body()
    return "no error"
  } catch {
    return error.description
  }
}

/// Path of a file of the repository.
func shipped(_ path: String) -> String {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  return (parts + [Substring(path)]).joined(separator: "/")
}

/// The bytes of a file of the repository; none where it cannot be read.
func shippedBytes(_ path: String) -> [UInt8] {
  guard let stream = fopen(shipped(path), "r") else { return [] }
  defer { fclose(stream) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, stream)])
}

/// A folder that is removed with the object.
final class TemporaryFolder {
  let path: String
  private var created: [String] = []

  init() {
    var template = Array("/tmp/jackdaw-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    created.append(path)
  }

  /// Writes a file into the folder or one below it, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
    let file = "\(path)/\(name)"
    for (index, character) in zip(file.indices, file).dropFirst(path.count + 1) where character == "/" {
      let folder = String(file[..<index])
      if mkdir(folder, 0o755) == 0 { created.append(folder) }
    }
    created.append(file)
    guard let stream = fopen(file, "w") else { return file }
    defer { fclose(stream) }
    let bytes = Array(bytes)
    fwrite(bytes, 1, bytes.count, stream)
    return file
  }

  deinit {
    for path in created.reversed() { remove(path) }
  }
}
