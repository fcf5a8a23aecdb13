import Glibc

/// Owns an open directory stream.
struct Folder: ~Copyable {
  struct Entry: Equatable {
    /// As `RawName` has it.
    var name: String
    /// Whether it may be a symbolic link: not every file system says so here.
    var mayBeLink: Bool
  }

  private let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { closedir(pointer) }

  /// What is in the folder at `path`, hidden names left out, in natural order.
  static func entries(at path: String) throws(LibraryError) -> [Entry] {
    guard let pointer = RawName.withPath(path, { opendir($0) }) else {
      throw LibraryError(path: path, reason: folderReason(errno))
    }
    return NaturalOrder.sorted(try Folder(adopting: pointer).entries(path), by: \.name)
  }

  private func entries(_ path: String) throws(LibraryError) -> [Entry] {
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(pointer) else {
        guard errno == 0 else { throw LibraryError(path: path, reason: folderReason(errno)) }
        return entries
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first != UInt8(ascii: ".") else { continue }
      let kind = Int(entry.pointee.d_type)
      entries.append(Entry(name: RawName.text(bytes), mayBeLink: kind == Int(DT_LNK) || kind == Int(DT_UNKNOWN)))
    }
  }
}

/// A folder, and what lies below it by whatever way: who lists it must not be led elsewhere by a link.
struct Enclosure {
  /// Without links, and with a slash at its end.
  private let real: [UInt8]

  /// Nil, and `errno` says why, where there is no such folder.
  init?(_ folder: String) {
    guard let path = Self.resolved(folder) else { return nil }
    real = path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  /// Why what the path leads to is left out; nil where it lies within.
  func objection(to path: String) -> String? {
    guard let target = Self.resolved(path) else { return fileReason(errno) }
    return (target + [UInt8(ascii: "/")]).starts(with: real) ? nil : "is a link that leads out of the folder"
  }

  private static func resolved(_ path: String) -> [UInt8]? {
    guard let real = RawName.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }
}

/// The plain clause for an error number where a folder was wanted.
func folderReason(_ code: CInt) -> String {
  code == ENOENT || code == ENOTDIR ? "no such file or folder" : fileReason(code)
}
