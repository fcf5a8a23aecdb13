import Board

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
  /// The same, each sample multiplied with `gain`, rounded to the nearest step of S16 and clipped beyond full scale.
  func readRounded(
    into target: UnsafeMutablePointer<Int16>, frames: Int, gain: Float
  ) throws(TrackError) -> StreamChunk
  /// Goes to a frame, counted through all parts, exactly: what follows is what a decode from the beginning gives there.
  /// - Returns: false if that place can only be found by decoding from the beginning, where the stream then is.
  func seek(to frame: Int) throws(TrackError) -> Bool
  /// Goes on towards the frame that a seek has named, as far as the seek has left that to `read`: by about `most` frames.
  /// - Returns: whether it is there.
  func approach(frames most: Int) throws(TrackError) -> Bool
}

extension TrackStream {
  func approach(frames most: Int) throws(TrackError) -> Bool { true }

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
}

extension Int16: StreamSample {
  static let isFloat = false
}

extension Float: StreamSample {
  static let isFloat = true
}
