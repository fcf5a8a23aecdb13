import Glibc

/// A file name that is gone when its owner is.
final class TemporaryFile {
  let path: String

  init() {
    var template = Array("/tmp/jackdaw-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor >= 0 { close(descriptor) }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { unlink(path) }

  func write(_ bytes: [UInt8]) {
    guard let stream = fopen(path, "w") else { return }
    defer { fclose(stream) }
    fwrite(bytes, 1, bytes.count, stream)
  }

  var bytes: [UInt8] {
    guard let stream = fopen(path, "r") else { return [] }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, stream)])
  }

  /// The left samples of a WAV file.
  var left: [Int16] {
    let data = Array(bytes.dropFirst(44))
    return stride(from: 0, to: data.count - 3, by: 4).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
  }
}
