import AudioSession
import Jukebox
import RealtimeAudio

/// One of the sounds that the engine mixes, the music or a cue: where on the device's timeline its frames lie, and how loud
/// they are. It is a value; the frames themselves are in a ring elsewhere.
struct MixVoice: Hashable, Sendable {
  enum Name: Hashable, Sendable {
    case music
    case cue
  }

  enum State: Hashable, Sendable {
    case silent
    /// Will sound as soon as enough is decoded.
    case priming
    /// Sounds from the passage's first frame on, which the device may not have reached yet.
    case sounding
    case fading(Fade)
  }

  /// A fade-out that the device is playing.
  struct Fade: Hashable, Sendable {
    /// The instant at which its last frame is heard, if the device keeps time.
    var end: Instant
    /// The timeline's index just after its last frame.
    var last: Int
    /// The ring's index to continue from afterwards.
    var resume: Int
    /// Whether the voice resumes by itself, on another output.
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

  /// The ring's capacity in frames.
  let capacity: Int
  /// The ring's index just after the last decoded frame, read before the boundaries were last taken.
  var decoded = 0
  var state = State.silent
  var gains = Gains()
  var boundaries = TrackBoundaries()
  /// The stream or cue to play.
  private(set) var stream: UInt8 = 0
  /// The number of the load that started it.
  private(set) var load = 0
  /// Whether the frames of that load are to be discarded.
  private(set) var isForgotten = false
  /// Whether the first boundary of that load is still to come.
  private(set) var isAwaitingStream = true
  /// The first boundary of a stream that no command has named yet.
  private(set) var early: TrackBoundary?
  /// The ring's index to continue from. While the voice sounds it is not kept up to date; `passage` gives it then.
  var place = 0
  var passage = Passage(start: 0, origin: 0)
  /// When the passage's first frame is heard, as it was reported at the start.
  var startedAt = Instant.powerOn
  /// Whether an edge has silenced it, and the command that says so is still behind one that waits for a fade.
  var awaitsSilence = false
  /// When to start with less decoded than wanted.
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

  /// Makes it silent, also if it was about to sound.
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

  /// Discards its frames and those that its load still brings. The next stream is taken only once a command names it.
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

  /// Whether there is room for another boundary.
  var wantsBoundaries: Bool { early == nil && !boundaries.isFull }

  mutating func take(_ boundary: TrackBoundary) {
    // The decoder may be faster than the command that names its stream.
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

  /// The ring's index just after the last frame that may be heard: later frames are not decoded yet, or belong to a
  /// stream that no command has named.
  var end: Int { min(decoded, boundaries.end ?? .max, early?.index ?? .max) }

  /// Returns whether enough is decoded to start a device that holds `frames`. After `patience` less will do, because
  /// tracks of a few frames never bring more.
  mutating func checkPrimed(for frames: Int, patience: Duration, at now: Instant) -> Bool {
    let ready = end - place
    if ready >= min(frames, capacity / 4) || boundaries.end != nil { return true }
    guard ready > 0 else { return false }
    let startBy = startBy ?? now + patience
    self.startBy = startBy
    return now >= startBy
  }

  /// The track and frame that it would continue with.
  var position: (track: TrackID, frame: Int)? { isAwaitingStream ? nil : boundaries.position(at: place) }

  // MARK: - On the timeline

  /// The ring's index to go on from when sound ends at `index`. A voice that was still fading in there fades in from the
  /// same frame again, because the frames after it were heard too softly.
  func resumption(at index: Int, fadeFrames: Int) -> Int {
    let isFadingIn =
      index < passage.origin + fadeFrames && gains.fade.gain(at: passage.time(of: index)) < GainRamp.unity
    return isFadingIn ? min(index, passage.origin) : index
  }

  /// Starts to sound at the timeline's index `time`. A track's first frame needs no fade-in; any other frame does.
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

  /// Stops at the frame that the listener hears, at the timeline's index `time`, and primes to sound again from there.
  mutating func halt(at time: Int, fadeFrames: Int) {
    guard isSounding else { return }
    let heard = resumption(at: passage.index(at: time), fadeFrames: fadeFrames)
    place = max(boundaries.floor, passage.origin, min(heard, boundaries.end ?? .max))
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

  /// What it plays from `time` on, for at most `limit` frames; no frames while it waits for the decoder.
  func piece(at time: Int, limit: Int) -> Piece {
    let stop = stop
    if time >= stop { return .silence(frames: limit) }
    if time < passage.start { return .silence(frames: min(limit, passage.start - time)) }
    let index = passage.index(at: time)
    return .sound(from: index, frames: max(0, min(limit, stop - time, end - index)))
  }

  /// The first of the ring's frames that is still needed while the timeline's index `time` is heard.
  func needed(heard time: Int) -> Int {
    let index = isOn ? max(passage.origin, passage.index(at: time)) : place
    return min(index, fade?.resume ?? index)
  }
}
