import Board
import CDecoders
import Glibc
import RealtimeAudio

/// FLAC by libFLAC, bare or in Ogg.
///
/// Each frame holds its own position, so that damage leaves a gap of its length. It counts only where libFLAC has
/// reported damage, forwards, and by no more than the damaged bytes can have held: recordings that were cut or joined
/// have numbers that begin anywhere, or begin again, and all of their frames are music.
final class FLACDecoder: SoundDecoder {
  private(set) var parts: [(rate: Int, frames: Int?)] = []
  let isCounted = false
  private(set) var channels = 0
  private(set) var tags = FileTags()
  private(set) var loudness = LoudnessTags { _ in nil }

  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let file: TrackFile
  private let samples = DecodedSamples(frames: 4608)
  /// The samples that the last call of libFLAC passed to `write`.
  private var block: DecodedBlock?
  private let headers: FLACHeaders
  /// The number of the first sample in `block`, as its frame has it.
  private var number = 0
  /// Position of the next frame, where nothing is missing before it.
  private var next = 0
  /// The number of the sample at position 0.
  private var origin: Int
  /// libFLAC has reported damage since the last frame. In Ogg it passes lost pages over without a report.
  private var isDamaged: Bool
  private let isOgg: Bool
  /// Numbers have begun again on the way: a seek by number would not find the place.
  private var isRenumbered = false
  /// Offset in the file behind the last frame.
  private var decodedEnd = 0
  private(set) var failure: String?
  /// Whether frames had the rate that the header names, and the rate of the last one where it was another.
  private var hasOwnRate: Bool
  private var otherRate: Int?

  /// libFLAC can read the tags and whatever else precedes the music.
  private var isIntact = true

  init(_ file: TrackFile, isOgg: Bool) throws(TrackError) {
    try DecoderLibraries.flac.require(for: file.path)
    guard let decoder = flac.new() else {
      DecoderMemory.refused()
      throw TrackError.refusal(file, fileReason(ENOMEM))
    }
    self.decoder = decoder
    self.file = file
    self.isOgg = isOgg
    isDamaged = isOgg
    headers = FLACHeaders(file, isOgg: isOgg)
    origin = headers.firstSample
    // The first frame that is decoded may be one that was sought, of another file that was joined.
    hasOwnRate = headers.isRateOfFirst
    file.patches = headers.patches
    _ = file.seek(by: 0, whence: SEEK_SET)
    _ = flac.set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    if let serial = headers.serial {
      _ = flac.set_ogg_serial_number(decoder, CLong(Int32(bitPattern: serial)))
    }
    let start = isOgg ? flac.init_ogg_stream : flac.init_stream
    let user = Unmanaged.passUnretained(self).toOpaque()
    let status = start(
      decoder, Self.read, Self.seek, Self.tell, Self.length, Self.isAtEnd, Self.write, Self.metadata, Self.error, user)
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { throw Self.refusal(file) }
    isIntact = flac.process_until_end_of_metadata(decoder) != 0
    noteMemory()
    guard isIntact || isAtMusic, !parts.isEmpty else { throw Self.refusal(file) }
    begin(at: 0)
    // Behind tags with wrong lengths libFLAC may miss frames that a seek finds.
    if !isIntact { _ = seek(to: 0) }
  }

  deinit { flac.delete(decoder) }

  func decode() -> DecodedBlock? {
    defer { block = nil }
    while block == nil {
      guard flac.process_single(decoder) != 0,
        flac.get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM || block != nil, failure == nil
      else {
        noteMemory()
        return nil
      }
      // Where numbers are missing libFLAC passes silence first, whether or not anything is damaged: only the last is music.
      if let frames = block?.frames {
        next = place(of: frames)
        block?.start = next
        next += frames
      }
    }
    return block
  }

  private func noteMemory() {
    if flac.get_state(decoder) == FLAC__STREAM_DECODER_MEMORY_ALLOCATION_ERROR { DecoderMemory.refused() }
  }

  func seek(to frame: Int) -> Int? {
    (failure, otherRate) = (nil, nil)
    // The beginning is found as it was the first time, whatever was learned of the numbers since.
    if frame == 0 { origin = headers.firstSample }
    if frame == 0 ? !isIntact : !isRenumbered, find(frame) { return frame }
    guard flac.reset(decoder) != 0 else { return nil }
    origin = headers.firstSample
    defer { begin(at: 0) }
    return flac.process_until_end_of_metadata(decoder) != 0 || isAtMusic ? 0 : nil
  }

  private func find(_ frame: Int) -> Bool {
    block = nil
    // libFLAC passes the frame that it finds to `write` within this call; it becomes the next block.
    guard flac.seek_absolute(decoder, FLAC__uint64(frame + origin)) != 0, let found = block else {
      block = nil
      return false
    }
    block?.start = frame
    begin(at: frame + found.frames)
    return true
  }

  /// What is decoded next belongs at `frame`.
  private func begin(at frame: Int) {
    next = frame
    isDamaged = isOgg
    decodedEnd = offset
  }

  /// Offset in the file behind what libFLAC has decoded; 0 in Ogg, where it does not report that.
  private var offset: Int {
    var offset: FLAC__uint64 = 0
    return flac.get_decode_position(decoder, &offset) != 0 ? Int(clamping: offset) : 0
  }

  /// Where the frame of `number` belongs.
  private func place(of frames: Int) -> Int {
    let end = offset
    defer { (isDamaged, decodedEnd) = (isOgg, end) }
    let start = number - origin
    let missing = start - next
    if missing == 0 { return start }
    let damaged = isOgg ? file.end : max(0, end - decodedEnd)
    let mostMissing = frames * (damaged / headers.leastFrameBytes)
    if isDamaged, missing > 0, missing <= mostMissing { return start }
    isRenumbered = true
    origin = number - next
    return next
  }

  /// Tags with wrong lengths make libFLAC fail, but leave it ready for the music.
  private var isAtMusic: Bool {
    flac.get_state(decoder) == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC
  }

  private static func refusal(_ file: TrackFile) -> TrackError {
    TrackError.refusal(file, "damaged, or no FLAC that can be played")
  }

  private func keep(
    _ frame: UnsafePointer<FLAC__Frame>, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    let header = frame.pointee.header
    let (frames, channels) = (Int(header.blocksize), Int(header.channels))
    guard header.number_type == FLAC__FRAME_NUMBER_TYPE_SAMPLE_NUMBER,
      (1...ChannelMix.mostChannels).contains(channels), (1...32).contains(header.bits_per_sample)
    else { return }
    guard hasItsRate(Int(header.sample_rate)) else { return }
    number = Int(clamping: min(header.number.sample_number, 1 << 62))
    // Up to 50 blocks of it come before a frame whose number leaves a gap, and nobody hears them.
    if isSilent(frame, channels) {
      block = DecodedBlock(samples: .silence, start: 0, frames: frames)
      return
    }
    samples.makeRoom(for: frames)
    if channels == 2, header.bits_per_sample == 16, let left = planes[0], let right = planes[1] {
      clipSamples(left, right, to: samples.integers, frames: frames)
      block = DecodedBlock(samples: .integers(samples.integers), start: 0, frames: frames)
      return
    }
    let scale = 1 / Float(UInt64(1) << (header.bits_per_sample - 1))
    if channels == 2, let left = planes[0], let right = planes[1] {
      interleaveSamples(left, right, scale: scale, to: samples.input, frames: frames)
    } else {
      for channel in 0..<channels {
        guard let plane = planes[channel] else { return }
        let target = samples.input + channel
        for frame in 0..<frames { target[frame * channels] = Float(plane[frame]) * scale }
      }
    }
    block = samples.block(frames, of: channels, at: 0)
  }

  /// Whether a frame of this rate is music. Where files were joined, the rate may change, at which they would sound at a
  /// wrong pitch. One frame of another rate is damage; where a header names a rate that no frame has, all are played at it.
  private func hasItsRate(_ rate: Int) -> Bool {
    guard let own = parts.first?.rate, rate != own, hasOwnRate else {
      hasOwnRate = hasOwnRate || rate == parts.first?.rate
      otherRate = nil
      return true
    }
    if otherRate == rate { failure = "its rate changes from \(own) to \(rate) Hz" }
    otherRate = rate
    return false
  }

  /// Whether the frame says of each channel that all of its samples are 0.
  private func isSilent(_ frame: UnsafePointer<FLAC__Frame>, _ channels: Int) -> Bool {
    func isSilent(_ subframe: FLAC__Subframe) -> Bool {
      subframe.type == FLAC__SUBFRAME_TYPE_CONSTANT && subframe.data.constant.value == 0
    }
    return isSilent(frame.pointee.subframes.0)
      && withUnsafeBytes(of: frame.pointee.subframes) {
        $0.bindMemory(to: FLAC__Subframe.self).prefix(channels).allSatisfy(isSilent)
      }
  }

  private func keep(_ metadata: FLAC__StreamMetadata) {
    if metadata.type == FLAC__METADATA_TYPE_STREAMINFO, parts.isEmpty {
      let info = metadata.data.stream_info
      parts = [(Int(info.sample_rate), headers.total)]
      channels = Int(info.channels)
    } else if metadata.type == FLAC__METADATA_TYPE_VORBIS_COMMENT {
      let comments = VorbisComments(metadata.data.vorbis_comment)
      tags = FileTags(comments)
      loudness = LoudnessTags { comments[$0] }
    }
  }

  private static func from(_ user: UnsafeMutableRawPointer) -> FLACDecoder {
    Unmanaged<FLACDecoder>.fromOpaque(user).takeUnretainedValue()
  }

  private static let read: FLAC__StreamDecoderReadCallback = { _, target, count, user in
    guard let target, let count, let user else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    let read = from(user).file.read(into: target, count: count.pointee)
    count.pointee = max(0, read)
    if read < 0 { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    return read == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
  }

  private static let seek: FLAC__StreamDecoderSeekCallback = { _, offset, user in
    guard let user, from(user).file.seek(by: Int(clamping: offset), whence: SEEK_SET) >= 0 else {
      return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
    }
    return FLAC__STREAM_DECODER_SEEK_STATUS_OK
  }

  private static let tell: FLAC__StreamDecoderTellCallback = { _, offset, user in
    guard let user, let offset else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
    offset.pointee = FLAC__uint64(max(0, from(user).file.seek(by: 0, whence: SEEK_CUR)))
    return FLAC__STREAM_DECODER_TELL_STATUS_OK
  }

  private static let length: FLAC__StreamDecoderLengthCallback = { _, length, user in
    guard let user, let length else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
    length.pointee = FLAC__uint64(from(user).file.end)
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
  }

  private static let isAtEnd: FLAC__StreamDecoderEofCallback = { _, user in
    guard let file = user.map({ from($0).file }) else { return 1 }
    return file.seek(by: 0, whence: SEEK_CUR) >= file.end ? 1 : 0
  }

  private static let write: FLAC__StreamDecoderWriteCallback = { _, frame, planes, user in
    guard let frame, let planes, let user else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
    from(user).keep(frame, planes)
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
  }

  private static let metadata: FLAC__StreamDecoderMetadataCallback = { _, metadata, user in
    if let metadata, let user { from(user).keep(metadata.pointee) }
  }

  /// libFLAC skips damaged frames by itself, and the next frame holds its position.
  private static let error: FLAC__StreamDecoderErrorCallback = { _, _, user in
    if let user { from(user).isDamaged = true }
  }
}
