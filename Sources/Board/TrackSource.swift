/// What is known of a track without decoding it.
public struct TrackInfo: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  public var album: String?
  /// Rate in the file, Hz.
  public var rate: Int
  /// Channels in the file.
  public var channels: Int
  /// Length in frames of the *output* rate the source was opened at, encoder delay and padding taken off; nil if only
  /// decoding the track would show it.
  public var frames: Int?

  public init(
    title: String? = nil, artist: String? = nil, album: String? = nil, rate: Int, channels: Int, frames: Int?
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.rate = rate
    self.channels = channels
    self.frames = frames
  }
}

/// An open track that gives interleaved stereo S16 at the rate it was opened at. Decode thread only.
public protocol TrackSource: AnyObject {
  var info: TrackInfo { get }
  /// Fills up to `frames` stereo frames and returns how many; 0 at the end of the track and ever after.
  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int
  /// Goes to a frame of the output rate; the next `read` starts exactly there.
  func seek(to frame: Int) throws(TrackError)
  func close()
}

/// Opens tracks by path. Decode thread.
public protocol TrackOpener: AnyObject {
  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource
}

/// A track that cannot be played, or not to its end.
public struct TrackError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable { case open, read, seek }
  public var operation: Operation
  public var path: String
  /// One clause an operator understands, e.g. `no such file`, `no audio in it`.
  public var reason: String

  public init(operation: Operation, path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}
