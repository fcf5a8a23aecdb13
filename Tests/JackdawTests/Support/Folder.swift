import Files
import Glibc

/// A new folder that goes with its owner.
final class Folder {
  let path: String

  init() {
    var template = Array("/tmp/jackdaw-cli-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
  }

  deinit { Folder.remove(Array(path.utf8CString)) }

  func file(_ name: String, _ text: String) { file(name, Array(text.utf8)) }

  func file(_ name: String, _ bytes: [UInt8]) {
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func folder(_ name: String) { mkdir("\(path)/\(name)", 0o755) }

  func bytes(_ name: String) -> [UInt8]? { Folder.bytes("\(path)/\(name)") }

  func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  /// Bytes, not text: names need not be UTF-8.
  private static func remove(_ path: [CChar]) {
    guard unlink(path) != 0, let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
      if name == [46] || name == [46, 46] { continue }
      var inner = path
      inner[inner.count - 1] = 47  // A slash in the place of the final zero.
      remove(inner + name + [0])
    }
    closedir(stream)
    rmdir(path)
  }
}

/// Places in the sources.
enum Sources {
  /// The folder of the package.
  static let root = FileAccess.folder(
    of: FileAccess.folder(of: FileAccess.folder(of: FileAccess.folder(of: #filePath))))

  static var fixtures: String { "\(root)/Tests/TrackDecodingTests/Fixtures" }

  static func text(_ path: String) -> String { String(decoding: Folder.bytes("\(root)/\(path)") ?? [], as: UTF8.self) }
}
