import Board

/// What is played into a cable: 1 kHz at a quarter of full scale, without an end.
final class LoopTone: TrackOpener {
  static func sample(_ frame: Int, rate: Int) -> Int16 {
    let half = max(1, rate / 2_000)
    return frame / half % 2 == 0 ? 8_000 : -8_000
  }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource { Source(rate) }

  private final class Source: TrackSource {
    private let rate: Int
    private var position = 0

    init(_ rate: Int) { self.rate = rate }

    var info: TrackInfo { TrackInfo(rate: rate, channels: 2, frames: nil) }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      for frame in 0..<frames {
        let sample = LoopTone.sample(position + frame, rate: rate)
        (samples[2 * frame], samples[2 * frame + 1]) = (sample, sample)
      }
      position += frames
      return frames
    }

    func seek(to frame: Int) throws(TrackError) { position = frame }

    func close() {}
  }
}
