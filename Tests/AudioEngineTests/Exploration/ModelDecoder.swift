import Jukebox

@testable import AudioEngine

/// A decoder and its ring, without the frames.
struct ModelDecoder: Hashable {
  enum Phase: Hashable {
    case idle
    /// The track of this number begins at this frame, with this many left.
    case opening(track: Int, frame: Int, left: Int)
    case writing(track: Int, left: Int)
    case ending
  }

  let capacity: Int
  var phase = Phase.idle
  var load = 0
  var written = 0
  /// Frames before this one were given back.
  var released = 0
  var boundaries: [TrackBoundary] = []
  var wantsFrames = false
  /// Where the frames of a load lie, as far as it is known: the first, and the one just after the last.
  struct Extent: Hashable {
    var load: Int
    var first: Int?
    var end: Int?
    /// The index just after the last frame that was written.
    var behind = 0
    /// The indices of its tracks' first frames.
    var starts: [Int] = []
  }
  /// The extents of the current load and of the previous one.
  var extents = [Extent(load: 0), Extent(load: 0)]

  init(capacity: Int) { self.capacity = capacity }

  var room: Int { capacity - (written - released) }

  func extent(of load: Int) -> Extent { extents.first { $0.load == load } ?? Extent(load: load) }

  mutating func start(load: Int, track: Int, frame: Int, length: Int) {
    self.load = load
    extents = [Extent(load: load), extents[0]]
    phase = .opening(track: track, frame: frame, left: length == .max ? .max : length - frame)
  }

  /// Whether it has work to do.
  var isBusy: Bool {
    switch phase {
    case .idle: false
    case .opening, .ending: boundaries.count < 3
    case .writing: room > 0
    }
  }

  /// Does a piece of work. Returns whether the engine is woken by it.
  mutating func work(tracks: [Int]) -> Bool {
    switch phase {
    case .idle: return false
    case .opening(let track, let frame, let left):
      boundaries.append(TrackBoundary(load: load, track: TrackID(track), frame: frame, index: written))
      if frame == 0 { extents[0].starts.append(written) }
      if extents[0].first == nil { extents[0].first = written }
      phase = .writing(track: track, left: left)
      return true
    case .writing(let track, let left):
      let frames = min(room, left)
      written += frames
      extents[0].behind = written
      if left != .max {
        let next = track + 1
        phase =
          left > frames
          ? .writing(track: track, left: left - frames)
          : next < tracks.count ? .opening(track: next, frame: 0, left: tracks[next]) : .ending
      }
      defer { wantsFrames = false }
      return wantsFrames
    case .ending:
      boundaries.append(TrackBoundary(load: load, track: nil, frame: 0, index: written))
      extents[0].end = written
      phase = .idle
      return true
    }
  }
}
