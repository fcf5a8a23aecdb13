import Files
import Glibc

/// A folder that goes with its last reference.
final class TemporaryFolder {
  let path: String

  struct Failure: Error {}

  init() throws {
    var template = Array("/tmp/jackdaw-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  deinit {
    for name in (try? names()) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func names() throws -> [String] { FileAccess.names(in: path).filter { $0 != "." && $0 != ".." } }

  /// The interleaved samples of a WAV file as our writer makes them.
  func wav(_ name: String) throws -> [Int16] {
    guard let file = fopen("\(path)/\(name)", "rb") else { throw Failure() }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = (ftell(file) - 44) / 2
    fseek(file, 44, SEEK_SET)
    return [Int16](unsafeUninitializedCapacity: count) { buffer, used in
      used = fread(buffer.baseAddress, 2, count, file)
    }
  }
}
