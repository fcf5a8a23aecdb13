import Board
import CDecoders
import Glibc

/// Ogg Opus by libopusfile, with all links of a chain. Always at 48 kHz, at which Opus decodes, whatever rate the
/// header gives for the encoder's input. The header's gain is applied.
final class OpusDecoder: SoundDecoder {
  let parts: [(rate: Int, frames: Int?)]
  let isCounted: Bool
  let channels: Int
  let tags: FileTags
  let loudness: LoudnessTags

  private let handle: OpaquePointer
  private let file: TrackFile
  private let samples = DecodedSamples(isVorbisOrder: true, frames: longestPacket)
  private var position = 0
  /// Whether the library has skipped damage: from then on the position of a block is read from the granule positions.
  private var hasSkippedDamage = false

  private static let rate = 48_000
  private static let blockFrames = 1024
  /// Frames of a packet of 120 ms, which libopusfile gives as a whole where there is room for it.
  private static let longestPacket = 5760
  /// Frames decoded before the target of a seek. Opus's predictors converge, to the last of 16 bits, within some 30
  /// packets of 20 ms; the 80 ms of RFC 7845, which libopusfile takes by itself, are not enough for that.
  private static let preroll = rate
  private static let mostErrors = 10_000

  /// - Parameter isCounted: whether the positions on all pages are known to be right.
  init(_ file: TrackFile, isCounted: Bool = false) throws(TrackError) {
    try DecoderLibraries.opusFile.require(for: file.path)
    var callbacks = OpusFileCallbacks(read: Self.read, seek: Self.seek, tell: Self.tell, close: nil)
    var code: CInt = 0
    let opened = file.bounded {
      opusfile.open_callbacks(Unmanaged.passUnretained(file).toOpaque(), &callbacks, nil, 0, &code)
    }
    if code == OP_EFAULT { DecoderMemory.refused() }
    guard let handle = opened else { throw TrackError.refusal(file, Self.refusal(code)) }
    let comments = VorbisComments(opusfile.tags(handle, 0)?.pointee)
    let frames = Int(opusfile.pcm_total(handle, -1))
    self.handle = handle
    self.file = file
    self.isCounted = isCounted
    parts = [(Self.rate, (0...SoundStream.mostFrames).contains(frames) ? frames : nil)]
    channels = Int(opusfile.channel_count(handle, 0))
    tags = FileTags(comments)
    loudness = LoudnessTags { comments[$0] }
  }

  deinit { opusfile.free(handle) }

  /// Why the library does not open a file.
  private static func refusal(_ code: CInt) -> String {
    switch code {
    case OP_EVERSION, OP_EIMPL: "a kind of Opus that cannot be played"
    case OP_EBADTIMESTAMP: "damaged: the positions of its pages contradict one another"
    case OP_EBADLINK: "damaged: a part of its chain cannot be read"
    default: "damaged: its headers are incomplete"
    }
  }

  func decode() -> DecodedBlock? {
    var link: CInt = 0
    for _ in 0..<Self.mostErrors {
      let room = CInt(ChannelMix.mostChannels * Self.blockFrames)
      let count = Int(opusfile.read_float(handle, samples.input, room, &link))
      if count == 0 { return nil }
      if count < 0 {
        // A failure of the storage does not mean that the file is damaged.
        guard file.failure == 0 else { return nil }
        if count == Int(OP_EFAULT) { DecoderMemory.refused() }
        hasSkippedDamage = true
        continue
      }
      let start = hasSkippedDamage ? Int(opusfile.pcm_tell(handle)) - count : position
      position = start + count
      return samples.block(count, of: Int(opusfile.channel_count(handle, link)), at: start)
    }
    return nil
  }

  func seek(to frame: Int) -> Int? {
    let start = ogg_int64_t(max(0, frame - Self.preroll))
    guard file.bounded({ opusfile.pcm_seek(handle, start) }) == 0 else { return nil }
    position = Int(opusfile.pcm_tell(handle))
    hasSkippedDamage = false
    return position
  }

  private static let read: op_read_func = { source, target, count in
    guard let source, let target else { return -1 }
    return CInt(TrackFile.from(source).read(into: target, count: Int(count)))
  }

  private static let seek: op_seek_func = { source, offset, whence in
    guard let source else { return -1 }
    return TrackFile.from(source).seek(by: Int(offset), whence: whence) < 0 ? -1 : 0
  }

  private static let tell: op_tell_func = { source in
    source.map { opus_int64(TrackFile.from($0).seek(by: 0, whence: SEEK_CUR)) } ?? -1
  }
}
