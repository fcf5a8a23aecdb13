import Glibc

/// Owns an open directory stream.
struct DirectoryHandle: ~Copyable {
  struct Entry: Equatable {
    /// As `RawName` has it.
    var name: String
    /// Whether it may be a symbolic link: not every file system says so here.
    var mayBeLink: Bool
  }

  private let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { closedir(pointer) }

  /// The entries of the folder at `path` in natural order, without hidden names, and without the folders in which systems
  /// keep what was deleted.
  static func entries(at path: String) throws(LibraryError) -> [Entry] {
    guard let pointer = RawName.withPath(path, { opendir($0) }) else {
      throw LibraryError(path: path, code: errno)
    }
    return NaturalOrder.sorted(try DirectoryHandle(adopting: pointer).entries(path), by: \.name)
  }

  private func entries(_ path: String) throws(LibraryError) -> [Entry] {
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(pointer) else {
        guard errno == 0 else { throw LibraryError(path: path, code: errno) }
        return entries
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let name = RawName.text(bytes)
      guard bytes.first != UInt8(ascii: "."), !SystemFolder.isName(name) else { continue }
      let kind = Int(entry.pointee.d_type)
      entries.append(Entry(name: name, mayBeLink: kind == Int(DT_LNK) || kind == Int(DT_UNKNOWN)))
    }
  }
}

/// The real place of a folder that is being listed, so that links which lead out of it can be left out.
struct Enclosure {
  /// The folder's path with all links resolved, ending in a slash.
  private let real: [UInt8]

  /// Returns nil and sets `errno` where there is no such folder.
  init?(_ folder: String) {
    guard let path = Self.resolved(folder) else { return nil }
    real = path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  /// Why the file or folder that `path` leads to is left out; nil where it lies within the folder.
  func reasonToSkip(_ path: String) -> String? {
    guard let target = Self.resolved(path) else { return fileReason(errno) }
    return (target + [UInt8(ascii: "/")]).starts(with: real) ? nil : "is a link that leads out of the folder"
  }

  private static func resolved(_ path: String) -> [UInt8]? {
    guard let real = RawName.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }
}

extension LibraryError {
  /// - Parameter code: the error number of a call for a folder.
  init(path: String, code: CInt) {
    self.init(path: path, reason: folderReason(code), isStorage: isStorageFault(code))
  }
}

/// The plain clause for an error number where a folder was wanted.
func folderReason(_ code: CInt) -> String {
  code == ENOENT || code == ENOTDIR ? "no such file or folder" : fileReason(code)
}
