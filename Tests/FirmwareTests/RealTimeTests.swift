import TestSupport
import Testing

@testable import Firmware

@Suite struct RealTimeTests {
  @Test("the kernel gives memory by the page, and not by the 2 MiB")
  func pages() throws {
    RealTime.keepMemorySmall()
    let status = String(decoding: try #require(readFile("/proc/self/status")), as: UTF8.self)
    #expect(status.contains("THP_enabled:\t0\n"))
  }
}
