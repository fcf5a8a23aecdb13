import Board
import CDecoders
import Glibc

/// Owns one libsndfile handle. Samples come as floats, all channels interleaved, full scale at ±1.
struct SoundFile: ~Copyable {
  /// Frames in the file according to its headers; nil where they do not say.
  let frames: Int?
  let rate: Int
  let channels: Int
  private let pointer: OpaquePointer
  /// Kept alive for the handle, which reads through it.
  private let view: SoundFileView

  private init(adopting pointer: OpaquePointer, _ view: SoundFileView, _ info: SF_INFO) {
    self.pointer = pointer
    self.view = view
    frames = (0...sf_count_t(SoundStream.mostFrames)).contains(info.frames) ? Int(info.frames) : nil
    rate = Int(info.samplerate)
    channels = Int(info.channels)
  }

  deinit { _ = sndfile.close(pointer) }

  /// A handle at the beginning of `view`.
  /// - Throws: `open` where libsndfile cannot read it.
  static func open(_ view: SoundFileView, as format: SoundFormat) throws(TrackError) -> SoundFile {
    try DecoderLibraries.sndFile.require(for: view.file.path)
    var callbacks = SoundFileView.callbacks()
    var info = SF_INFO()
    let user = Unmanaged.passUnretained(view).toOpaque()
    view.rewind()
    guard let pointer = sndfile.open_virtual(&callbacks, CInt(SFM_READ), &info, user) else {
      let foreign = ForeignFormat.refusal(view.file, in: format)
      throw TrackError.refusal(
        view.file, foreign ?? "damaged, or no \(format.name) that can be played (\(libraryMessage()))")
    }
    if Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_AU {
      // If the header gives no offset for the sound, libsndfile first reads behind the header, but after a seek it
      // reads from the header on. A seek before the first read makes it the same every time.
      _ = sndfile.seek(pointer, 0, CInt(SEEK_SET))
    }
    return SoundFile(adopting: pointer, view, info)
  }

  /// libsndfile's message about an open that failed, without its prefixes and full stops.
  private static func libraryMessage() -> String {
    var words = (sndfile.strerror(nil).map { String(cString: $0) } ?? "").split(separator: " ")
    while let first = words.first, ["Error", "Internal", "error", ":"].contains(first), words.count > 1 {
      words.removeFirst()
    }
    return words.joined(separator: " ").split(separator: ".").joined(separator: ";")
  }

  /// Reads up to `frames` frames of all channels. Returns 0 at the end, and where libsndfile cannot go on.
  func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    max(0, Int(sndfile.readf_float(pointer, target, sf_count_t(frames))))
  }

  /// Returns whether the seek worked.
  func seek(to frame: Int) -> Bool { sndfile.seek(pointer, sf_count_t(frame), CInt(SEEK_SET)) == sf_count_t(frame) }

  /// What each channel is, as `SF_CHANNEL_MAP_…`; nil where the file does not say.
  func channelMap() -> [CInt]? {
    var map = [CInt](repeating: 0, count: channels)
    let size = CInt(map.count * MemoryLayout<CInt>.size)
    return sndfile.command(pointer, CInt(SFC_GET_CHANNEL_MAP_INFO), &map, size) == 1 ? map : nil
  }

  /// A text in the file's headers; `kind` is one of `SF_STR_…`.
  func text(_ kind: Int) -> String? {
    guard let text = sndfile.get_string(pointer, CInt(kind)) else { return nil }
    return FileTags.text(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// WAV, AIFF, CAF, AU and Wave64 by libsndfile, whose seeks are exact.
final class SoundFileDecoder: SoundDecoder {
  let parts: [(rate: Int, frames: Int?)]
  let isCounted = false
  let channels: Int
  let tags: FileTags
  let loudness = LoudnessTags { _ in nil }

  private let format: SoundFormat
  private let view: SoundFileView
  private let samples: DecodedSamples
  private var sound: SoundFile
  private var position = 0

  private static let blockFrames = 1024

  init(_ file: TrackFile, _ format: SoundFormat) throws(TrackError) {
    let repair = LengthRepair(file, format)
    file.patches = repair.patches
    if let end = repair.end { file.limit = end }
    let view = SoundFileView(file)
    let sound = try SoundFile.open(view, as: format)
    self.view = view
    self.format = format
    parts = [(sound.rate, sound.frames)]
    channels = sound.channels
    tags = FileTags(
      title: sound.text(SF_STR_TITLE), artist: sound.text(SF_STR_ARTIST), album: sound.text(SF_STR_ALBUM))
    let isMixed = (1...ChannelMix.mostChannels).contains(channels)
    let mix = isMixed ? ChannelMix(channels, map: sound.channelMap(), isVorbisOrder: false) : nil
    samples = DecodedSamples(mix, frames: isMixed ? Self.blockFrames : 0)
    self.sound = sound
  }

  func decode() -> DecodedBlock? {
    let count = sound.read(into: samples.input, frames: Self.blockFrames)
    guard count > 0 else { return nil }
    defer { position += count }
    return samples.block(count, of: channels, at: position)
  }

  func seek(to frame: Int) -> Int? {
    position = frame
    if sound.seek(to: frame) { return frame }
    position = 0
    guard let again = try? SoundFile.open(view, as: format) else { return nil }
    sound = again
    return 0
  }
}
