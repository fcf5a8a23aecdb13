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

/// What there can be, whatever a file says.
extension TrackInfo {
  /// Rates in Hz of files that are played.
  public static let rates = 1_000...768_000
  public static let mostChannels = 8
  /// More than two months at the highest rate of a board. It is the most that a saved state may have, and times a rate it
  /// does not overflow.
  public static let mostFrames = 1 << 40
}

/// An open track that gives interleaved stereo S16 at the rate it was opened at. Decode thread only.
public protocol TrackSource: AnyObject {
  /// What the file says of the track; not valid before `isReady` has returned true.
  var info: TrackInfo { get }
  /// Whether `read` has frames, the end or an error to give. If it has not, they are being decoded elsewhere, and
  /// the opener's descriptors become readable when they have come. Call it before every `read`.
  func isReady() -> Bool
  /// Fills up to `frames` stereo frames and returns how many; 0 at the end of the track and ever after.
  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int
  /// Goes to a frame of the output rate; the next `read` starts exactly there.
  func seek(to frame: Int) throws(TrackError)
  func close()
}

extension TrackSource {
  /// A track that is decoded where it is read.
  public func isReady() -> Bool { true }
}

/// Opens tracks by path. Decode thread.
public protocol TrackOpener: AnyObject {
  /// Opens the file; that its content cannot be played may show only at the first `read`.
  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource
  /// What to poll while a track is not ready.
  var pollDescriptors: [PollDescriptor] { get }
  /// How long to poll at most before `service` is called; nil: until something comes.
  var patience: Duration? { get }
  /// Takes what has come for the open tracks, and ends what takes too long.
  func service()
}

extension TrackOpener {
  public var pollDescriptors: [PollDescriptor] { [] }
  public var patience: Duration? { nil }
  public func service() {}
}

/// A track that cannot be played, or not to its end.
public struct TrackError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable { case open, read, seek }
  public var operation: Operation
  public var path: String
  /// One clause an operator understands, e.g. `no such file`, `no audio in it`.
  public var reason: String
  /// It is the storage that cannot be read, which may come back (X4), and not the file that is bad.
  public var isStorage: Bool
  /// There is no such file, on a storage that can be read.
  public var isMissing: Bool

  public init(
    operation: Operation, path: String, reason: String, isStorage: Bool = false, isMissing: Bool = false
  ) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.isStorage = isStorage
    self.isMissing = isMissing
  }

  public var description: String { "\(path): \(reason)" }
}
