import Board

/// Opens sound files by path and chooses the decoder by their content. No other place chooses decoders.
///
/// libmpg123 plays MPEG audio, bare or in RIFF; libFLAC FLAC, bare or in Ogg; libvorbisfile and libopusfile Ogg Vorbis
/// and Opus; libsndfile WAV, AIFF, CAF, AU and Wave64. A file's name does not matter.
public final class FileTrackOpener: TrackOpener, Sendable {
  /// MPEG files up to this size are measured when they are opened and their headers give no length that agrees with the
  /// file's size. For larger ones `info.frames` is nil then, because reading them through would delay the first note by
  /// as long as a slow card takes.
  public static let measuredSize = 1 << 20

  private let replayGain: ReplayGain

  /// - Parameter replayGain: which of a file's gains its samples are multiplied with.
  public init(replayGain: ReplayGain = .off) { self.replayGain = replayGain }

  /// Opens the file at `path` to give frames at `rate` Hz. Decode thread.
  ///
  /// Anything but a regular file is refused at once, without waiting for a writer. A first frame of MPEG audio is
  /// looked for in the first 1 MiB after the leading tags; four must follow one another (or all there are, in a shorter
  /// file).
  /// - Throws: `open`, e.g. `no such file`, `is a folder`, `is not a file`, `empty file`, `permission denied`,
  ///   `no audio in it`, `AAC, not played here: …`, `has 12 channels, at most 8 can be played`.
  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    try open(OpenFile(path: path), path: path, rate: rate)
  }

  /// The same for a file that is open already; `path` is for errors only.
  public func open(_ file: OpenFile, path: String, rate: Int) throws(TrackError) -> any FileTrackSource {
    try open(TrackFile(file, path: path), rate: rate)
  }

  func open(_ file: TrackFile, rate: Int) throws(TrackError) -> any FileTrackSource {
    guard rate > 0 else { throw TrackError(operation: .open, path: file.path, reason: "no output rate of \(rate) Hz") }
    return try Self.explaining(file) { () throws(TrackError) in
      switch try Self.stream(file) {
      case .mpeg(let stream, let size):
        var frames = stream.announcedFrames().map { Resampler.length($0, from: stream.rate, to: rate) }
        if frames == nil, size <= Self.measuredSize { frames = try Self.measured(stream, at: rate) }
        return try track(stream, frames, rate)
      case .sound(let stream):
        let frames = stream.parts.map { Self.total($0, at: rate) }
        return try track(stream, frames, rate)
      }
    }
  }

  /// The length of a file that is about to be played; nil where its storage does not give all of it, which is then played
  /// up to there.
  private static func measured(_ stream: MPEGStream, at rate: Int) throws(TrackError) -> Int? {
    do throws(TrackError) { return total(try stream.measure(), at: rate) } catch {
      guard stream.file.failure != 0 else { throw error }
      stream.file.forgetFailure()
      try stream.restart()
      return nil
    }
  }

  private func track(
    _ stream: some TrackStream, _ frames: Int?, _ rate: Int
  ) throws(TrackError) -> any FileTrackSource {
    let gain = stream.loudness.factor(replayGain)
    return try StreamTrack(stream, stream.info(frames: frames), path: stream.file.path, rate: rate, gain: gain)
  }

  /// Tags, and the exact length in frames of the file's own rate. Any one thread.
  ///
  /// Reads MPEG audio through without decoding it, since headers that announce a length may lie. Decodes other files
  /// that end before the length they announce.
  /// - Parameter trustsHeaders: whether the headers of MPEG audio are believed where they agree with the file's size.
  /// - Throws: as `open(path:rate:)`.
  public func inspect(path: String, trustsHeaders: Bool = false) throws(TrackError) -> TrackInfo {
    try inspect(OpenFile(path: path), path: path, trustsHeaders: trustsHeaders)
  }

  /// The same for a file that is open already; `path` is for errors only.
  public func inspect(
    _ file: OpenFile, path: String, trustsHeaders: Bool = false
  ) throws(TrackError) -> TrackInfo {
    try inspect(TrackFile(file, path: path), trustsHeaders: trustsHeaders)
  }

  func inspect(_ file: TrackFile, trustsHeaders: Bool = false) throws(TrackError) -> TrackInfo {
    try Self.explaining(file) { () throws(TrackError) in
      switch try Self.stream(file, isThorough: !trustsHeaders) {
      case .mpeg(let stream, _):
        if trustsHeaders, let frames = stream.announcedFrames() { return stream.info(frames: frames) }
        return stream.info(frames: Self.total(try stream.measure(), at: stream.rate))
      case .sound(let stream): return stream.info(frames: Self.total(try stream.measure(), at: stream.rate))
      }
    }
  }

  private enum Opened {
    /// With the file's size in bytes.
    case mpeg(MPEGStream, size: Int)
    case sound(SoundStream)
  }

  /// Runs `body` with the storage's part in its errors. What cannot be read of a file that opens all the same, such as the
  /// tags at its end, shows once it is needed.
  private static func explaining<Result>(
    _ file: TrackFile, _ body: () throws(TrackError) -> Result
  ) throws(TrackError) -> Result {
    do throws(TrackError) {
      let result = try body()
      file.forgetFailure()
      return result
    } catch {
      var error = error
      error.isStorage = file.isStorageGone
      throw error
    }
  }

  private static func stream(_ file: TrackFile, isThorough: Bool = false) throws(TrackError) -> Opened {
    guard let (format, origin) = SoundFormat.detect(file) else {
      if let reason = ForeignFormat.refusal(file) { throw TrackError.refusal(file, reason) }
      return .mpeg(try MPEGStream(file), size: file.size)
    }
    file.origin = origin
    let stream = try SoundStream(file, format, isThorough: isThorough)
    // These libraries read no further after a failure.
    try file.checkStorage(.open)
    return .sound(stream)
  }

  static func total(_ parts: [(rate: Int, frames: Int)], at rate: Int) -> Int {
    parts.reduce(0) { $0 + Resampler.length($1.frames, from: $1.rate, to: rate) }
  }
}
