import AudioSession
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// The two halves of a load reach two threads: the decoder may be ahead of the engine.
@Suite struct EarlyDecoderTests {
  @Test("a stream that is loaded and not played is decoded all the same, in the place of the one before")
  func loaded() {
    let bench = EngineBench(tracks: [600 * EngineBench.rate, 600 * EngineBench.rate])
    bench.play(then: .seconds(3))
    bench.silence(then: .seconds(1))
    let written = bench.engine.music.ring.written
    bench.load(1, then: .seconds(1))
    #expect(bench.engine.music.ring.written - written > EngineBench.rate)
  }

  @Test("frames of a load that has not reached the engine are not taken for the stream that plays")
  func decoderAhead() throws {
    let bench = EngineBench(tracks: [EngineBench.rate, 20_000])
    bench.namesNextTracks = false
    bench.play(then: .milliseconds(900))
    // The control thread is held up between the two halves of a load.
    bench.decoder.post(.load(stream: 2, number: 2, track: 1, frame: 0, rate: EngineBench.rate))
    bench.pass(.milliseconds(600))
    let tap = try #require(bench.taps[.headphones])
    #expect(tap.frames.allSatisfy { $0.right > 29_999 || $0.right < 1_000 } && tap.frames.count >= EngineBench.rate)
    bench.send(.load(stream: 2, number: 2, rate: EngineBench.rate))
    bench.send(.play, then: .milliseconds(100))
    #expect(Array(bench.reportNames.suffix(2)) == ["started 1", "began 1"])
    #expect(tap.frames.dropFirst(EngineBench.rate).prefix(1_000).enumerated().allSatisfy { Int($1.left) == $0 + 1 })
  }

  @Test("a decoder that is slow wakes the engine with the frames that the device can hold")
  func slow() {
    let bench = EngineBench()
    bench.decoderDelay = .milliseconds(5)
    bench.play(then: .milliseconds(100))
    #expect(bench.reportNames == ["started 0", "began 0"])
  }

  @Test("P9: a decoder that found no room for the next track is woken when the engine makes some")
  func noRoom() {
    let bench = EngineBench(tracks: [600 * EngineBench.rate, 20_000])
    bench.play()
    // The ring is full of the first track, of which next to nothing was heard.
    bench.pass(.milliseconds(30))
    // The engine takes the load when its fade is over; the decoder has opened the next track by then.
    bench.silence()
    bench.load(1)
    bench.send(.play, then: .seconds(1))
    #expect(Array(bench.reportNames.suffix(3)) == ["started 1", "began 1", "ended"])
  }
}
