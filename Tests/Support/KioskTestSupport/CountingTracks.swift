import Board

/// Tracks whose every frame names itself: left is the frame's number from 1, right the track's number. A sample that is
/// missing, doubled or changed shows.
final class CountingTracks: TrackOpener, Sendable {
  /// Lengths in frames by path; a path that is not here is a file that is missing.
  private let lengths: [String: Int]
  /// Frames after which a track breaks off, by path.
  private let breaks: [String: Int]
  /// Whether its storage is to blame for that.
  private let failsStorage: Bool

  enum Sound: Sendable {
    case plain
    /// Right is near full scale and falls with the track's number, which is its name: no fade can be taken for a track.
    case loud
    /// The frame's number on one side only, so that music and a cue that are mixed can be told apart.
    case left
    case right
  }
  private let sound: Sound

  init(_ lengths: [String: Int], breaks: [String: Int] = [:], failsStorage: Bool = false, sound: Sound) {
    self.lengths = lengths
    self.sound = sound
    self.breaks = breaks
    self.failsStorage = failsStorage
  }

  convenience init(_ lengths: [String: Int], breaks: [String: Int] = [:], loud: Bool = false) {
    self.init(lengths, breaks: breaks, sound: loud ? .loud : .plain)
  }

  static func left(_ frame: Int) -> Int16 { Int16(frame % 30_000 + 1) }

  static func right(_ path: String) -> Int16 { Int16(path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000 } + 1) }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    guard let length = lengths[path] else { throw TrackError(operation: .open, path: path, reason: "no such file") }
    let right: Int16? =
      switch sound {
      case .plain: Self.right(path)
      case .loud: 30_000 - (Int16(path) ?? 0)
      case .left: 0
      case .right: nil
      }
    return Source(path: path, length: length, breaksAt: breaks[path], failsStorage, right: right)
  }

  private final class Source: TrackSource {
    let path: String
    let length: Int
    let breaksAt: Int?
    private let failsStorage: Bool
    private var position = 0
    /// nil: the frame's number, and nothing on the left.
    private let right: Int16?

    init(path: String, length: Int, breaksAt: Int?, _ failsStorage: Bool, right: Int16?) {
      self.path = path
      self.length = length
      self.breaksAt = breaksAt
      self.failsStorage = failsStorage
      self.right = right
    }

    var info: TrackInfo { TrackInfo(title: "title of \(path)", rate: 44_100, channels: 2, frames: length) }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      if let breaksAt, position >= breaksAt {
        throw TrackError(operation: .read, path: path, reason: "damaged", isStorage: failsStorage)
      }
      let count = min(frames, (breaksAt ?? length) - position)
      var frame = 0
      while frame < count {
        let name = CountingTracks.left(position &+ frame)
        samples[frame &* 2] = right == nil ? 0 : name
        samples[frame &* 2 &+ 1] = right ?? name
        frame &+= 1
      }
      position += count
      return count
    }

    func seek(to frame: Int) throws(TrackError) { position = min(frame, length) }

    func close() {}
  }
}
