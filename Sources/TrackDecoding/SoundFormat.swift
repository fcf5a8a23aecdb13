/// The format of a file according to its first bytes; its name does not matter.
enum SoundFormat: Hashable {
  case wave, aiff, flac, ogg, coreAudio, sunAudio, wave64

  /// The name in messages.
  var name: String {
    switch self {
    case .wave: "WAV"
    case .aiff: "AIFF"
    case .flac: "FLAC"
    case .ogg: "Ogg"
    case .coreAudio: "CAF"
    case .sunAudio: "AU"
    case .wave64: "Wave64"
    }
  }

  /// The format that libsndfile is to open, and where in the file it begins; nil for everything else, which may be
  /// MPEG audio. ID3v2 tags before it are skipped: some taggers put them in front of FLAC and WAV.
  static func detect(_ file: TrackFile) -> (format: SoundFormat, origin: Int)? {
    for origin in Set([0, ID3Tags.leading(file)]).sorted() {
      let head = file.bytes(at: origin, count: 12)
      guard let format = format(head), format != .wave || !holdsMPEG(file, origin) else { continue }
      return (format, origin)
    }
    return nil
  }

  private static func format(_ head: [UInt8]) -> SoundFormat? {
    guard head.count == 12 else { return nil }
    let kind = String(decoding: head[8...], as: UTF8.self)
    return switch String(decoding: head[..<4], as: UTF8.self) {
    case "RIFF", "RIFX", "RF64": kind == "WAVE" ? .wave : nil
    case "FORM": kind == "AIFF" || kind == "AIFC" ? .aiff : nil
    case "fLaC": .flac
    case "OggS": .ogg
    case "caff": .coreAudio
    case ".snd": .sunAudio
    case "riff": .wave64
    default: nil
    }
  }

  /// Whether the RIFF file holds MPEG audio, which libmpg123 plays without gaps.
  private static func holdsMPEG(_ file: TrackFile, _ origin: Int) -> Bool {
    var offset = origin + 12
    for _ in 0..<64 {
      let head = file.bytes(at: offset, count: 10)
      guard head.count == 10 else { return false }
      if head.starts(with: Array("fmt ".utf8)) {
        let tag = head[8...].littleEndian
        return tag == 0x50 || tag == 0x55
      }
      let size = Int(head[4..<8].littleEndian)
      offset += 8 + size + size % 2
    }
    return false
  }
}
