import AudioSession
import Jukebox

/// The stream of the route's player, and the position that it plays.
struct StreamPosition {
  var rate = 1
  /// Level of the music, dB.
  var duck = 0.0
  private(set) var stream: UInt8 = 0
  /// The current track and those commanded to follow it; nil is the end.
  private(set) var tracks: [TrackID?] = []
  private var frame = 0
  /// When the frame was heard, while the music runs.
  private var since: Instant?
  private var hasBegun = false
  /// How many tracks of the stream were heard before the current one.
  private(set) var index = 0
  /// Whether the last frame of the stream was heard.
  private(set) var isOver = false
  /// Whether the music was commanded to play.
  var isPlaying = false { didSet { if !isPlaying { since = nil } } }

  mutating func load(_ stream: UInt8, _ position: Position) {
    self.stream = stream
    tracks = [position.track]
    frame = position.frame
    since = nil
    hasBegun = false
    index = 0
    isOver = false
  }

  mutating func follow(_ stream: UInt8, _ track: TrackID?) { if stream == self.stream { tracks.follow(track) } }

  mutating func end(_ stream: UInt8) {
    isPlaying = false
    if stream == self.stream { isOver = true }
  }

  /// Removes a track that cannot be played.
  mutating func drop(_ stream: UInt8, _ track: TrackID) {
    guard stream == self.stream, let last = tracks.lastIndex(of: track) else { return }
    tracks.remove(at: last)
  }

  mutating func start(_ stream: UInt8, from position: Position, at instant: Instant) {
    guard stream == self.stream else { return }
    frame = position.frame
    since = isPlaying ? instant : nil
  }

  mutating func begin(_ stream: UInt8, _ position: Position, at instant: Instant) {
    guard stream == self.stream else { return }
    if hasBegun && tracks.count > 1 {
      tracks.removeFirst()
      index += 1
    }
    hasBegun = true
    start(stream, from: position, at: instant)
  }

  mutating func pause(_ stream: UInt8, at position: Position) {
    guard stream == self.stream, position.track == tracks.first ?? nil else { return }
    frame = position.frame
    since = nil
  }

  /// Where the music is at `now`; nil without a track.
  func position(at now: Instant) -> Position? {
    guard let track = tracks.first ?? nil else { return nil }
    let passed = since.map { max(0, now.frame(rate: rate) - $0.frame(rate: rate)) } ?? 0
    return Position(track: track, frame: frame + passed)
  }

  /// Whether a port that plays `position` at an instant is further ahead of the music, or behind it, than `limit`.
  func isApart(
    _ stream: UInt8, _ position: Position, at instant: Instant, by limit: Duration = .milliseconds(10)
  ) -> Bool {
    guard stream == self.stream, let since, let track = tracks.first ?? nil else { return false }
    let there = frame + instant.frame(rate: rate) - since.frame(rate: rate)
    return position.track != track || abs(position.frame - there) > limit.frames(rate: rate)
  }
}
