import Board

/// What a decoder gives at a time: interleaved stereo, good until the decoder's next call.
struct DecodedBlock {
  var samples: UnsafePointer<Float>
  /// Where in the file its first frame stands.
  var start: Int
  var frames: Int

  var end: Int { start + frames }
}

/// One library's decoder of one file. Decode thread.
protocol SoundDecoder: AnyObject {
  /// Stretches of one rate each, in order, as long as the file's headers say; neighbours differ in their rate.
  /// Where the headers say nothing there is one, of nil frames.
  var parts: [(rate: Int, frames: Int?)] { get }
  /// Whether that is counted from the last frames that are there, and not only announced.
  var isCounted: Bool { get }
  /// In the first frame.
  var channels: Int { get }
  var tags: TrackTags { get }
  var loudness: LoudnessTags { get }
  /// The next frames, which may lie further on than where the last ended: what is between is damaged. Nil at the end, and
  /// where it cannot go on.
  func decode() -> DecodedBlock?
  /// Goes to `frame`, or as far before it as makes what is decoded there exact.
  /// - Returns: where it is now; nil where that failed.
  func seek(to frame: Int) -> Int?
}

/// Room for what a decoder gives of all channels, and for the stereo that it becomes.
final class DecodedSamples {
  /// Interleaved.
  private(set) var input: UnsafeMutablePointer<Float>
  private var stereo: UnsafeMutablePointer<Float>
  private var capacity: Int
  private var mix: ChannelMix?
  private let isVorbisOrder: Bool

  /// - Parameters:
  ///   - mix: where the file says where its channels belong.
  ///   - isVorbisOrder: how they are ordered where it does not.
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
  /// Why `file` cannot be opened: the storage's own reason where it has one.
  static func refusal(_ file: TrackFile, _ reason: String) -> TrackError {
    TrackError(operation: .open, path: file.path, reason: file.failure == 0 ? reason : fileReason(file.failure))
  }
}
