import Files
import Glibc

/// The machine's own file systems. Every call blocks as long as the storage does.
package final class DiskStorage: Storage {
  package init() {}

  package func makeFolder(_ path: String) throws(StorageError) {
    if mkdir(path, 0o750) == 0 {
      // If a power cut loses the folder's own name, the synced files in it are lost, too.
      let parent = FileAccess.folder(of: path)
      try? syncFolder(parent.isEmpty ? "." : parent)
      return
    }
    let code = errno
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError(path: path, code: code) }
    if status.st_mode & S_IFMT != S_IFDIR { throw StorageError(path: path, code: ENOTDIR) }
  }

  package func freeBytes(in folder: String) throws(StorageError) -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw StorageError(path: folder, code: errno) }
    let (bytes, isHuge) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
    return isHuge ? .max : Int(clamping: bytes)
  }

  package func create(_ path: String) throws(StorageError) -> StorageFile {
    // Recordings hold people's voices: only the owner writes them, and only the group may read them.
    try adopt(Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640), path)
  }

  package func open(_ path: String) throws(StorageError) -> StorageFile {
    // A link could lead out of the folder, and a FIFO of that name would block forever.
    let file = try adopt(Glibc.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path)
    if try status(of: file).st_mode & S_IFMT == S_IFREG { return file }
    close(file)
    throw StorageError(path: path, code: EINVAL)
  }

  package func size(of file: StorageFile) throws(StorageError) -> Int { Int(try status(of: file).st_size) }

  package func read(
    _ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int
  ) throws(StorageError) -> Int {
    var count = 0
    while count < bytes.count {
      let more = pread(
        file.descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(offset + count))
      if more < 0 && errno == EINTR { continue }
      try check(more, file.path)
      if more == 0 { break }
      count += more
    }
    return count
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int
  {
    while true {
      let count = pwrite(file.descriptor, bytes.baseAddress, bytes.count, off_t(offset))
      if count < 0 && errno == EINTR { continue }
      try check(count, file.path)
      return count
    }
  }

  package func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError) {
    try check(Int(ftruncate(file.descriptor, off_t(bytes))), file.path)
  }

  package func sync(_ file: StorageFile) throws(StorageError) {
    try check(Int(fdatasync(file.descriptor)), file.path)
    if try status(of: file).st_nlink == 0 { throw StorageError(path: file.path, code: ENOENT) }
  }

  package func close(_ file: StorageFile) { Glibc.close(file.descriptor) }

  package func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
    let file = try adopt(Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), path)
    defer { close(file) }
    let status = try status(of: file)
    if status.st_mode & S_IFMT != S_IFREG { throw StorageError(path: path, code: EINVAL) }
    if Int(status.st_size) > limit { throw StorageError(path: path, code: EFBIG) }
    return try head(of: file, bytes: Int(status.st_size))
  }

  package func rename(_ path: String, to new: String) throws(StorageError) {
    try check(Int(Glibc.rename(path, new)), path)
  }

  package func remove(_ path: String) throws(StorageError) { try check(Int(unlink(path)), path) }

  package func names(in folder: String) -> [String] { FileAccess.names(in: folder) }

  package func syncFolder(_ path: String) throws(StorageError) {
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try check(Int(folder), path)
    defer { Glibc.close(folder) }
    // Some file systems, vfat among them on old kernels, cannot sync a folder.
    if fsync(folder) < 0 && errno != EINVAL { throw StorageError(path: path, code: errno) }
  }

  private func adopt(_ descriptor: CInt, _ path: String) throws(StorageError) -> StorageFile {
    try check(Int(descriptor), path)
    return StorageFile(descriptor: descriptor, path: path)
  }

  private func status(of file: StorageFile) throws(StorageError) -> stat {
    var status = stat()
    try check(Int(fstat(file.descriptor, &status)), file.path)
    return status
  }

  private func check(_ result: Int, _ path: String) throws(StorageError) {
    if result < 0 { throw StorageError(path: path, code: errno) }
  }
}
