import AudioSession

@testable import Jukebox

/// What the real engine and decoder do, seen from the brain: which command leads to which report, and what the
/// listener hears. Decoding and hearing happen when the test says so; everything else happens at once.
struct EngineModel: Hashable {
  enum Phase: Hashable { case silent, priming, running }
  enum Decoder: Hashable {
    case idle
    /// This track is to be opened.
    case opening(Int)
    /// The last track told is opened or failed; it is not known yet what follows.
    case asking
  }

  var phase = Phase.silent
  var decoder = Decoder.idle
  var stream: UInt8 = 0
  /// Tracks decoded and not heard to their end; the first is the one that is heard.
  var marks: [Int] = []
  /// The first mark's track was reported as begun.
  var hasBegun = false
  /// Nothing follows the last mark.
  var isClosed = false
  /// The last frame of the stream was heard.
  var isOver = false
  /// What is decoded is of another rate than the output now has.
  var isReshaped = false
  /// Frame of the first mark's track to go on from, and since when sound runs from it.
  var frame = 0
  var since: Instant?
  /// Where a fade-out ends, whatever the clock says; nil: the clock says.
  var frozenFrame: Int?
  var rate = 48_000

  var port: Port?
  var volume = 0
  var others: [Port: Int] = [:]
  var isOpen = false
  /// Closed for the time of an interruption; the next sound opens it again.
  var isReleased = false
  var deviceWorks = true
  /// In dB.
  var duck = 0.0
  var clip: Clip?

  /// A cue that the engine was told to speak.
  struct Clip: Hashable {
    var id: UInt8
    var cue: Int
    var isHeard = false
    var isHushed = false
  }

  /// The cue that is heard now.
  var speaking: Int? { clip.flatMap { $0.isHeard && !$0.isHushed ? $0.cue : nil } }

  /// What the brain was not told yet, in order.
  var reports: [AudioReport] = []
  /// A command that the brain must never give in this state.
  var complaint: String?

  func position(at now: Instant) -> Position? {
    marks.first.map { track in
      guard let since else { return Position(track: track, frame: frame) }
      let heard = max(0, now.frame(rate: rate) - since.frame(rate: rate))
      return Position(track: track, frame: frozenFrame ?? frame + heard)
    }
  }

  // MARK: - Commands

  mutating func obey(_ command: AudioCommand, at now: Instant) {
    switch command {
    case .load(let id, let position): load(id, position)
    case .follow(let id, let track): follow(id, track, at: now)
    case .play:
      if decoder == .idle && marks.isEmpty && !isClosed && !isReshaped { complaint = "play without a stream" }
      if phase == .silent { phase = .priming }
      openIfReleased(at: now)
      startIfReady(at: now)
    case .silence(let edge):
      stand(at: edge ?? now)
      phase = .silent
      reports.append(.silenced(stream: stream, position(at: now) ?? Position(track: -1, frame: 0)))
    case .route(let new, let volume):
      stand(at: now)
      if phase == .running { phase = .priming }
      port = new
      self.volume = volume
      isOpen = false
      if new != nil && !isReleased { open(at: now) }
    case .volume(let volume): self.volume = volume
    case .reopen:
      guard port != nil else { return }
      isReleased = false
      if !isOpen { open(at: now) }
      if isOpen { reports.append(.outputRestored) }
    case .release:
      if phase != .silent { complaint = "release while sounding" }
      isReleased = true
      decoder = .idle
      marks = []
      isClosed = false
      if clip == nil { isOpen = false }
    case .others(let others): self.others = others
    case .duck(let level, _): duck = level
    case .speak(let id, let cue):
      openIfReleased(at: now)
      clip = Clip(id: id, cue: cue)
      if !isOpen { failClip("no output") }
    case .pauseClip:
      // One that has just ended by itself may be clipPaused: the brain has not heard of it.
      if clip?.isHushed == true { complaint = "pauseClip of a clipPaused clip" }
      clip?.isHushed = true
    case .resumeClip:
      if clip?.isHushed == false { complaint = "speak on of a clip that is not clipPaused" }
      clip?.isHushed = false
    }
  }

  private mutating func openIfReleased(at now: Instant) {
    guard isReleased else { return }
    isReleased = false
    if !isOpen && port != nil { open(at: now) }
  }

  // MARK: - The clip

  /// Whether the clip's first frame is still to be heard.
  var isClipDue: Bool { clip.map { !$0.isHeard && !$0.isHushed } ?? false }

  mutating func clipBegins(at now: Instant) {
    guard isClipDue, let id = clip?.id else { return }
    guard deviceWorks else { return lose(at: now) }
    clip?.isHeard = true
    reports.append(.clipStarted(clip: id, at: now))
  }

  mutating func clipHeardOut() {
    guard speaking != nil, let id = clip?.id else { return }
    clip = nil
    reports.append(.clipEnded(clip: id))
  }

  mutating func failClip(_ reason: String) {
    guard let id = clip?.id else { return }
    clip = nil
    reports.append(.clipFailed(clip: id, reason: reason))
  }

  private mutating func load(_ id: UInt8, _ position: Position) {
    if phase != .silent { complaint = "load while sounding" }
    stream = id
    decoder = .opening(position.track)
    marks = []
    hasBegun = false
    isClosed = false
    isOver = false
    isReshaped = false
    frame = position.frame
  }

  private mutating func follow(_ id: UInt8, _ track: Int?, at now: Instant) {
    guard id == stream else { return }
    if decoder != .asking { complaint = "follow that nobody asked for" }
    if let track {
      decoder = .opening(track)
    } else {
      decoder = .idle
      isClosed = true
      startIfReady(at: now)
    }
  }

  private mutating func open(at now: Instant) {
    guard deviceWorks else { return lose(at: now) }
    isOpen = true
    startIfReady(at: now)
  }

  private mutating func startIfReady(at now: Instant) {
    guard phase == .priming, isOpen, !isReshaped else { return }
    if marks.isEmpty && !isClosed { return }
    // The device went while nobody looked.
    guard deviceWorks else { return lose(at: now) }
    if isOver || (isClosed && marks.isEmpty) {
      phase = .silent
      reports.append(.ended(stream: stream))
    } else if let position = position(at: now) {
      phase = .running
      since = now
      reports.append(.started(stream: stream, position, at: now))
      if !hasBegun { reports.append(.began(stream: stream, position, at: now)) }
      hasBegun = true
    }
  }

  /// Where the listener is from now on, without sound.
  private mutating func stand(at instant: Instant) {
    frame = position(at: instant)?.frame ?? frame
    since = nil
  }

  // MARK: - What happens by itself

  /// The decoder has opened the track it was told.
  mutating func decoded(_ tags: TrackTags = TrackTags(), at now: Instant) {
    guard case .opening(let track) = decoder else { return }
    decoder = .asking
    marks.append(track)
    reports.append(.opened(stream: stream, track: track, tags))
    startIfReady(at: now)
  }

  mutating func failed(_ reason: String) {
    guard case .opening(let track) = decoder else { return }
    decoder = .asking
    if marks.isEmpty { frame = 0 }
    reports.append(.failed(stream: stream, track: track, reason: reason))
  }

  /// The track at hand is heard to its end.
  mutating func heardOut(at now: Instant) {
    guard phase == .running else { return }
    if marks.count > 1 {
      marks.removeFirst()
      frame = 0
      since = now
      reports.append(.began(stream: stream, Position(track: marks[0], frame: 0), at: now))
    } else if isClosed {
      isOver = true
      since = nil
      phase = .silent
      reports.append(.ended(stream: stream))
    }
  }

  /// The track at hand breaks off; what follows is for `heardOut` to say.
  mutating func breaksOff(at now: Instant) {
    guard phase == .running, let position = position(at: now) else { return }
    reports.append(.brokeOff(stream: stream, position, reason: "damaged"))
  }

  /// The device has come back in another shape: all that was decoded is of the wrong rate (R12).
  mutating func reshape(at now: Instant) {
    stand(at: now)
    phase = .silent
    reports.append(.outputChanged(rate: 44_100, bufferFrames: 1, position(at: now)))
    marks = []
    isClosed = false
    isReshaped = true
    clip = nil
  }

  /// The device is gone.
  mutating func lose(at now: Instant) {
    stand(at: now)
    isOpen = false
    phase = .silent
    reports.append(.outputLost(reason: "gone", position(at: now)))
    failClip("gone")
  }
}
