import Board

/// Tracks whose every frame names itself: left is the frame's number from 1, right the track's number. A sample that is
/// missing, doubled or changed shows.
final class CountingTracks: TrackOpener {
  /// Lengths in frames by path; a path that is not here is a file that is missing.
  private let lengths: [String: Int]
  /// Frames after which a track breaks off, by path.
  private let breaks: [String: Int]

  /// Right is near full scale and falls with the track's number, which is its name: no fade can be taken for a track.
  private let isLoud: Bool

  init(_ lengths: [String: Int], breaks: [String: Int] = [:], loud: Bool = false) {
    self.lengths = lengths
    isLoud = loud
    self.breaks = breaks
  }

  static func left(_ frame: Int) -> Int16 { Int16(frame % 30_000 + 1) }

  static func right(_ path: String) -> Int16 { Int16(path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000 } + 1) }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    guard let length = lengths[path] else { throw TrackError(operation: .open, path: path, reason: "no such file") }
    let right = isLoud ? 30_000 - (Int16(path) ?? 0) : Self.right(path)
    return Source(path: path, length: length, breaksAt: breaks[path], right: right)
  }

  private final class Source: TrackSource {
    let path: String
    let length: Int
    let breaksAt: Int?
    private var position = 0
    private let right: Int16

    init(path: String, length: Int, breaksAt: Int?, right: Int16) {
      self.path = path
      self.length = length
      self.breaksAt = breaksAt
      self.right = right
    }

    var info: TrackInfo { TrackInfo(title: "title of \(path)", rate: 44_100, channels: 2, frames: length) }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      if let breaksAt, position >= breaksAt {
        throw TrackError(operation: .read, path: path, reason: "damaged")
      }
      let count = min(frames, (breaksAt ?? length) - position)
      var frame = 0
      while frame < count {
        samples[frame &* 2] = CountingTracks.left(position &+ frame)
        samples[frame &* 2 &+ 1] = right
        frame &+= 1
      }
      position += count
      return count
    }

    func seek(to frame: Int) throws(TrackError) { position = min(frame, length) }

    func close() {}
  }
}
