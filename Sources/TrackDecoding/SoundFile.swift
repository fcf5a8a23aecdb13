import Board
import CSndFile
import Glibc

/// Owns one libsndfile handle. Samples come as floats, all channels interleaved, full scale at ±1.
struct SoundFile: ~Copyable {
  /// Frames in the file as far as its headers tell; nil where they do not.
  let frames: Int?
  let rate: Int
  let channels: Int
  /// Major format and encoding, of libsndfile's `SF_FORMAT_…`.
  let format: Int

  /// Two months at 192 kHz; a header that announces more tells nothing.
  private static let mostFrames: sf_count_t = 1 << 40

  private let pointer: OpaquePointer
  /// Kept alive for the handle, which reads through it.
  /// Copied into a local constant where it is looked into: otherwise Swift 6.0 fails an assertion of its own.
  private let view: SoundFileView

  private init(adopting pointer: OpaquePointer, _ view: SoundFileView, _ info: SF_INFO) {
    self.pointer = pointer
    self.view = view
    frames = (0...Self.mostFrames).contains(info.frames) ? Int(info.frames) : nil
    rate = Int(info.samplerate)
    channels = Int(info.channels)
    format = Int(info.format)
  }

  deinit { sf_close(pointer) }

  /// A handle at the beginning of `view`.
  /// - Throws: `open` where libsndfile knows nothing to do with it.
  static func open(_ view: SoundFileView, as format: SoundFormat) throws(TrackError) -> SoundFile {
    var callbacks = SoundFileView.callbacks()
    var info = SF_INFO()
    let user = Unmanaged.passUnretained(view).toOpaque()
    guard let pointer = sf_open_virtual(&callbacks, CInt(SFM_READ), &info, user) else {
      let file = view.file
      let reason =
        file.failure == 0
        ? "damaged, or no \(format.name) that can be played (\(complaint()))" : fileReason(file.failure)
      throw TrackError(operation: .open, path: file.path, reason: reason)
    }
    if Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_OPUS {
      // Else it decodes at the rate that the encoder's input is said to have had. 48 kHz is what Opus is made of: what
      // is made from it at another rate has another length and another filter at every player.
      var rate: CInt = 48_000
      sf_command(pointer, CInt(SFC_SET_ORIGINAL_SAMPLERATE), &rate, 4)
      sf_command(pointer, CInt(SFC_GET_CURRENT_SF_INFO), &info, CInt(MemoryLayout<SF_INFO>.size))
    }
    if Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_AU {
      // Where the header gives the sound no place, it is read behind the header at first, but from the header on after a
      // seek. It is to be the same every time.
      sf_seek(pointer, 0, CInt(SEEK_SET))
    }
    return SoundFile(adopting: pointer, view, info)
  }

  /// What libsndfile says of an open that failed, without its prefixes and full stops.
  private static func complaint() -> String {
    var words = String(cString: sf_strerror(nil)).split(separator: " ")
    while let first = words.first, ["Error", "Internal", "error", ":"].contains(first), words.count > 1 {
      words.removeFirst()
    }
    return words.joined(separator: " ").split(separator: ".").joined(separator: ";")
  }

  /// Up to `frames` frames of all channels; 0 at the end, and where it cannot go on.
  func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    max(0, Int(sf_readf_float(pointer, target, sf_count_t(frames))))
  }

  /// Whether all of the file has been looked at.
  var metEnd: Bool {
    let view = view
    return view.metEnd
  }

  /// Whether that worked.
  func seek(to frame: Int) -> Bool { sf_seek(pointer, sf_count_t(frame), CInt(SEEK_SET)) == sf_count_t(frame) }

  /// Where each channel stands, of `SF_CHANNEL_MAP_…`; nil where the file does not say.
  func channelMap() -> [CInt]? {
    var map = [CInt](repeating: 0, count: channels)
    let size = CInt(map.count * MemoryLayout<CInt>.size)
    return sf_command(pointer, CInt(SFC_GET_CHANNEL_MAP_INFO), &map, size) == 1 ? map : nil
  }

  /// A text of the file's headers, of `SF_STR_…`.
  func text(_ kind: Int) -> String? {
    guard let text = sf_get_string(pointer, CInt(kind)) else { return nil }
    return TrackTags.text(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
  }
}
