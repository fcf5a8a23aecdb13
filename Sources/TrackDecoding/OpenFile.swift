import Board
import Glibc

/// A regular file that is open for reading. The descriptor is closed with the object.
public final class OpenFile: Sendable {
  public let descriptor: CInt
  /// Bytes in the file as it was when it was opened.
  public let size: Int

  /// Lives as long as the file is open.
  private let use: (any AnyObject & Sendable)?

  /// Takes over a descriptor of a regular file of `size` bytes.
  public init(adopting descriptor: CInt, size: Int, keeping use: (any AnyObject & Sendable)? = nil) {
    self.descriptor = descriptor
    self.size = size
    self.use = use
  }

  deinit { Glibc.close(descriptor) }

  /// Opens `path`; refuses what is not a regular file, without waiting for a writer and without touching a device.
  /// - Parameter use: what lives as long as the file is open.
  /// - Throws: `open`, e.g. `no such file`, `is a folder`, `is not a file`, `empty file`, `permission denied`.
  public convenience init(path: String, keeping use: (any AnyObject & Sendable)? = nil) throws(TrackError) {
    func refusal(_ reason: String, isStorage: Bool = false) -> TrackError {
      TrackError(operation: .open, path: path, reason: reason, isStorage: isStorage)
    }
    func refusal(_ code: CInt) -> TrackError {
      let isStorage = isStorageFault(code) || code == ENOENT && Self.hasLostItsFolder(path)
      var error = refusal(fileReason(code), isStorage: isStorage)
      error.isMissing = !isStorage && (code == ENOENT || code == ENOTDIR)
      return error
    }
    // A C string would end at a NUL and open another file.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw refusal(fileReason(ENOENT)) }
    var status = stat()
    // Before `open`, because opening alone already acts on some devices (a watchdog starts, a tape rewinds).
    guard RawName.withPath(path, { stat($0, &status) }) == 0 else { throw refusal(errno) }
    if let reason = Self.kindReason(status) { throw refusal(reason) }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = RawName.withPath(path) { Glibc.open($0, flags) }
    guard descriptor >= 0 else { throw refusal(errno) }
    // Again for the file that was opened: the name may lead to another one by now.
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    let reason = code == 0 ? Self.kindReason(status) : nil
    if code != 0 || reason != nil {
      Glibc.close(descriptor)
      throw reason.map { refusal($0) } ?? refusal(code)
    }
    self.init(adopting: descriptor, size: Int(status.st_size), keeping: use)
  }

  /// Whether the folder of a file that is not there is missing or empty, as that of a storage which is not mounted.
  private static func hasLostItsFolder(_ path: String) -> Bool {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    guard let slash, slash > path.startIndex else { return false }
    guard let folder = RawName.withPath(String(path[..<slash]), { opendir($0) }) else {
      return errno != EACCES && errno != EMFILE && errno != ENFILE
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8) && name != Array("..".utf8) { return false }
    }
    return true
  }

  private static func kindReason(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: status.st_size == 0 ? "empty file" : nil
    case S_IFDIR: "is a folder"
    default: "is not a file"
    }
  }
}
