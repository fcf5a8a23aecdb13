import Files
import TestSupport
import Testing

extension TemporaryFolder {
  /// The names in the folder, sorted.
  var names: [String] { FileAccess.names(in: path).filter { $0 != "." && $0 != ".." } }

  /// The interleaved samples of a WAV file as our writer makes them.
  func wav(_ name: String) throws -> [Int16] {
    let bytes = try #require(read(name)).dropFirst(44)
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }
}
