import Files
import Glibc

/// A folder for what a check has to find on a disk, gone with its last reference.
final class Scratch {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/jackdaw-fuzz-XXXXXX".utf8CString)
    try hold(mkdtemp(&template) != nil, "\(parent): \(String(cString: strerror(errno)))")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in FileAccess.names(in: path) where name != "." && name != ".." { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Collection<UInt8>) throws -> String {
    let file = "\(path)/\(name)"
    guard let stream = fopen(file, "w") else { throw Broken("\(file): \(String(cString: strerror(errno)))") }
    defer { fclose(stream) }
    let bytes = Array(bytes)
    try hold(fwrite(bytes, 1, bytes.count, stream) == bytes.count, "\(file): not written")
    return file
  }
}
