import AudioSession
import Jukebox

/// What the control thread asks of the audio thread: the brain's `AudioCommand`, with outputs for ports, gains for volumes
/// and loads for tracks, in values that a ring can hold.
enum EngineCommand: Hashable, Sendable, BitwiseCopyable {
  /// What the ring holds is not wanted; go on with the stream of this id. `number` counts the loads; `rate` is what it
  /// is decoded at.
  case load(stream: UInt8, number: Int, rate: Int)
  case play
  /// Fade out as of an edge, or of now.
  case silence(edge: Instant?)
  /// Index into the outputs, nil for none; the gain is set before its first frame.
  case route(Int?, gain: Int32)
  /// Q15.
  case gain(Int32)
  case reopen
  case release
  /// Q15, in a straight line over this time.
  case duck(Int32, over: Duration)
  case speak(clip: UInt8, number: Int, rate: Int)
  case pauseClip(edge: Instant?)
  case resumeClip
}

/// What the audio thread reports to the control thread: the brain's `AudioReport` where that needs no text, and what only
/// the player needs to know. Positions are at the board's rate.
enum EngineReport: Hashable, Sendable, BitwiseCopyable {
  case started(stream: UInt8, Position, at: Instant)
  /// nil: no track was heard of the stream.
  case silenced(stream: UInt8, Position?)
  case began(stream: UInt8, Position, at: Instant)
  case ended(stream: UInt8)
  case underrun
  /// The reason is kept in `AudioEngine.failure`.
  case outputLost(Position?)
  case outputRestored
  case outputChanged(rate: Int, bufferFrames: Int, Position?)
  case clipStarted(clip: UInt8, at: Instant)
  case clipEnded(clip: UInt8)
  /// There is no output, or it was lost; the latter's reason is kept in `AudioEngine.failure`.
  case clipFailed(clip: UInt8, wasLost: Bool)

  // For the player alone.

  /// As `silenced`, of a clip.
  case clipPaused(clip: UInt8)
  /// Output closed as asked; the decoders may close their files.
  case released
  /// A load or a clip is decoded at another rate than the device's: the same once more, at this one.
  case stale(number: Int, rate: Int)
  case clipStale(number: Int, rate: Int)
}

/// Where in the ring a track begins, or the stream ends.
struct TrackBoundary: Hashable, Sendable, BitwiseCopyable {
  /// Of the load that it belongs to. The stream's id would not do: it wraps, and skips what was never loaded.
  var load: Int
  /// The library's index; nil: the stream ends here.
  var track: Int?
  /// Frame of the track that stands at `index`.
  var frame: Int
  /// The ring's index of its first frame.
  var index: Int

  var isEnd: Bool { track == nil }

  static let none = TrackBoundary(load: 0, track: nil, frame: 0, index: 0)
}
