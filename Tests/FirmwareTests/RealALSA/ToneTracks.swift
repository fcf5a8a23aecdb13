import Board
import Glibc

/// Tracks of two tones a channel, whose every frame can be computed again.
final class ToneTracks: TrackOpener {
  static let rate = 44_100
  /// No sample is larger.
  static let peak = 17_000
  private let length: Int

  /// - Parameter length: of each track, frames.
  init(length: Int) { self.length = length }

  /// Left and right of a track's frame: from silence on, well below full scale, and without a common period.
  static func frame(_ track: String, _ frame: Int) -> (left: Int16, right: Int16) {
    let pitch = 1 + 0.1 * Double(track.utf8.reduce(0) { $0 + Int($1) } % 8)
    let time = Double(frame) * pitch * 2 * .pi / Double(rate)
    return (tones(time, 331, 1_277), tones(time, 443, 1_579))
  }

  private static func tones(_ time: Double, _ low: Double, _ high: Double) -> Int16 {
    let sum: Double = 9_000 * sin(time * low) + 8_000 * sin(time * high)
    return Int16(sum.rounded())
  }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource { Source(path: path, length: length) }

  private final class Source: TrackSource {
    let path: String
    let length: Int
    private var position = 0

    init(path: String, length: Int) {
      self.path = path
      self.length = length
    }

    var info: TrackInfo { TrackInfo(title: path, rate: ToneTracks.rate, channels: 2, frames: length) }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      let count = min(frames, length - position)
      for frame in 0..<count {
        (samples[2 * frame], samples[2 * frame + 1]) = ToneTracks.frame(path, position + frame)
      }
      position += count
      return count
    }

    func seek(to frame: Int) throws(TrackError) { position = min(frame, length) }

    func close() {}
  }
}
