import CLinux
import Glibc
import Testing

/// What a start asks the kernel to read, so that no page of code is waited for later.
@Suite struct CodeAheadTests {
  @Test("all of a mapped file is read, also what is more than a device reads ahead")
  func all() throws {
    let size = 24 << 20
    // Where files are on a disk: what is in memory is not read. A hole in a file is, as zeros.
    var name = Array("/var/tmp/jackdaw-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    defer { close(file) }
    unlink(name)
    try #require(file >= 0 && ftruncate(file, size) == 0)
    let code = try #require(mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0))
    try #require(code != MAP_FAILED)
    defer { munmap(code, size) }
    madvise(code, size, MADV_RANDOM)
    read_pages_ahead(code, UInt(size))
    var pages = [UInt8](repeating: 0, count: size / sysconf(CInt(_SC_PAGESIZE)))
    let deadline = ContinuousClock.now + .seconds(60)
    repeat {
      sched_yield()
      mincore(code, size, &pages)
    } while !pages.allSatisfy { $0 & 1 == 1 } && ContinuousClock.now < deadline
    #expect(pages.count { $0 & 1 == 0 } == 0)
  }
}
