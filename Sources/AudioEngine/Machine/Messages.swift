import AudioSession
import Jukebox
import RealtimeAudio

/// A command of the control thread to the audio thread: the brain's `AudioCommand`, with outputs for ports, gains for
/// volumes and loads for tracks, in plain values that a ring can hold.
enum EngineCommand: Hashable, Sendable, BitwiseCopyable {
  /// Discard what the ring holds and continue with the stream of this id. `number` counts the loads; `rate` is the rate
  /// in Hz at which the stream is decoded.
  case load(stream: UInt8, number: Int, rate: Int)
  case play
  /// Fade out and hold the frame heard at the edge; without an edge, the frame at which the fade begins.
  case silence(edge: Instant?)
  /// Index into the outputs; nil for none. The gain (Q15) applies from the first frame.
  case route(Int?, gain: Int32)
  /// The port of this output is gone: what still sounds there on its way to another output falls silent at once.
  case vacate(Int)
  /// Gain in Q15.
  case gain(Int32)
  /// What the sides of this output play.
  case channels(Int, StereoMatrix)
  case reopen
  case release
  /// Gain in Q15, reached in a straight line over this time.
  case duck(Int32, over: Duration)
  case speak(id: UInt8, number: Int, rate: Int)
  case pauseCue(edge: Instant?)
  case resumeCue
}

/// A report of the audio thread to the control thread.
enum EngineReport: Hashable, Sendable, BitwiseCopyable {
  /// For the brain, as it is.
  case playback(PlaybackReport)
  /// For the brain, with the reason that is kept in `AudioEngine.failure`.
  case outputLost(Position?)
  /// There is no output, or it was lost; the latter's reason is kept in `AudioEngine.failure`.
  case cueFailed(id: UInt8, wasLost: Bool)

  // For the player only.

  /// The counterpart of `silenced` for a cue.
  case cuePaused(id: UInt8)
  /// The sound has left the former output for this one; nil for none.
  case moved(Int?)
  /// The output was closed on request; the decoders may close their files.
  case released
  /// A load, or a cue, is decoded at another rate than the device runs at, and is needed again at this one (Hz).
  case stale(number: Int, rate: Int)
  case cueStale(number: Int, rate: Int)
}

/// Where in the ring a track begins, or the stream ends.
struct TrackBoundary: Hashable, Sendable, BitwiseCopyable {
  /// The number of the load that it belongs to. The stream's id would not do, because it wraps and skips streams that
  /// were never loaded.
  var load: Int
  /// nil where the stream ends.
  var track: TrackID?
  /// The track's frame that lies at `index`.
  var frame: Int
  /// The ring's index of its first frame.
  var index: Int

  var isEnd: Bool { track == nil }

  static let none = TrackBoundary(load: 0, track: nil, frame: 0, index: 0)
}
