import Testing

@testable import Threads

@Suite struct LockedTests {
  @Test("what several threads change under the lock adds up")
  func addsUp() {
    let count = Locked(0)
    let threads = (0..<4).map { _ in
      WorkerThread(name: "test", signal: Signal()) { _ in
        for _ in 0..<20_000 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { #expect(thread.stop(within: .seconds(60))) }
    #expect(count.withLock { $0 } == 80_000)
  }
}
