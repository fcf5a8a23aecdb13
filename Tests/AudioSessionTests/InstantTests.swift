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

  @Test("durations convert to frames that fit")
  func durations() {
    #expect(Duration.milliseconds(5).frames(rate: 44_100) == 220)
    #expect(Duration.covering(frames: 220, rate: 44_100) <= .milliseconds(5))
  }
}
