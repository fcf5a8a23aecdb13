import Board

/// One MPEG audio file (layers I to III, any rate, mono or stereo, constant, variable or free bit rate), decoded by
/// libmpg123 to interleaved stereo S16 at the rate asked for. Decode thread only.
///
/// Gapless: encoder delay and padding of the LAME tag are cut off. At the file's own rate the samples are libmpg123's,
/// bit for bit; at another they come through `Resampler`. Damaged stretches are skipped and the decode goes to the
/// real end of the file, whatever its headers announce.
public final class MPEGTrack: TrackSource {
  /// Files up to this size are measured when they are opened, so that `info.frames` is known; for larger ones it is
  /// nil, because reading them through would delay the first note by as long as a slow card takes.
  public static let measuredSize = 1 << 20

  public let info: TrackInfo
  private let path: String
  private let rate: Int
  private var stream: MPEGStream?
  private var resampler: Resampler?
  /// A part of another rate that begins once the resampler of the part before is empty.
  private var nextRate: Int?
  private var finishing = false
  /// Output frames still to be dropped after a seek.
  private var discard = 0
  private var failure: TrackError?

  private static let block = 1152
  private let input: UnsafeMutablePointer<Int16>
  private var inputStart = 0
  private var inputEnd = 0

  init(path: String, rate: Int) throws(TrackError) {
    guard rate > 0 else { throw TrackError(operation: .open, path: path, reason: "no output rate of \(rate) Hz") }
    let file = try TrackFile(path: path)
    let stream = try MPEGStream(file)
    let frames = file.size <= Self.measuredSize ? Self.total(try stream.measure(), at: rate) : nil
    self.path = path
    self.rate = rate
    self.stream = stream
    info = stream.info(frames: frames)
    // Last: an initialiser that throws before all is set frees nothing.
    input = .allocate(capacity: 2 * MPEGTrack.block)
    try prepare(for: stream.rate)
  }

  deinit { input.deallocate() }

  /// Fills `samples` with up to `frames` stereo frames; fewer only at the end of the track or before an error.
  /// - Throws: `read` where decoding cannot go on, and after `close()`; the frames before are given first.
  public func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if let failure { throw failure }
    guard let stream else { throw TrackError(operation: .read, path: path, reason: "closed") }
    var done = 0
    do {
      while done < frames {
        let count = try produce(stream, into: samples + 2 * done, frames - done)
        if count == 0 { break }
        let dropped = min(discard, count)
        discard -= dropped
        let kept = count - dropped
        if dropped > 0 { (samples + 2 * done).update(from: samples + 2 * (done + dropped), count: 2 * kept) }
        done += kept
      }
    } catch {
      failure = error
      if done == 0 { throw error }
    }
    return done
  }

  /// Goes to a frame of the output rate: at the file's own rate to the very sample, at another to what an unbroken
  /// decode gives there within a step or two. Past the end the next `read` answers 0. The headers up to there are read,
  /// and a second of music at most decoded and dropped; a file stitched together is decoded from its beginning.
  public func seek(to frame: Int) throws(TrackError) {
    guard let stream else { throw TrackError(operation: .seek, path: path, reason: "closed") }
    let target = max(0, frame)
    failure = nil
    // Parts of several rates may have gone by; the first part's rate is the one that positions count in.
    let native = info.rate
    let start = native == rate ? (input: target, drop: 0) : Resampler.start(for: target, from: native, to: rate)
    let exact = try stream.seek(to: start.input)
    discard = exact ? start.drop : target
    try prepare(for: stream.rate)
  }

  /// Closes the file; `read` and `seek` throw from now on.
  public func close() {
    stream = nil
    resampler = nil
  }

  static func total(_ parts: [(rate: Int, frames: Int)], at rate: Int) -> Int {
    parts.reduce(0) { $0 + Resampler.length($1.frames, from: $1.rate, to: rate) }
  }

  private func prepare(for native: Int) throws(TrackError) {
    inputStart = 0
    inputEnd = 0
    finishing = false
    nextRate = nil
    resampler = nil
    guard native != rate else { return }
    resampler = Resampler(from: native, to: rate)
    if resampler == nil {
      throw TrackError(operation: .open, path: path, reason: "no way from \(native) to \(rate) Hz")
    }
  }

  /// Some frames of the output rate, 0 only at the end.
  private func produce(
    _ stream: MPEGStream, into samples: UnsafeMutablePointer<Int16>, _ frames: Int
  ) throws(TrackError) -> Int {
    while true {
      guard let resampler else {
        switch try stream.read(into: samples, frames: frames) {
        case .frames(let count): return count
        case .rate(let next): try prepare(for: next)
        case .end: return 0
        }
        continue
      }
      if finishing {
        let count = resampler.finish(into: samples, frames)
        if count > 0 { return count }
        guard let next = nextRate else { return 0 }
        try prepare(for: next)
        continue
      }
      if inputStart == inputEnd {
        try refill(stream)
        continue
      }
      let (taken, given) = resampler.process(
        input + 2 * inputStart, inputEnd - inputStart, into: samples, frames)
      inputStart += taken
      if given > 0 { return given }
    }
  }

  private func refill(_ stream: MPEGStream) throws(TrackError) {
    inputStart = 0
    inputEnd = 0
    switch try stream.read(into: input, frames: Self.block) {
    case .frames(let count): inputEnd = count
    case .rate(let next):
      nextRate = next
      finishing = true
    case .end: finishing = true
    }
  }
}

extension MPEGStream {
  func info(frames: Int?) -> TrackInfo {
    TrackInfo(
      title: tags.title, artist: tags.artist, album: tags.album, rate: rate, channels: channels, frames: frames)
  }
}
