import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport

/// A track that turns out longer than its headers say, and then to have 150 frames.
private final class LyingTrack: TrackSource, TrackOpener {
  private(set) var info = TrackInfo(rate: 48_000, channels: 2, frames: 120)
  private var reads = 0

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource { self }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    reads += 1
    if reads == 2 { info.frames = nil }
    if reads > 2 { info.frames = 150 }
    return reads > 2 ? 0 : 75
  }

  func seek(to frame: Int) throws(TrackError) {}
  func close() {}
}

/// A track of 150 frames that never says so.
private final class UnknownTrack: TrackSource, TrackOpener {
  let info = TrackInfo(rate: 48_000, channels: 2, frames: nil)
  private var position = 0

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource { UnknownTrack() }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    let count = max(0, min(frames, 150 - position))
    samples.update(repeating: 7, count: 2 * count)
    position += count
    return count
  }

  func seek(to frame: Int) throws(TrackError) { position = frame }
  func close() {}
}

@Suite struct TrackLengthTests {
  @Test(
    "T6.1: of a track whose length only its end has shown, a place at that end is its end, and one beyond its start")
  func foundEnd() throws {
    let signals = EngineSignals()
    let buffer = StreamBuffer(capacity: 1 << 16, signals: signals, decode: signals.decode)
    let decoder = Decoder(
      streamBuffer: buffer, rate: 48_000, opener: UnknownTrack(), library: Library(paths: ["a", "b"]))
    func begin(_ track: TrackID, at frame: Int) -> Int? {
      decoder.post(.load(stream: 1, number: 1, track: track, frame: frame, rate: 48_000))
      for _ in 0..<20 { _ = decoder.step() }
      return buffer.boundaries.pop()?.frame
    }
    #expect(begin(0, at: 150) == 0)
    #expect(begin(0, at: 150) == 150)
    #expect(begin(0, at: 149) == 149)
    #expect(begin(0, at: 151) == 0)
    #expect(begin(1, at: 150) == 0)
  }

  @Test("P12: the fade of a track that breaks off fits into a chunk, at whatever rate the device runs")
  func fadeAtHighRate() {
    let signals = EngineSignals()
    let buffer = StreamBuffer(capacity: 1 << 16, signals: signals, decode: signals.decode)
    let tracks = CountingTracks(["a": 200], breaks: ["a": 100], loud: true)
    let decoder = Decoder(streamBuffer: buffer, rate: 48_000, opener: tracks, library: Library(paths: ["a"]))
    decoder.post(.load(stream: 1, number: 1, track: 0, frame: 0, rate: 384_000))
    for _ in 0..<20 { _ = decoder.step() }
    // The ramp of a volume would be 7,680 frames long.
    #expect(buffer.ring.written == 100 + 4_096)
  }

  @Test("a length that decoding has put right is reported at the board's rate")
  func putRight() {
    let signals = EngineSignals()
    let buffer = StreamBuffer(capacity: 1 << 16, signals: signals, decode: signals.decode)
    let decoder = Decoder(streamBuffer: buffer, rate: 48_000, opener: LyingTrack(), library: Library(paths: ["a"]))
    decoder.post(.load(stream: 3, number: 1, track: 0, frame: 0, rate: 24_000))
    for _ in 0..<20 { _ = decoder.step() }
    #expect(
      decoder.takeReports() == [
        .opened(stream: 3, track: 0, TrackTags(frames: 240)), .measured(stream: 3, track: 0, frames: nil),
        .measured(stream: 3, track: 0, frames: 300),
      ])
  }
}
