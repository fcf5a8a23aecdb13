import Glibc

/// A new folder for a test, removed with everything in it when its last reference goes.
///
/// Its functions do not throw: a file that could not be written is missing, which the test that needs it notices.
public final class TemporaryFolder: Sendable {
  public struct Failure: Error {
    public var path: String
    /// An `errno`.
    public var code: CInt
  }

  public let path: String

  /// In `$TMPDIR`, or `/tmp` without one.
  public init() throws(Failure) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/jackdaw-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(path: parent, code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it early, where its last reference stays until the process ends.
  public func remove() { Self.removeAll(Array(path.utf8CString)) }

  /// The path of what has this name in the folder, whether or not it exists.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and the folders of its name; returns its path.
  @discardableResult
  public func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
    if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
    guard let file = fopen(path(of: name), "w") else { return path(of: name) }
    defer { fclose(file) }
    let bytes = Array(bytes)
    fwrite(bytes, 1, bytes.count, file)
    return path(of: name)
  }

  @discardableResult
  public func write(_ name: String, _ text: String) -> String { write(name, text.utf8) }

  /// Makes a folder, and those of its name; returns its path.
  @discardableResult
  public func makeFolder(_ name: String) -> String {
    if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
    mkdir(path(of: name), 0o755)
    return path(of: name)
  }

  /// The bytes of a file; nil where it cannot be read.
  public func read(_ name: String) -> [UInt8]? { readFile(path(of: name)) }

  public func contains(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

  /// How many descriptors of this process are open on something in the folder.
  public var openDescriptors: Int { openDescriptors { $0.hasPrefix("\(path)/") } }

  /// How many descriptors of this process are open on this file of the folder.
  public func openDescriptors(on name: String) -> Int { openDescriptors { $0 == path(of: name) } }

  /// Other tests of the same process run at the same time, so that only paths in the folder may count.
  private func openDescriptors(_ isCounted: (String) -> Bool) -> Int {
    (0..<4_096).count { descriptor in
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      return length > 0
        && isCounted(String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
  }

  /// - Parameter path: bytes, not text, because names need not be UTF-8; with the final zero.
  private static func removeAll(_ path: [CChar]) {
    guard Glibc.remove(path) != 0, let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
      let dot = CChar(UInt8(ascii: "."))
      if name == [dot] || name == [dot, dot] { continue }
      removeAll(path.dropLast() + [CChar(UInt8(ascii: "/"))] + name + [0])
    }
    closedir(stream)
    Glibc.remove(path)
  }
}

/// All bytes of a file, of /proc too; nil where it cannot be read.
public func readFile(_ path: String) -> [UInt8]? {
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
