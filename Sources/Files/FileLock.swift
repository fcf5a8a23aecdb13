import Glibc

/// A lock on a file that one holder has at a time. The kernel releases it when its process ends, in whatever way; the file
/// stays.
package final class FileLock {
  let descriptor: CInt

  private init(adopting descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes the file if it is missing, and never waits.
  package static func take(_ path: String) throws(FileLockError) -> FileLock {
    // Not for writing: the kernel could not make a storage read-only on which such a file is open.
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = open(path, O_CREAT | flags, 0o640)
    // A file can be locked even on a read-only storage.
    if descriptor < 0 && errno == EROFS { descriptor = open(path, flags) }
    guard descriptor >= 0 else { throw FileLockError(path: path, code: errno) }
    let lock = FileLock(adopting: descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EINTR { throw FileLockError(path: path, code: errno) }
    }
    return lock
  }
}

/// Why a lock could not be taken.
package struct FileLockError: Error, Hashable {
  package var path: String
  /// Positive `errno`.
  package var code: CInt

  /// Whether another holder has it; otherwise the file cannot be locked at all.
  package var isHeld: Bool { code == EWOULDBLOCK }
}
