import AudioSession

/// What the control thread asks of the audio thread, in plain values that fit a ring.
enum EngineCommand: Hashable, Sendable {
  /// What the ring holds is not wanted; go on with the stream of this id. `number` counts the loads; `rate` is what it
  /// is decoded at.
  case load(stream: UInt8, number: Int, rate: Int)
  case play
  /// Fade out as of an edge (nanoseconds since power on), or of now (-1).
  case silence(edge: Int64)
  /// Index into the outputs, -1 for none; the gain is set before its first frame.
  case route(Int, gain: Int32)
  case gain(Int32)
  case reopen
  case release
  /// Q15, and nanoseconds to get there.
  case duck(Int32, over: Int64)
  case speak(clip: UInt8, number: Int, rate: Int)
  case hush(edge: Int64)
  case speakOn
}

/// What the audio thread tells the control thread. Frames are at the board's rate.
enum EngineReport: Hashable, Sendable {
  case started(stream: UInt8, track: Int, frame: Int, at: Int64)
  case silenced(stream: UInt8, track: Int, frame: Int)
  case began(stream: UInt8, track: Int, frame: Int, at: Int64)
  case ended(stream: UInt8)
  case underrun
  /// The reason is kept in `AudioEngine.failure`.
  case outputLost(stream: UInt8, track: Int, frame: Int)
  case outputRestored
  case outputChanged(rate: Int, bufferFrames: Int, track: Int, frame: Int)
  /// Output closed as asked; the decoders may close their files.
  case released
  /// A load or a clip is decoded at another rate than the device's: the same once more, at this one.
  case stale(number: Int, rate: Int)
  case clipStale(number: Int, rate: Int)
  case clipStarted(clip: UInt8, at: Int64)
  case clipEnded(clip: UInt8)
  /// There is no output, or it was lost; the latter's reason is kept in `AudioEngine.failure`.
  case clipFailed(clip: UInt8, wasLost: Bool)
  /// As `silenced`, of a clip.
  case hushed(clip: UInt8)
}

/// Where in the ring a track begins, or the stream ends.
struct Marker: Hashable, Sendable {
  /// Of the load that it belongs to. The stream's id would not do: it wraps, and skips what was never loaded.
  var load: Int
  /// The library's index; -1: the stream ends here.
  var track: Int
  /// Frame of the track that stands at `index`.
  var frame: Int
  /// The ring's index of its first frame.
  var index: Int

  var isEnd: Bool { track < 0 }

  static let none = Marker(load: 0, track: -1, frame: 0, index: 0)
}
