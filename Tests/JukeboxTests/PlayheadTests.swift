import AudioSession
import Testing

@testable import Jukebox

@Suite struct PlayheadTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  @Test("A standing playhead stays, a running one follows the clock, to the frame")
  func runs() {
    var playhead = Playhead()
    #expect(playhead.frame(at: at(5_000), rate: 44_100) == 0)
    playhead.run(from: 1_000, since: at(1_000))
    #expect(playhead.frame(at: at(1_000), rate: 44_100) == 1_000)
    #expect(playhead.frame(at: at(2_000), rate: 44_100) == 45_100)
    #expect(playhead.frame(at: at(1_010), rate: 44_100) == 1_441)
    playhead.stand(at: 7)
    #expect(playhead.frame(at: at(9_000), rate: 44_100) == 7)
  }

  @Test("A running playhead skips the time for which nothing was heard, a standing one has none")
  func skips() {
    var playhead = Playhead()
    playhead.skip(.seconds(3))
    #expect(playhead.frame(at: at(5_000), rate: 44_100) == 0)
    playhead.run(from: 1_000, since: at(1_000))
    playhead.skip(.seconds(3))
    #expect(playhead.frame(at: at(5_000), rate: 44_100) == 45_100)
  }

  @Test("R5, I2: while it fades in it stands at the frame at which that began, but at the start of a track")
  func fadesIn() {
    var playhead = Playhead()
    playhead.run(from: 1_000, since: at(1_000))
    for milliseconds: Int64 in 1_000...1_003 { #expect(playhead.frame(at: at(milliseconds), rate: 44_100) == 1_000) }
    #expect(playhead.frame(at: at(1_004), rate: 44_100) == 1_176)
    playhead.run(from: 0, since: at(2_000))
    #expect(playhead.frame(at: at(2_002), rate: 44_100) == 88)
  }

  @Test("A moment before it ran counts as its first frame")
  func before() {
    var playhead = Playhead()
    playhead.run(from: 1_000, since: at(1_000))
    #expect(playhead.frame(at: at(900), rate: 44_100) == 1_000)
  }
}
