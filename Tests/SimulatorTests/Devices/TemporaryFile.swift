import TestSupport

/// A file of a test in a folder of its own.
struct TemporaryFile {
  private let folder: TemporaryFolder
  var path: String { folder.path(of: "file") }

  init() throws { folder = try TemporaryFolder() }

  func write(_ bytes: [UInt8]) { folder.write("file", bytes) }

  var bytes: [UInt8] { folder.read("file") ?? [] }

  /// The left samples of a WAV file.
  var left: [Int16] {
    let data = Array(bytes.dropFirst(44))
    return stride(from: 0, to: data.count - 3, by: 4).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
  }
}
