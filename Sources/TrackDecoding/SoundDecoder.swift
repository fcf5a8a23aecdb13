import Board

/// The frames of one call of a decoder: interleaved stereo, valid until the decoder's next call.
struct DecodedBlock {
  var samples: UnsafePointer<Float>
  /// Position of its first frame in the file.
  var start: Int
  var frames: Int

  var end: Int { start + frames }
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
  /// Goes to `frame`, or so far before it that the samples of `frame` are exact.
  /// - Returns: the position reached; nil where the seek failed.
  func seek(to frame: Int) -> Int?
}

/// Buffers for the samples of all channels, and for the stereo frames mixed from them.
final class DecodedSamples {
  /// The decoder's samples, all channels interleaved.
  private(set) var input: UnsafeMutablePointer<Float>
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
    input = .allocate(capacity: ChannelMix.mostChannels * frames)
    stereo = .allocate(capacity: 2 * frames)
  }

  deinit {
    input.deallocate()
    stereo.deallocate()
  }

  func makeRoom(for frames: Int) {
    guard frames > capacity else { return }
    input.deallocate()
    stereo.deallocate()
    capacity = frames
    input = .allocate(capacity: ChannelMix.mostChannels * frames)
    stereo = .allocate(capacity: 2 * frames)
  }

  /// The `frames` frames in `input` as stereo. The links of a chain may have different numbers of channels.
  func block(_ frames: Int, of channels: Int, at start: Int) -> DecodedBlock {
    guard channels != 2 else { return DecodedBlock(samples: input, start: start, frames: frames) }
    let mix: ChannelMix
    if let known = self.mix, known.channels == channels {
      mix = known
    } else {
      mix = ChannelMix(channels, map: nil, isVorbisOrder: isVorbisOrder)
      self.mix = mix
    }
    mix.apply(input, frames, into: stereo)
    return DecodedBlock(samples: stereo, start: start, frames: frames)
  }
}

extension TrackError {
  /// The error for a `file` that cannot be opened. Where reading it failed, that reason overrides `reason`.
  static func refusal(_ file: TrackFile, _ reason: String) -> TrackError {
    TrackError(operation: .open, path: file.path, reason: file.failure == 0 ? reason : fileReason(file.failure))
  }
}
