import Glibc

/// Reads files and lists folders for the parsers of board files, settings and scenarios.
package enum FileAccess {
  /// The largest file that is read, in bytes. A board or settings file has a few thousand.
  package static let limit = 1 << 20

  /// The bytes of a regular file of at most `limit` bytes. Blocks as long as the storage does.
  package static func read(_ path: String, atMost limit: Int = limit) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readBlocks(of: path) { (block) throws(FileError) in
      bytes += block
      if bytes.count > limit { throw FileError(file: path, message: "is larger than \(limit >> 20) MiB") }
    }
    return bytes
  }

  /// Hands over the lines of a regular file, which may be larger than memory, one after the other, without their ends.
  /// Of a line only the first `longest` bytes are handed over. Blocks as long as the storage does.
  package static func readLines(
    of path: String, atMost longest: Int = limit, _ take: ([UInt8]) -> Void
  ) throws(FileError) {
    var line: [UInt8] = []
    try readBlocks(of: path) { (block) throws(FileError) in
      let parts = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 {
          take(line)
          line = []
        }
        line += part.prefix(longest - line.count)
      }
    }
    if !line.isEmpty { take(line) }
  }

  private static func readBlocks(
    of path: String, _ take: (ArraySlice<UInt8>) throws(FileError) -> Void
  ) throws(FileError) {
    // Without O_NONBLOCK a FIFO of that name would block forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileError(file: path, message: "is a folder, expected a file")
    default: throw FileError(file: path, message: "is not a regular file")
    }
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path, errno)
      }
      try take(block[..<count])
    }
  }

  /// The names in a folder, sorted; none where there is no such folder or it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { name in
        names.append(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
    return names.sorted()
  }

  /// The folder a path lies in: empty for a bare name, `/` for what lies in the root.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `path` relative to `folder`; an absolute path stays as it is.
  package static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty || path.hasPrefix("/") { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// The folder of the running executable; nil where `/proc` cannot be read.
  package static func executableFolder() -> String? { executable().map(folder(of:)) }

  /// The path of this program; it ends in ` (deleted)` where its file has been removed or replaced since it started.
  package static func executable() -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0 ? path.withUnsafeBytes { String(decoding: $0.prefix(count), as: UTF8.self) } : nil
  }

  /// Writes all of it, waiting for a reader that is slow. Returns the `errno` of the write that failed; 0 where none did.
  package static func write(_ text: String, to descriptor: CInt) -> CInt {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = count < 0 ? errno : 0
      if code == EAGAIN {
        // Another program that shares the descriptor may have left it so that no call waits.
        var polled = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
        poll(&polled, 1, -1)
      } else if code != 0 && code != EINTR {
        return code
      }
      sent += max(0, count)
    }
    return 0
  }

  /// The error for a file that cannot be written; `code` is the `errno` of opening or writing it.
  package static func writeFailure(_ path: String, _ code: CInt) -> FileError {
    let reason =
      switch code {
      case ENOENT: path.isEmpty ? "no path" : "no such folder"
      case ENOTDIR: "no such folder"
      case EISDIR: "is a folder, expected a file"
      default: String(cString: strerror(code))
      }
    return FileError(file: path, message: "cannot be written: \(reason)")
  }

  private static func failure(_ path: String, _ code: CInt) -> FileError {
    let reason = code == ENOENT || code == ENOTDIR ? "no such file" : String(cString: strerror(code))
    return FileError(file: path, message: reason)
  }
}
