import AudioSession
import Board
import Testing

@testable import Driver

@Suite struct SleepDetectorTests {
  private func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  @Test("R11: a boot clock that has run ahead by more than 100 ms means that the system slept, once for each sleep")
  func sleeps() {
    var detector = SleepDetector()
    func look(_ monotonic: Int64, slept: Int64) -> Bool {
      detector.detectSleep(boot: instant(monotonic + slept), monotonic: instant(monotonic))
    }
    // A sleep before the start is not reported.
    #expect(!look(1_000, slept: 5_000))
    #expect(!look(2_000, slept: 5_000))
    #expect(!look(3_000, slept: 5_100))
    #expect(look(4_000, slept: 5_101))
    #expect(!look(5_000, slept: 5_101))
    #expect(look(5_001, slept: 3_600_000))
    #expect(!look(5_002, slept: 3_600_000))
  }

  @Test("R11: short sleeps add up, and a delay between the two clocks is no sleep")
  func smallSteps() {
    var detector = SleepDetector()
    func look(_ slept: Int64) -> Bool {
      detector.detectSleep(boot: instant(10_000 + slept), monotonic: instant(10_000))
    }
    #expect(!look(0))
    #expect(!look(60))
    #expect(!look(-500))
    #expect(!look(90))
    #expect(look(120))
  }

  @Test("R11: the machine's two clocks agree while it is awake")
  func clocks() {
    let clock = MonotonicClock(startsNow: true)
    let (early, boot, late) = (clock.now, clock.boot, clock.now)
    // If the machine has slept since it was switched on, the boot clock is ahead.
    #expect(boot >= early)
    #expect(late >= early)
    var detector = SleepDetector()
    _ = detector.detectSleep(boot: clock.boot, monotonic: clock.now)
    let hasSlept = detector.detectSleep(boot: clock.boot, monotonic: clock.now)
    #expect(!hasSlept)
  }
}
