import Board
import RealtimeAudio

/// The stereo frames of one call of a decoder, valid until the decoder's next call.
struct DecodedBlock {
  /// As the decoder has them, so that each sample is converted once. Floats have full scale at ±1.
  enum Samples {
    case interleaved(UnsafePointer<Float>)
    case planes(left: UnsafePointer<Float>, right: UnsafePointer<Float>)
    /// Interleaved S16.
    case integers(UnsafePointer<Int16>)
    case silence
  }

  var samples: Samples
  /// Position of its first frame in the file.
  var start: Int
  var frames: Int

  var end: Int { start + frames }

  /// Copies `count` frames from the block's frame `first` on.
  func copy(from first: Int, _ count: Int, into target: UnsafeMutablePointer<Float>) {
    switch samples {
    case .interleaved(let source): target.update(from: source + 2 * first, count: 2 * count)
    case .planes(let left, let right): interleaveSamples(left + first, right + first, to: target, frames: count)
    case .integers(let source): floatSamples(source + 2 * first, to: target, count: 2 * count)
    case .silence: target.update(repeating: 0, count: 2 * count)
    }
  }

  /// The same, multiplied with `gain`, as S16.
  ///
  /// Full scale is 32768, so that samples which once were S16 come back bit for bit, and 24 bits are rounded as by
  /// other players. There is no dither: two plays of a file would differ, and silence and S16 in a float file would get
  /// noise.
  func round(from first: Int, _ count: Int, gain: Float, into target: UnsafeMutablePointer<Int16>) {
    switch samples {
    case .interleaved(let source):
      roundSamples(source + 2 * first, scale: 32768 * gain, to: target, count: 2 * count)
    case .planes(let left, let right):
      roundSamples(left + first, right + first, scale: 32768 * gain, to: target, frames: count)
    case .integers(let source) where gain == 1: target.update(from: source + 2 * first, count: 2 * count)
    case .integers(let source): roundSamples(source + 2 * first, scale: gain, to: target, count: 2 * count)
    case .silence: target.update(repeating: 0, count: 2 * count)
    }
  }
}

/// One library's decoder of one file. Decode thread.
protocol SoundDecoder: AnyObject {
  /// Stretches of one rate each, in order, with the lengths in the file's headers; neighbours differ in their rate.
  /// Without a length in the headers there is one part with nil frames.
  var parts: [(rate: Int, frames: Int?)] { get }
  /// Whether the lengths in `parts` were counted from the frames that the file holds, and not only announced.
  var isCounted: Bool { get }
  /// Channels of the first frame.
  var channels: Int { get }
  var tags: FileTags { get }
  var loudness: LoudnessTags { get }
  /// The next frames. They may begin later than the last ones ended: what lies between is damaged. Nil at the end, and
  /// where the decoder cannot go on.
  func decode() -> DecodedBlock?
  /// Why `decode` cannot go on, where that is known.
  var failure: String? { get }
  /// Goes to `frame`, or so far before it that the samples of `frame` are exact.
  /// - Returns: the position reached; nil where the seek failed.
  func seek(to frame: Int) -> Int?
}

extension SoundDecoder {
  var failure: String? { nil }
}

/// Buffers for the samples of all channels, and for the stereo frames mixed from them.
final class DecodedSamples {
  /// The decoder's samples, all channels interleaved.
  private(set) var input: UnsafeMutablePointer<Float>
  /// Stereo frames that are S16 from the beginning.
  private(set) var integers: UnsafeMutablePointer<Int16>
  private var stereo: UnsafeMutablePointer<Float>
  private var capacity: Int
  private var mix: ChannelMix?
  private let isVorbisOrder: Bool

  /// - Parameters:
  ///   - mix: how to mix the channels, where the file says what they are.
  ///   - isVorbisOrder: whether the channels of other files are in Vorbis's order, else in WAV's.
  init(_ mix: ChannelMix? = nil, isVorbisOrder: Bool = false, frames: Int = 1024) {
    self.mix = mix
    self.isVorbisOrder = isVorbisOrder
    capacity = frames
    (input, integers, stereo) = Self.allocate(frames)
  }

  deinit { deallocate() }

  func makeRoom(for frames: Int) {
    guard frames > capacity else { return }
    deallocate()
    capacity = frames
    (input, integers, stereo) = Self.allocate(frames)
  }

  private static func allocate(
    _ frames: Int
  ) -> (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Float>) {
    (
      .allocate(capacity: ChannelMix.mostChannels * frames), .allocate(capacity: 2 * frames),
      .allocate(capacity: 2 * frames)
    )
  }

  private func deallocate() {
    input.deallocate()
    integers.deallocate()
    stereo.deallocate()
  }

  /// The `frames` frames in `input` as stereo. The links of a chain may have different numbers of channels.
  func block(_ frames: Int, of channels: Int, at start: Int) -> DecodedBlock {
    assert(channels * frames <= ChannelMix.mostChannels * capacity && (channels == 2 || frames <= capacity))
    guard channels != 2 else { return DecodedBlock(samples: .interleaved(input), start: start, frames: frames) }
    let mix: ChannelMix
    if let known = self.mix, known.channels == channels {
      mix = known
    } else {
      mix = ChannelMix(channels, map: nil, isVorbisOrder: isVorbisOrder)
      self.mix = mix
    }
    mix.apply(input, frames, into: stereo)
    return DecodedBlock(samples: .interleaved(stereo), start: start, frames: frames)
  }
}

extension TrackError {
  /// The error for a `file` that cannot be opened. Where reading it failed, that reason overrides `reason`.
  static func refusal(_ file: TrackFile, _ reason: String) -> TrackError {
    TrackError(operation: .open, path: file.path, reason: file.failure == 0 ? reason : fileReason(file.failure))
  }
}
