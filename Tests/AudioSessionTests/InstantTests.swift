import AudioSession
import Testing

@Suite struct InstantTests {
  @Test("a frame's instant and an instant's frame are inverse at every usual rate")
  func framesAndInstants() {
    for rate in [8_000, 11_025, 44_100, 48_000, 192_000] {
      for frame in [0, 1, 2, 7, 44_099, 44_100, 1_000_003, 1_400_000_000_000] {
        #expect(Instant.of(frame: frame, rate: rate).frame(rate: rate) == frame)
        #expect((Instant.of(frame: frame + 1, rate: rate) - .nanoseconds(1)).frame(rate: rate) == frame)
      }
    }
  }

  @Test("a century of uptime counts frames exactly, at the highest rate, too")
  func uptime() {
    let century = Instant(nanoseconds: 100 * 365 * 86_400 * 1_000_000_000 + 1)
    for rate in [44_100, 192_000] {
      let frame = century.frame(rate: rate)
      #expect(frame == 100 * 365 * 86_400 * rate)
      #expect(Instant.of(frame: frame, rate: rate) == century - .nanoseconds(1))
    }
    let last = Instant(nanoseconds: .max)
    #expect(last.frame(rate: 192_000) == 9_223_372_036 * 192_000 + 854_775_807 * 192_000 / 1_000_000_000)
    // Past the end of time it goes round, as the kernel's own clock would, and traps nowhere.
    #expect(last + .nanoseconds(1) < last)
  }

  @Test("durations convert to frames that fit")
  func durations() {
    #expect(Duration.milliseconds(5).frames(rate: 44_100) == 220)
    #expect(Duration.covering(frames: 220, rate: 44_100) <= .milliseconds(5))
  }
}
