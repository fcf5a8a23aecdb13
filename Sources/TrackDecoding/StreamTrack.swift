import Board

/// The frames of a stream at the rate asked for, as interleaved stereo S16. Decode thread only.
///
/// At the stream's own rate the samples are the decoder's, rounded where it gives floats; at another rate `Resampler`
/// converts and rounds them in one step. A track's own gain is applied before that rounding, so that the engine need
/// not know of it; with a gain of 1 the samples are those of a plain decode, bit for bit.
final class StreamTrack<Stream: TrackStream>: FileTrackSource {
  /// Its length is corrected where decoding finds another.
  private(set) var info: TrackInfo
  private let path: String
  private let rate: Int
  private let gain: Float
  private var stream: Stream?
  private var resampler: Resampler?
  /// A part of another rate that begins once the resampler of the part before is empty.
  private var nextRate: Int?
  private var finishing = false
  /// Output frames still to be dropped after a seek.
  private var discard = 0
  private var failure: TrackError?
  /// Output frames from the beginning to the next one; nil after a seek, until one is read.
  private var position: Int? = 0
  private var target = 0

  /// Larger than any track, and small enough that frame counts do not overflow.
  private static var furthest: Int { 1 << 40 }

  private let block = 1152
  private let input: UnsafeMutablePointer<Stream.Sample>
  private var inputStart = 0
  private var inputEnd = 0

  /// - Parameters:
  ///   - info: its frames are of `rate`, its rate is the stream's first.
  ///   - rate: Hz, more than 0.
  ///   - gain: that all samples are multiplied with.
  init(_ stream: Stream, _ info: TrackInfo, path: String, rate: Int, gain: Float) throws(TrackError) {
    self.path = path
    self.rate = rate
    self.gain = gain
    self.stream = stream
    self.info = info
    // Allocated last: an initialiser that throws before all is set does not run `deinit`.
    input = .allocate(capacity: 2 * block)
    try prepare(for: stream.rate)
  }

  deinit { input.deallocate() }

  /// Fills `samples` with up to `frames` stereo frames; fewer only at the end of the track or before an error.
  /// - Throws: `read` where decoding cannot go on, and after `close()`; the frames before are given first.
  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if let failure { throw failure }
    guard let stream else { throw TrackError(operation: .read, path: path, reason: "closed") }
    var done = 0
    do {
      _ = try drop(.max, stream, using: samples, frames)
      while done < frames {
        let count = try produce(stream, into: samples + 2 * done, frames - done)
        if count == 0 { break }
        done += count
      }
    } catch {
      failure = stream.explain(error)
      if done == 0, let failure { throw failure }
    }
    note(done, wanted: frames)
    return done
  }

  func approach(frames most: Int, using samples: UnsafeMutablePointer<Int16>, _ room: Int) throws(TrackError) -> Bool {
    guard failure == nil, let stream else { return true }
    do throws(TrackError) {
      guard try stream.approach(frames: most) else { return false }
      return try drop(most, stream, using: samples, room)
    } catch {
      let error = stream.explain(error)
      failure = error
      throw error
    }
  }

  /// Drops `most` of the frames that a seek has left before its frame. Returns whether none are left.
  private func drop(
    _ most: Int, _ stream: Stream, using samples: UnsafeMutablePointer<Int16>, _ room: Int
  ) throws(TrackError) -> Bool {
    var dropped = 0
    while discard > 0, room > 0, dropped < most {
      let count = try produce(stream, into: samples, min(discard, room))
      // Past the end there is nothing more to drop.
      if count == 0 { discard = 0 }
      discard -= count
      dropped += count
    }
    return discard == 0
  }

  /// Corrects the length that headers announced by what was decoded.
  private func note(_ count: Int, wanted: Int) {
    // Only the first frame after a seek shows that the place exists.
    if count > 0 { position = (position ?? target) + count }
    guard failure == nil, let position else { return }
    if count < wanted { info.frames = position } else if position > info.frames ?? .max { info.frames = nil }
  }

  /// Goes to a frame of the output rate: at the file's own rate to the very sample, at another to what an unbroken
  /// decode gives there within a step or two. Past the end the next `read` returns 0. The headers up to there are read,
  /// and at most a second of music is decoded and dropped; a file stitched together is decoded from its beginning, by
  /// `approach` or the next `read`.
  func seek(to frame: Int) throws(TrackError) {
    guard let stream else { throw TrackError(operation: .seek, path: path, reason: "closed") }
    let target = min(max(0, frame), Self.furthest)
    failure = nil
    stream.file.forgetFailure()
    position = nil
    self.target = target
    let start = place(of: target, in: stream.parts ?? [])
    let exact: Bool
    do throws(TrackError) {
      exact = try stream.seek(to: start.input)
    } catch {
      let error = stream.explain(error)
      failure = error
      throw error
    }
    discard = exact ? start.drop : target
    try prepare(for: stream.rate)
  }

  /// The frame of the file to begin at for an output frame, and how many output frames to drop from there.
  private func place(of target: Int, in parts: [(rate: Int, frames: Int)]) -> (input: Int, drop: Int) {
    var (before, rest, native) = (0, target, info.rate)
    for part in parts {
      native = part.rate
      let length = Resampler.length(part.frames, from: part.rate, to: rate)
      if rest < length { break }
      before += part.frames
      rest -= length
    }
    if native == rate { return (before + rest, 0) }
    let (input, drop) = Resampler.start(for: rest, from: native, to: rate)
    return (before + input, drop)
  }

  /// Closes the file; `read` and `seek` throw from now on.
  func close() {
    stream = nil
    resampler = nil
  }

  private func prepare(for native: Int) throws(TrackError) {
    inputStart = 0
    inputEnd = 0
    finishing = false
    nextRate = nil
    resampler = nil
    guard native != rate else { return }
    try DecoderLibraries.soxr.require(for: path)
    resampler = Resampler(from: native, to: rate, isFloat: Stream.Sample.isFloat, gain: gain, path: path)
    if resampler == nil {
      DecoderMemory.refused()
      throw TrackError(operation: .open, path: path, reason: "cannot convert \(native) to \(rate) Hz")
    }
  }

  /// Some frames of the output rate, 0 only at the end.
  private func produce(
    _ stream: Stream, into samples: UnsafeMutablePointer<Int16>, _ frames: Int
  ) throws(TrackError) -> Int {
    while true {
      guard let resampler else {
        switch try stream.readRounded(into: samples, frames: frames, gain: gain) {
        case .frames(let count): return count
        case .rate(let next): try prepare(for: next)
        case .end: return 0
        }
        continue
      }
      if finishing {
        let count = try resampler.finish(into: samples, frames)
        if count > 0 { return count }
        guard let next = nextRate else { return 0 }
        try prepare(for: next)
        continue
      }
      if inputStart == inputEnd {
        try refill(stream)
        continue
      }
      let (taken, given) = try resampler.process(
        input + 2 * inputStart, inputEnd - inputStart, into: samples, frames)
      inputStart += taken
      if given > 0 { return given }
    }
  }

  private func refill(_ stream: Stream) throws(TrackError) {
    inputStart = 0
    inputEnd = 0
    switch try stream.read(into: input, frames: block) {
    case .frames(let count): inputEnd = count
    case .rate(let next):
      nextRate = next
      finishing = true
    case .end: finishing = true
    }
  }
}
