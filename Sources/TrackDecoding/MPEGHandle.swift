import Board
import CDecoders
import Glibc
import Synchronization

/// Owns one libmpg123 handle: S16 stereo whatever the file holds (mono in both channels), any MPEG rate.
///
/// The library's own gapless cutting is switched off, because it cuts by the frame count of the Xing header even
/// where that lies; `MPEGTrim` does the same cut from the same numbers once the true end is known.
struct MPEGHandle: ~Copyable {
  enum Status: Equatable {
    case decoded
    case newFormat
    case ended
    case failed(reason: String)
  }

  private let pointer: OpaquePointer
  /// Functions copy it into a local constant before use: otherwise an assertion fails in the compiler of Swift 6.0.
  private let file: TrackFile

  private init(adopting pointer: OpaquePointer, file: TrackFile) {
    self.pointer = pointer
    self.file = file
  }

  /// One that is not used: making a new one takes longer than reading the headers of a file, because the library asks
  /// the processor what it can, and computes its tables.
  private static let spare = Atomic<UInt>(0)

  deinit {
    _ = mpg123.close(pointer)
    mpg123.delete(Self.exchangeSpare(pointer))
  }

  /// Puts a handle there, and takes the one that was.
  private static func exchangeSpare(_ pointer: OpaquePointer?) -> OpaquePointer? {
    OpaquePointer(bitPattern: spare.exchange(UInt(bitPattern: pointer), ordering: .acquiringAndReleasing))
  }

  /// A handle that reads `file` from its beginning.
  static func open(_ file: TrackFile) throws(TrackError) -> MPEGHandle {
    try DecoderLibraries.mpg123.require(for: file.path)
    var code: CInt = 0
    guard let pointer = exchangeSpare(nil) ?? mpg123.new(nil, &code) else {
      throw TrackError(operation: .open, path: file.path, reason: text(of: code))
    }
    let handle = MPEGHandle(adopting: pointer, file: file)
    try handle.configure()
    return handle
  }

  private func configure() throws(TrackError) {
    // Texts come as they are in the file: the library takes UTF-16 without a byte order mark for big-endian.
    let added = [MPG123_QUIET, MPG123_FORCE_STEREO, MPG123_PLAIN_ID3TEXT].reduce(0) { $0 | CInt($1.rawValue) }
    let removed = CInt(MPG123_GAPLESS.rawValue) | CInt(MPG123_FUZZY.rawValue)
    try set(MPG123_ADD_FLAGS, Int(added))
    try set(MPG123_REMOVE_FLAGS, Int(removed))
    try set(MPG123_RVA, Int(MPG123_RVA_OFF.rawValue))
    // One frame is the least layer III takes; see `MPEGStream.seek` for why it must be the same for every layer.
    try set(MPG123_PREFRAMES, 1)
    try check(mpg123.format_none(pointer))
    try check(mpg123.format2(pointer, 0, CInt(MPG123_STEREO.rawValue), CInt(MPG123_ENC_SIGNED_16.rawValue)))
    let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int = {
      guard let file = $0, let target = $1 else { return -1 }
      return Unmanaged<TrackFile>.fromOpaque(file).takeUnretainedValue().read(into: target, count: $2)
    }
    let seek: @convention(c) (UnsafeMutableRawPointer?, off_t, CInt) -> off_t = {
      guard let file = $0 else { return -1 }
      return off_t(Unmanaged<TrackFile>.fromOpaque(file).takeUnretainedValue().seek(by: Int($1), whence: $2))
    }
    try check(mpg123.replace_reader_handle(pointer, read, seek, nil))
  }

  /// Starts over at the beginning of the file.
  /// - Parameters:
  ///   - junk: bytes that may be skipped in search of a frame; negative is without limit.
  ///   - tags: whether ID3v2 tags are read, or stepped over.
  ///   - lookAhead: whether the first frame only counts if another follows.
  func start(junk: Int, tags: Bool, lookAhead: Bool) throws(TrackError) {
    try set(MPG123_RESYNC_LIMIT, junk)
    try set(tags ? MPG123_REMOVE_FLAGS : MPG123_ADD_FLAGS, Int(MPG123_SKIP_ID3V2.rawValue))
    try set(lookAhead ? MPG123_REMOVE_FLAGS : MPG123_ADD_FLAGS, Int(MPG123_NO_READAHEAD.rawValue))
    try check(mpg123.open_handle(pointer, Unmanaged.passUnretained(file).toOpaque()))
  }

  /// Parses the next frame without decoding it.
  func nextFrame() -> Status { status(mpg123.framebyframe_next(pointer)) }

  /// The most that an MPEG frame holds, in stereo frames.
  static let longestFrame = 1152

  /// Decodes the next MPEG frame to `target`, which has room for `longestFrame`. The library decodes there and need not
  /// copy it from a buffer of its own.
  func decodeFrame(to target: UnsafeMutablePointer<Int16>) -> (status: Status, frames: Int) {
    let size = Self.longestFrame * 4
    var decoded: UnsafeMutablePointer<UInt8>?
    var bytes = 0
    let code = UnsafeMutableRawPointer(target).withMemoryRebound(to: UInt8.self, capacity: size) { place in
      _ = mpg123.replace_buffer(pointer, place, size)
      return mpg123.decode_frame(pointer, nil, &decoded, &bytes)
    }
    // After a seek the first samples are left out. With a new format it makes a buffer of its own.
    if let decoded, bytes > 0, decoded != target { memmove(target, decoded, bytes) }
    return (status(code), bytes / 4)
  }

  /// Says where frames begin, every `step`th from the first on, so that a seek does not read the headers before.
  func setIndex(_ offsets: [Int], step: Int) {
    var places = offsets.map { off_t($0) }
    _ = mpg123.set_index(pointer, &places, off_t(step), places.count)
  }

  /// Goes to a sample, counted from the first that the decoder gives. Returns the position reached; negative at the
  /// end.
  func seek(to sample: Int) -> Int { Int(mpg123.seek(pointer, off_t(sample), SEEK_SET)) }

  /// Rate of the frames now decoded, Hz; nil before the first. Reads the first frame if need be.
  func rate() -> Int? {
    var rate = 0
    var channels: CInt = 0
    var encoding: CInt = 0
    return mpg123.getformat(pointer, &rate, &channels, &encoding) == MPG123_OK.rawValue ? rate : nil
  }

  /// The header of the last frame.
  func frameInfo() -> mpg123_frameinfo2? {
    var info = mpg123_frameinfo2()
    return mpg123.info2(pointer, &info) == MPG123_OK.rawValue ? info : nil
  }

  /// Byte offset of the last frame parsed.
  var frameOffset: Int { Int(mpg123.framepos(pointer)) }
  /// Samples a frame of the last frame parsed.
  var samplesPerFrame: Int { Int(mpg123.spf(pointer)) }
  /// MPEG frames that the Xing header announces, a guess where there is none.
  var announcedFrames: Int { Int(mpg123.framelength(pointer)) }
  /// Encoder delay and padding of the LAME tag, nil where there is none.
  var encoderGap: (delay: Int, padding: Int)? {
    let delay = state(MPG123_ENC_DELAY)
    let padding = state(MPG123_ENC_PADDING)
    return delay < 0 || padding < 0 ? nil : (delay, padding)
  }
  /// Whether rate, layer or channels changed on the way, or there were more frames than announced. The positions that
  /// the library computes are then unreliable.
  var isStitched: Bool { state(MPG123_FRANKENSTEIN) > 0 }

  /// Runs `body` with the tags read so far; they are the library's and gone with the next call.
  func withTags<T>(_ body: (mpg123_id3v1?, mpg123_id3v2?) -> T) -> T {
    var first: UnsafeMutablePointer<mpg123_id3v1>?
    var second: UnsafeMutablePointer<mpg123_id3v2>?
    _ = mpg123.id3(pointer, &first, &second)
    return body(first?.pointee, second?.pointee)
  }

  /// The loudness in the tags read so far: ID3v2's TXXX with ReplayGain's names, else what the library finds in RVA2
  /// and in the LAME header. The library's own use of it stays off, because it would change the samples before we
  /// round.
  func loudness() -> LoudnessTags {
    var texts: [String: String] = [:]
    withTags { _, second in
      guard let second, let extra = second.extra else { return }
      for text in UnsafeBufferPointer(start: extra, count: Int(second.extras)) {
        guard let name = FileTags.text(text.description), let value = FileTags.text(text.text) else { continue }
        texts[name.uppercased()] = value
      }
    }
    var tags = LoudnessTags { texts[$0] }
    // A text that is not a number is ignored as a gain, as in other formats; the library would read a number from its
    // beginning.
    if texts["REPLAYGAIN_TRACK_GAIN"] == nil { tags.trackGain = tags.trackGain ?? libraryGain(MPG123_RVA_MIX) }
    if texts["REPLAYGAIN_ALBUM_GAIN"] == nil { tags.albumGain = tags.albumGain ?? libraryGain(MPG123_RVA_ALBUM) }
    return tags
  }

  /// In dB, nil for none.
  private func libraryGain(_ kind: mpg123_param_rva) -> Double? {
    var gain = 0.0
    defer { _ = mpg123.param2(pointer, CInt(MPG123_RVA.rawValue), Int(MPG123_RVA_OFF.rawValue), 0) }
    guard mpg123.param2(pointer, CInt(MPG123_RVA.rawValue), Int(kind.rawValue), 0) == MPG123_OK.rawValue,
      mpg123.getvolume(pointer, nil, nil, &gain) == MPG123_OK.rawValue, gain != 0, LoudnessTags.gains.contains(gain)
    else { return nil }
    return gain
  }

  /// Why the last call failed: the system's reason where reading the file failed, else the library's.
  var failureReason: String {
    let file = file
    return file.failure == 0 ? Self.text(of: mpg123.errcode(pointer)) : fileReason(file.failure)
  }

  private static func text(of code: CInt) -> String {
    if code == MPG123_OUT_OF_MEM.rawValue { DecoderMemory.refused() }
    return mpg123.plain_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private func status(_ code: CInt) -> Status {
    let file = file
    switch code {
    case MPG123_OK.rawValue: return .decoded
    case MPG123_NEW_FORMAT.rawValue: return .newFormat
    // The library takes a read that fails for the end of the file.
    case MPG123_DONE.rawValue: return file.failure == 0 ? .ended : .failed(reason: failureReason)
    default:
      // A file that has become shorter since it was opened ends early; that is not a fault of the decoder.
      let endedEarly = file.failure == 0 && mpg123.errcode(pointer) == MPG123_ERR_READER.rawValue
      return endedEarly ? .ended : .failed(reason: failureReason)
    }
  }

  private func state(_ key: mpg123_state) -> Int {
    var value = 0
    return mpg123.getstate2(pointer, CInt(key.rawValue), &value, nil) == MPG123_OK.rawValue ? value : -1
  }

  private func set(_ parameter: mpg123_parms, _ value: Int) throws(TrackError) {
    try check(mpg123.param2(pointer, CInt(parameter.rawValue), value, 0))
  }

  private func check(_ code: CInt) throws(TrackError) {
    let file = file
    guard code != MPG123_OK.rawValue else { return }
    throw TrackError(operation: .open, path: file.path, reason: failureReason)
  }
}
