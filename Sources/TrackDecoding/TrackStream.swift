import Board
import RealtimeAudio

/// The result of one read of a stream.
enum StreamChunk: Equatable {
  case frames(Int)
  /// The next frames have this rate, Hz.
  case rate(Int)
  case end
}

/// The decoded audio of one file at its own rate, interleaved stereo. Decode thread.
protocol TrackStream: AnyObject {
  associatedtype Sample: StreamSample

  var file: TrackFile { get }
  /// Rate of what `read` gives now, Hz.
  var rate: Int { get }
  /// Stretches of one rate each, in order; nil where they are found only by decoding.
  var parts: [(rate: Int, frames: Int)]? { get }
  /// Channels in the file.
  var channels: Int { get }
  var tags: FileTags { get }
  var loudness: LoudnessTags { get }
  /// Up to `frames` stereo frames. After `.rate` the next frames have the new rate; after `.end` there are none.
  func read(into target: UnsafeMutablePointer<Sample>, frames: Int) throws(TrackError) -> StreamChunk
  /// Goes to a frame, counted through all parts, exactly: what follows is what a decode from the beginning gives there.
  /// - Returns: false if that place can only be found by decoding from the beginning, where the stream then is.
  func seek(to frame: Int) throws(TrackError) -> Bool
}

extension TrackStream {
  /// The error of a read or a seek, with what the file knows of its storage.
  func explain(_ error: TrackError) -> TrackError {
    var error = error
    error.isStorage = file.isStorageGone
    return error
  }

  /// The track's description when it is opened; `frames` is its length.
  func info(frames: Int?) -> TrackInfo {
    TrackInfo(
      title: tags.title, artist: tags.artist, album: tags.album, rate: rate, channels: channels, frames: frames)
  }
}

/// A sample as a decoder gives it: `Int16`, or `Float` with full scale at ±1.
protocol StreamSample {
  /// Whether it is `Float`, for soxr.
  static var isFloat: Bool { get }
  /// Multiplies `count` samples with `gain`, rounds each to the nearest step, and clips beyond full scale.
  static func convert(
    _ source: UnsafePointer<Self>, _ count: Int, gain: Float, into target: UnsafeMutablePointer<Int16>)
}

extension Int16: StreamSample {
  static let isFloat = false

  static func convert(
    _ source: UnsafePointer<Int16>, _ count: Int, gain: Float, into target: UnsafeMutablePointer<Int16>
  ) {
    guard gain != 1 else { return target.update(from: source, count: count) }
    roundSamples(source, scale: gain, to: target, count: count)
  }
}

extension Float: StreamSample {
  static let isFloat = true

  /// Full scale is 32768, so that samples which once were S16 come back bit for bit, and 24 bits are rounded as by
  /// other players. There is no dither: two plays of a file would differ, and silence and S16 in a float file would get
  /// noise.
  static func convert(
    _ source: UnsafePointer<Float>, _ count: Int, gain: Float, into target: UnsafeMutablePointer<Int16>
  ) {
    roundSamples(source, scale: 32768 * gain, to: target, count: count)
  }
}
