import CLinux
import Glibc
import TestSupport
import Testing

/// What a start asks the kernel to read in one go, so that no page of code is waited for later.
@Suite struct CodeAheadTests {
  @Test("all of a mapped file is read, also what is more than a device reads ahead")
  func all() throws {
    let size = 24 << 20
    let folder = try TemporaryFolder()
    let file = open(folder.path(of: "code"), O_RDWR | O_CREAT, 0o600)
    defer { close(file) }
    ftruncate(file, size)
    let code = try #require(mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0))
    defer { munmap(code, size) }
    madvise(code, size, MADV_RANDOM)
    read_pages_ahead(code, UInt(size))
    var pages = [UInt8](repeating: 0, count: size / 4096)
    let deadline = ContinuousClock.now + .seconds(60)
    repeat {
      sched_yield()
      mincore(code, size, &pages)
    } while !pages.allSatisfy { $0 & 1 == 1 } && ContinuousClock.now < deadline
    #expect(pages.count { $0 & 1 == 0 } == 0)
  }
}
