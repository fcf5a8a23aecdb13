import AudioSession
import RealtimeAudio

/// One of the sounds that the engine mixes, the music or a clip: which of its frames lies where on the device's
/// timeline, and how loud. Audio thread.
final class Voice {
  enum State {
    case silent
    /// Sounds as soon as enough is decoded.
    case priming
    /// From the passage's first frame on, which the device may not have come to yet.
    case sounding
    case fading(Fade)
  }

  /// A fade-out that the device is playing.
  struct Fade {
    /// When its last frame is heard, if the device keeps time.
    var end: Instant
    /// The timeline's index behind its last frame.
    var last: Int
    /// The ring's index to go on from afterwards.
    var resume: Int
    /// Whether it sounds again by itself, on another output.
    var goesOn: Bool
  }

  /// How long a decoder may leave us with less than the device can hold; tracks of a few frames do for ever.
  private static let patience = Duration.milliseconds(250)

  let feed: Feed
  var state = State.silent
  var gains = Gains()
  var marks = Marks()
  /// The stream or clip to play, the load that made it, and whether its first marker is still to come.
  private(set) var stream: UInt8 = 0
  private var load = 0
  /// What that load brings is not wanted any more.
  private var isForgotten = false
  private(set) var isAwaitingStream = true
  /// The first marker of a stream that no command has named yet.
  private var early: Marker?
  /// The ring's index to go on from; while it sounds, the passage tells.
  var place = 0
  var passage = Passage(start: 0, origin: 0)
  /// When priming ends with less than wanted.
  var startBy: Instant?

  init(feed: Feed) { self.feed = feed }

  var isPriming: Bool { if case .priming = state { true } else { false } }
  var isSounding: Bool { if case .sounding = state { true } else { false } }
  var fade: Fade? { if case .fading(let fade) = state { fade } else { nil } }
  /// Whether it has frames on the timeline.
  var isOn: Bool {
    switch state {
    case .silent, .priming: false
    case .sounding, .fading: true
    }
  }

  // MARK: - The stream

  func load(_ id: UInt8, _ number: Int) {
    stream = id
    load = number
    isForgotten = false
    awaitStream()
  }

  /// What it has is not wanted, nor what its load still brings. What comes next is taken only once a command names it.
  func forget() {
    state = .silent
    isForgotten = true
    awaitStream()
  }

  private func awaitStream() {
    isAwaitingStream = true
    startBy = nil
    marks.removeAll()
    takeMarkers()
  }

  func takeMarkers() {
    while !marks.isFull, let marker = early ?? feed.markers.pop() {
      // The decoder may be faster than the command that tells us of its stream.
      early = marker.load > load ? marker : nil
      if early != nil { return }
      // It may have waited for the place.
      feed.signals.decode.raise()
      if marker.load < load || isForgotten { continue }
      if isAwaitingStream {
        isAwaitingStream = false
        place = marker.index
        release(before: place)
      }
      marks.append(marker)
    }
  }

  /// Whether enough is decoded to start a device that holds `frames`.
  func isPrimed(for frames: Int, at now: Instant) -> Bool {
    let ready = feed.ring.written - place
    if ready >= min(frames, feed.ring.capacity / 4) || marks.end != nil { return true }
    guard ready > 0 else { return false }
    let startBy = startBy ?? now + Self.patience
    self.startBy = startBy
    return now >= startBy
  }

  /// The track and frame that it would go on with.
  var position: (track: Int, frame: Int)? { isAwaitingStream ? nil : marks.position(at: place) }

  // MARK: - On the timeline

  /// Sounds from the timeline's index `time` on. From a track's first frame it rises by itself; from anywhere else it
  /// has to be faded in.
  func begin(at time: Int, fadeFrames: Int) {
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
  func halt(at time: Int) {
    guard isSounding else { return }
    place = max(marks.floor, passage.origin, min(passage.index(at: time), marks.end ?? .max))
    state = .priming
  }

  /// The timeline's index from which on it is silent.
  var stop: Int {
    switch state {
    case .silent, .priming: .min
    case .sounding: marks.end.map { passage.time(of: $0) } ?? .max
    case .fading(let fade): fade.last
    }
  }

  /// How many frames from `time` on, `limit` at most, it can render in one go; 0: it waits for the decoder.
  func piece(at time: Int, limit: Int) -> Int {
    let stop = stop
    if time >= stop { return limit }
    if time < passage.start { return min(limit, passage.start - time) }
    return feed.ring.run(from: passage.index(at: time), limit: min(limit, stop - time)).count / 2
  }

  /// Renders a piece; false where it is silent.
  func render(_ output: UnsafeMutablePointer<Int16>, frames: Int, at time: Int) -> Bool {
    guard time >= passage.start, time < stop else { return false }
    let input = feed.ring.run(from: passage.index(at: time), limit: frames)
    guard let samples = input.baseAddress else { return false }
    gains.render(samples, to: output, frames: input.count / 2, at: time)
    return true
  }

  /// Gives room back to the decoder, all but `kept` frames before what is heard at the timeline's index `time`.
  func release(heard time: Int, kept: Int, low: Int) {
    guard !isAwaitingStream else { return }
    var index = isOn ? max(passage.origin, passage.index(at: time)) : place
    if let fade { index = min(index, fade.resume) }
    release(before: index - kept)
    if feed.ring.written - index < min(low, feed.ring.capacity / 2) { feed.signals.decode.raise() }
  }

  private func release(before index: Int) { feed.ring.release(upTo: index) }
}
