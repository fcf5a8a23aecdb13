import Board

/// Opens MPEG audio files by path.
public final class MPEGTrackOpener: TrackOpener {
  public init() {}

  /// Opens the file at `path` to give frames at `rate` Hz. Decode thread.
  ///
  /// What is no regular file is refused at once, without waiting for a writer. A first frame is looked for in the
  /// first 1 MiB after the leading tags; four must follow one another (or all there are, in a shorter file).
  /// - Throws: `open`, e.g. `no such file`, `is a folder`, `is not a file`, `empty file`, `permission denied`,
  ///   `no MPEG audio in it`.
  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    try MPEGTrack(path: path, rate: rate)
  }

  /// Tags, and the exact length in frames of the file's own rate. Any one thread.
  ///
  /// Reads the file through without decoding it, since headers that announce a length may lie.
  /// - Throws: as `open(path:rate:)`.
  public func inspect(path: String) throws(TrackError) -> TrackInfo {
    let stream = try MPEGStream(TrackFile(path: path))
    let frames = MPEGTrack.total(try stream.measure(), at: stream.rate)
    return stream.info(frames: frames)
  }
}
