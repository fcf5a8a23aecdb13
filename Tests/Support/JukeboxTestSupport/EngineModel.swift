import AudioSession

@testable import Jukebox

/// A model of engine and decoder, as the brain sees them: which command leads to which report, and what the listener
/// hears. Decoding and playing advance when the test calls for them; everything else happens at once.
struct EngineModel: Hashable {
  enum Phase: Hashable { case silent, priming, running }
  enum Decoder: Hashable {
    case idle
    /// This track must be opened next.
    case opening(TrackID)
    /// The last requested track is open or has failed, and it is not known yet which one follows.
    case asking
  }

  var phase = Phase.silent
  var decoder = Decoder.idle
  var stream: UInt8 = 0
  /// Tracks that are decoded and not heard to their end; the first is the one that is heard.
  var tracks: [TrackID] = []
  /// Whether the first track in `tracks` was reported as begun.
  var hasBegun = false
  /// Whether no track follows the last one in `tracks`.
  var isClosed = false
  /// Whether the decoder has come to that end: what follows now comes too late, and is ignored.
  var isEndDecoded = false
  /// Whether the last frame of the stream was heard.
  var isOver = false
  /// Whether the decoded tracks have another rate than the output now.
  var isReshaped = false
  /// The frame of the first track in `tracks` to continue from, and since when sound runs from it.
  var frame = 0
  var since: Instant?
  /// The frame that every fade-out ends at; nil where the clock decides.
  var frozenFrame: Int?
  var rate = 48_000

  /// What the decoder opens; nil: the first library.
  var library: Library?
  var port: Port?
  var volume = 0
  var others: [Port: Int] = [:]
  var isOpen = false
  /// Whether the device is closed during an interruption; the next sound opens it again.
  var isReleased = false
  var deviceWorks = true
  /// Whose device that is; nil: all ports have the same.
  var faultyPort: Port?
  var works: Bool { deviceWorks || faultyPort.map { $0 != port } ?? false }
  /// Whether the device of another port takes its time to be opened while something sounds (B1), and the port for which
  /// one is being opened.
  var opensSlowly = false
  private(set) var ahead: Ahead?

  struct Ahead: Hashable {
    var port: Port
    var volume: Int
  }
  /// Where the sound is, or moves to, and its volume there.
  var destination: Port? { ahead?.port ?? port }
  var nextVolume: Int { ahead?.volume ?? volume }
  /// The level of the music, in dB.
  var duck = 0.0
  /// What was commanded of the sides of ports.
  var channels: [Port: PortChannels] = [:]
  var cue: Cue?

  /// A cue that the engine was commanded to speak.
  struct Cue: Hashable {
    var id: UInt8
    var index: Int
    var isHeard = false
    var isPaused = false
  }

  /// The cue that is heard now.
  var speaking: Int? { cue.flatMap { $0.isHeard && !$0.isPaused && isOpen ? $0.index : nil } }
  /// Whether anything is heard, at `port`.
  var isHeard: Bool { phase == .running || speaking != nil }

  /// Reports that the brain has not received yet, in order.
  var reports: [AudioReport] = []
  /// Set when the brain gives a command that is wrong in this state.
  var violation: String?

  func position(at now: Instant) -> Position? {
    tracks.first.map { track in
      guard let since else { return Position(track: track, frame: frame) }
      let heard = max(0, now.frame(rate: rate) - since.frame(rate: rate))
      // What still fades in fades in again from the same frame; the start of a track does not fade.
      let isFadingIn = frame > 0 && heard < rate / 250 - 1
      return Position(track: track, frame: frozenFrame ?? (isFadingIn ? frame : frame + heard))
    }
  }

  // MARK: - Commands

  mutating func obey(_ command: AudioCommand, at now: Instant) {
    switch command {
    case .library(let library): self.library = library
    case .load(let id, let position): load(id, position)
    case .follow(let id, let track): follow(id, track, at: now)
    case .play:
      if decoder == .idle && tracks.isEmpty && !isClosed && !isReshaped { violation = "play without a stream" }
      if phase == .silent { phase = .priming }
      openIfReleased(at: now)
      startIfReady(at: now)
    case .silence(let edge):
      stand(at: edge ?? now)
      phase = .silent
      arriveIfSilent(at: now)
      reports.append(.playback(.silenced(stream: stream, position(at: now) ?? Position(track: -1, frame: 0))))
    case .route(let new?, let volume) where opensSlowly && isHeard:
      ahead = new == port ? nil : Ahead(port: new, volume: volume)
    case .route(let new, let volume):
      ahead = nil
      stand(at: now)
      if phase == .running { phase = .priming }
      port = new
      self.volume = volume
      isOpen = false
      if new != nil && !isReleased { open(at: now) }
    case .vacate(let gone): if port == gone { leave(at: now) }
    case .volume(let volume): if ahead == nil { self.volume = volume } else { ahead?.volume = volume }
    case .reopen:
      guard port != nil else { return }
      isReleased = false
      if !isOpen && ahead == nil { open(at: now) }
      if !isOpen { arrive(at: now) }
      if isOpen { reports.append(.playback(.outputRestored)) }
    case .release:
      if phase != .silent { violation = "release while sounding" }
      isReleased = true
      decoder = .idle
      tracks = []
      isClosed = false
      if cue == nil { isOpen = false }
    case .others(let others): self.others = others
    case .channels(let port, let channels): self.channels[port] = channels
    case .duck(let level, _): duck = level
    case .speak(let id, let index):
      openIfReleased(at: now)
      cue = Cue(id: id, index: index)
      if !isOpen && ahead == nil { failCue("no output") }
    case .pauseCue(let edge):
      // A cue that has just ended may still be paused: the brain has not received the report yet. One that is paused
      // may still fade at an edge.
      if cue?.isPaused == true && edge == nil { violation = "pauseCue of a paused cue" }
      cue?.isPaused = true
      arriveIfSilent(at: now)
    case .resumeCue:
      if cue?.isPaused == false { violation = "resumeCue of a cue that is not paused" }
      cue?.isPaused = false
    }
  }

  /// The device of the next port is open, or this one is gone: the music moves there.
  mutating func arrive(at now: Instant) {
    guard let next = ahead else { return }
    leave(at: now)
    ahead = nil
    (port, volume) = (next.port, next.volume)
    open(at: now)
  }

  /// Nothing that sounded here is left to wait for.
  mutating func arriveIfSilent(at now: Instant) { if !isHeard { arrive(at: now) } }

  /// Falls silent, to go on at the next port.
  private mutating func leave(at now: Instant) {
    guard ahead != nil else { return }
    stand(at: now)
    isOpen = false
    if phase == .running { phase = .priming }
  }

  private mutating func openIfReleased(at now: Instant) {
    guard isReleased else { return }
    isReleased = false
    if !isOpen && port != nil { open(at: now) }
  }

  // MARK: - The cue

  /// Whether the cue's first frame is still to be heard.
  var isCueDue: Bool { cue.map { !$0.isHeard && !$0.isPaused } ?? false }

  mutating func cueBegins(at now: Instant) {
    guard isCueDue, let id = cue?.id else { return }
    guard works else { return lose(at: now) }
    cue?.isHeard = true
    reports.append(.playback(.cueStarted(id: id, at: now)))
  }

  mutating func cueHeardOut(at now: Instant) {
    guard speaking != nil, let id = cue?.id else { return }
    cue = nil
    reports.append(.playback(.cueEnded(id: id)))
    arriveIfSilent(at: now)
  }

  mutating func failCue(_ reason: String) {
    guard let id = cue?.id else { return }
    cue = nil
    reports.append(.cueFailed(id: id, reason: reason))
  }

  private mutating func load(_ id: UInt8, _ position: Position) {
    if phase != .silent { violation = "load while sounding" }
    stream = id
    decoder = .opening(position.track)
    tracks = []
    hasBegun = false
    isClosed = false
    isEndDecoded = false
    isOver = false
    isReshaped = false
    frame = position.frame
  }

  private mutating func follow(_ id: UInt8, _ track: TrackID?, at now: Instant) {
    guard id == stream, !isEndDecoded, !isOver else { return }
    // A track may take the place of the end.
    if decoder != .asking && !(isClosed && track != nil) { violation = "follow that nobody asked for" }
    isClosed = false
    if let track {
      decoder = .opening(track)
    } else {
      decoder = .idle
      isClosed = true
      startIfReady(at: now)
    }
  }

  private mutating func open(at now: Instant) {
    guard works else { return lose(at: now) }
    isOpen = true
    startIfReady(at: now)
  }

  mutating func startIfReady(at now: Instant) {
    guard phase == .priming, isOpen, !isReshaped else { return }
    if tracks.isEmpty && !isClosed { return }
    // The device was lost while it was not in use.
    guard works else { return lose(at: now) }
    if isOver || (isClosed && tracks.isEmpty) {
      isEndDecoded = true
      phase = .silent
      reports.append(.playback(.ended(stream: stream)))
    } else if let position = position(at: now) {
      phase = .running
      since = now
      reports.append(.playback(.started(stream: stream, position, at: now)))
      if !hasBegun { reports.append(.playback(.began(stream: stream, position, at: now))) }
      hasBegun = true
    }
  }

  /// Sets the position without sound.
  mutating func stand(at instant: Instant) {
    frame = position(at: instant)?.frame ?? frame
    since = nil
  }
}
