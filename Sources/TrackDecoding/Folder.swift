import Glibc

/// Owns an open directory stream.
struct Folder: ~Copyable {
  enum Name: Equatable {
    case text(String)
    /// Not UTF-8; repaired, for messages only.
    case broken(String)
  }

  private let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { closedir(pointer) }

  /// The names in the folder at `path`, hidden ones left out, in no order.
  static func names(at path: String) throws(LibraryError) -> [Name] {
    guard let pointer = opendir(path) else { throw LibraryError(path: path, reason: folderReason(errno)) }
    return try Folder(adopting: pointer).names(path)
  }

  private func names(_ path: String) throws(LibraryError) -> [Name] {
    var names: [Name] = []
    while true {
      errno = 0
      guard let entry = readdir(pointer) else {
        guard errno == 0 else { throw LibraryError(path: path, reason: folderReason(errno)) }
        return names
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first != UInt8(ascii: ".") else { continue }
      if let text = String(validating: bytes, as: UTF8.self) {
        names.append(.text(text))
      } else {
        names.append(.broken(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }
}

/// The plain clause for an error number where a folder was wanted.
func folderReason(_ code: CInt) -> String {
  code == ENOENT || code == ENOTDIR ? "no such file or folder" : fileReason(code)
}
