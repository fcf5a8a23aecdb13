import AudioSession
import RealtimeAudio

/// One of the sounds that the engine mixes, the music or a clip: which of its frames lies where on the device's
/// timeline, and how loud. A value; its frames are in a ring elsewhere.
struct MixVoice: Hashable, Sendable {
  enum Name: Hashable, Sendable {
    case music
    case clip
  }

  enum State: Hashable, Sendable {
    case silent
    /// Sounds as soon as enough is decoded.
    case priming
    /// From the passage's first frame on, which the device may not have come to yet.
    case sounding
    case fading(Fade)
  }

  /// A fade-out that the device is playing.
  struct Fade: Hashable, Sendable {
    /// When its last frame is heard, if the device keeps time.
    var end: Instant
    /// The timeline's index behind its last frame.
    var last: Int
    /// The ring's index to go on from afterwards.
    var resume: Int
    /// Whether it sounds again by itself, on another output.
    var goesOn: Bool
  }

  /// Frames of the timeline that are rendered in one go.
  enum Piece: Hashable, Sendable {
    case silence(frames: Int)
    /// The ring's frames from this index on.
    case sound(from: Int, frames: Int)

    var frames: Int {
      switch self {
      case .silence(let frames), .sound(_, let frames): frames
      }
    }
  }

  /// Frames that the ring holds at most.
  let capacity: Int
  /// The ring's index behind the last frame decoded, as of before the boundaries were looked at last.
  var decoded = 0
  var state = State.silent
  var gains = Gains()
  var boundaries = TrackBoundaries()
  /// The stream or clip to play, the load that made it, and whether its first boundary is still to come.
  private(set) var stream: UInt8 = 0
  private(set) var load = 0
  /// What that load brings is not wanted any more.
  private(set) var isForgotten = false
  private(set) var isAwaitingStream = true
  /// The first boundary of a stream that no command has named yet.
  private(set) var early: TrackBoundary?
  /// The ring's index to go on from; while it sounds, the passage tells.
  var place = 0
  var passage = Passage(start: 0, origin: 0)
  /// When priming ends with less than wanted.
  var startBy: Instant?

  init(capacity: Int) { self.capacity = capacity }

  var isPriming: Bool { state == .priming }
  var isSounding: Bool { state == .sounding }
  var fade: Fade? { if case .fading(let fade) = state { fade } else { nil } }
  /// Whether it has frames on the timeline.
  var isOn: Bool {
    switch state {
    case .silent, .priming: false
    case .sounding, .fading: true
    }
  }

  /// Neither sounds nor is about to.
  mutating func silence() {
    state = .silent
    startBy = nil
  }

  // MARK: - The stream

  mutating func load(_ id: UInt8, _ number: Int) {
    stream = id
    load = number
    isForgotten = false
    awaitStream()
    if let boundary = early, boundary.load <= load {
      early = nil
      take(boundary)
    }
  }

  /// What it has is not wanted, nor what its load still brings. What comes next is taken only once a command names it.
  mutating func forget() {
    silence()
    isForgotten = true
    awaitStream()
  }

  private mutating func awaitStream() {
    isAwaitingStream = true
    startBy = nil
    boundaries.removeAll()
  }

  /// Whether another boundary has a place.
  var wantsBoundaries: Bool { early == nil && !boundaries.isFull }

  mutating func take(_ boundary: TrackBoundary) {
    // The decoder may be faster than the command that tells us of its stream.
    if boundary.load > load {
      early = boundary
    } else if boundary.load == load && !isForgotten {
      if isAwaitingStream {
        isAwaitingStream = false
        place = boundary.index
      }
      boundaries.append(boundary)
    }
  }

  /// The ring's index behind the last frame that may be heard: what lies behind is not decoded, or of a stream that no
  /// command has named.
  var end: Int { min(decoded, boundaries.end ?? .max, early?.index ?? .max) }

  /// Whether enough is decoded to start a device that holds `frames`. A decoder may leave us with less for as long as
  /// `patience`; tracks of a few frames do for ever.
  mutating func isPrimed(for frames: Int, patience: Duration, at now: Instant) -> Bool {
    let ready = end - place
    if ready >= min(frames, capacity / 4) || boundaries.end != nil { return true }
    guard ready > 0 else { return false }
    let startBy = startBy ?? now + patience
    self.startBy = startBy
    return now >= startBy
  }

  /// The track and frame that it would go on with.
  var position: (track: Int, frame: Int)? { isAwaitingStream ? nil : boundaries.position(at: place) }

  // MARK: - On the timeline

  /// Sounds from the timeline's index `time` on. From a track's first frame it rises by itself; from anywhere else it
  /// has to be faded in.
  mutating func begin(at time: Int, fadeFrames: Int) {
    if position?.frame == 0 {
      gains.fade = GainRamp(GainRamp.unity)
    } else {
      gains.fade = GainRamp(0)
      gains.fade.move(to: GainRamp.unity, at: time, frames: fadeFrames)
    }
    passage = Passage(start: time, origin: place)
    startBy = nil
    state = .sounding
  }

  /// Stops where the listener is, at the timeline's index `time`, to sound again from there.
  mutating func halt(at time: Int) {
    guard isSounding else { return }
    place = max(boundaries.floor, passage.origin, min(passage.index(at: time), boundaries.end ?? .max))
    state = .priming
  }

  /// The timeline's index from which on it is silent.
  var stop: Int {
    switch state {
    case .silent, .priming: .min
    case .sounding: boundaries.end.map { passage.time(of: $0) } ?? .max
    case .fading(let fade): fade.last
    }
  }

  /// What it is from `time` on, for `limit` frames at most; of no frames where it waits for the decoder.
  func piece(at time: Int, limit: Int) -> Piece {
    let stop = stop
    if time >= stop { return .silence(frames: limit) }
    if time < passage.start { return .silence(frames: min(limit, passage.start - time)) }
    let index = passage.index(at: time)
    return .sound(from: index, frames: max(0, min(limit, stop - time, end - index)))
  }

  /// The first of the ring's frames that are still needed, when the timeline's index `time` is heard.
  func needed(heard time: Int) -> Int {
    let index = isOn ? max(passage.origin, passage.index(at: time)) : place
    return min(index, fade?.resume ?? index)
  }
}
