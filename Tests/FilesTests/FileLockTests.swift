import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct FileLockTests {
  private func take(_ path: String) throws(FileLockError) -> FileLock { try FileLock.take(path) }

  @Test("a lock has one holder at a time, within a process as between two; the file stays")
  func oneHolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "lock")
    do {
      let first = try take(path)
      #expect(throws: FileLockError(path: path, code: EWOULDBLOCK)) { try FileLock.take(path) }
      #expect(FileLockError(path: path, code: EWOULDBLOCK).isHeld)
      withExtendedLifetime(first) {}
    }
    #expect(folder.openDescriptors == 0 && folder.contains("lock"))
    let next = try take(path)
    withExtendedLifetime(next) {}
  }

  @Test("W3: the lock is not open for writing, which would keep its storage from being made read-only")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      let lock = try take(folder.path(of: "lock"))
      #expect(fcntl(lock.descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
    }
  }

  @Test("a link is not followed, and where there is no folder there is no lock; neither counts as held")
  func refused() throws {
    let folder = try TemporaryFolder()
    symlink("target", folder.path(of: "link"))
    for (name, code) in [("link", ELOOP), ("none/lock", ENOENT)] {
      let path = folder.path(of: name)
      #expect(throws: FileLockError(path: path, code: code)) { try FileLock.take(path) }
      #expect(!FileLockError(path: path, code: code).isHeld)
    }
    #expect(!folder.contains("target"))
  }
}
