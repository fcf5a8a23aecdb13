import Glibc

/// A folder that is gone when its owner is.
package final class TemporaryFolder {
  package let path: String
  private var created: [String] = []

  package init() {
    var template = Array("/tmp/jackdaw-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    created.append(path)
  }

  /// Writes a file into the folder or one below it, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
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
