import Glibc
import Testing

@testable import Board

/// The clock of a simulated board.
@Suite struct ProcessStartTests {
  @Test("the clock counts from when the process was started, not from when it was asked for")
  func start() throws {
    let early = MonotonicClock(startsNow: true)
    let clock = MonotonicClock.sinceProcessStart()
    // The tests themselves had to be loaded first.
    #expect(clock.now > early.now)
    #expect(clock.start >= .zero)
    let started = try #require(ProcessStart.nanoseconds())
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    #expect(started > 0 && started < Int64(boot.tv_sec + 1) * 1_000_000_000)
  }

  @Test("the start is the 22nd field, whatever the process is called")
  func field() {
    let fields = (3...30).map { String($0 * 10) }.joined(separator: " ")
    for name in ["(jackdaw)", "(a b) 1 2)", "()"] {
      #expect(ProcessStart.ticks(Array("1 \(name) \(fields)\n".utf8)) == 220)
    }
    for text in ["", "1 (jackdaw", "1 (jackdaw) S 1 2"] { #expect(ProcessStart.ticks(Array(text.utf8)) == nil) }
  }
}
