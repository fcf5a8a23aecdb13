/// Sound that is none of the formats played here, so that messages can name it and say what to do.
public enum ForeignFormat {
  /// What a listing says of a file with an ending of such a format; nil for any other name.
  static func refusal(named name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return endings[name[name.index(after: dot)...].lowercased()].map(refusal)
  }

  /// What the refusal of a file says by its first bytes; nil where they are of no such format.
  static func refusal(_ file: TrackFile) -> String? { kind(file).map(refusal) }

  /// What the refusal of a file says which libsndfile has refused, by the codec in its description; nil where that is
  /// none that we know.
  static func refusal(_ file: TrackFile, in format: SoundFormat) -> String? {
    codec(file, in: format).map { refusal("\($0) in \(format.name)") }
  }

  private static func codec(_ file: TrackFile, in format: SoundFormat) -> String? {
    guard let chunks = SoundChunks(file, format) else { return nil }
    for chunk in chunks {
      func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
        let bytes = file.bytes(at: chunk.body + offset, count: count)
        return bytes.count == count && offset + count <= chunk.size ? bytes : []
      }
      switch (chunk.name, format) {
      case ("desc", .coreAudio):
        // ALAC names its bits from 1 to 4. ffmpeg writes 0, which libsndfile does not take.
        let isALAC = (1...4).contains { bytes(8, 8) == Array("alac".utf8) + [0, 0, 0, $0] }
        return isALAC ? nil : codec(named: bytes(8, 4), besides: ["lpcm", "alaw", "ulaw"])
      case ("COMM", .aiff): return codec(named: bytes(18, 4), besides: playedInAIFF)
      case ("fmt ", .wave), ("fmt ", .wave64):
        let tag = bytes(0, 2)
        // An extended description has the number of the codec at the beginning of a longer name.
        return codec(numbered: tag == [0xfe, 0xff] ? bytes(24, 2) : tag)
      default: continue
      }
    }
    return nil
  }

  private static func codec(named bytes: [UInt8], besides played: Set<String>) -> String? {
    let name = String(decoding: bytes, as: UTF8.self)
    guard bytes.count == 4, bytes.allSatisfy({ 0x20..<0x7f ~= $0 }), !played.contains(name) else { return nil }
    return namedCodecs[name] ?? "codec \(name)"
  }

  private static func codec(numbered bytes: [UInt8]) -> String? {
    let number = Int(bytes.littleEndian)
    guard bytes.count == 2, !playedInWAV.contains(number) else { return nil }
    return numberedCodecs[number] ?? "codec 0x\(String(number, radix: 16))"
  }

  /// What libsndfile plays: if it refuses such a file, that is damaged.
  private static let playedInWAV: Set = [0, 1, 2, 3, 6, 7, 0x11, 0x31, 0x38, 0x40, 0x50, 0x55]
  private static let playedInAIFF: Set = [
    "NONE", "sowt", "twos", "raw ", "fl32", "FL32", "fl64", "FL64", "alaw", "ALAW", "ulaw", "ULAW", "ima4", "GSM ",
    "DWVW", "in24", "in32", "42ni", "23ni",
  ]

  private static let namedCodecs = [
    "aac ": "AAC", "aach": "AAC", "aacp": "AAC", "alac": "ALAC", "opus": "Opus", "flac": "FLAC", "ima4": "IMA ADPCM",
    "ac-3": "AC-3", "ec-3": "AC-3", ".mp3": "MP3", ".mp2": "MP2", ".mp1": "MP1", "samr": "AMR", "ilbc": "iLBC",
    "MAC3": "MACE", "MAC6": "MACE", "QDM2": "QDesign Music", "QDMC": "QDesign Music", "Qclp": "QCELP",
  ]

  private static let numberedCodecs = [
    0xff: "AAC", 0x1600: "AAC", 0x1610: "AAC", 0x706d: "AAC", 0xa106: "AAC", 0x160: "WMA", 0x161: "WMA", 0x162: "WMA",
    0x163: "WMA", 0x2000: "AC-3", 0x2001: "DTS", 0x704f: "Opus", 0xf1ac: "FLAC", 0x674f: "Vorbis", 0x6750: "Vorbis",
    0x6751: "Vorbis", 0x566f: "Vorbis", 0x270: "ATRAC3",
  ]

  private static func refusal(_ kind: String) -> String {
    if kind == midi { return "\(kind), which holds notes and no sound" }
    return "\(kind), not played here: convert it with ffmpeg -i IN -vn -c:a flac OUT.flac"
  }

  private static let midi = "MIDI"

  private static let endings = [
    "m4a": "AAC or ALAC in MP4", "m4b": "AAC in MP4", "m4p": "AAC in MP4", "mp4": "MP4", "m4v": "MP4", "3gp": "MP4",
    "mov": "QuickTime", "aac": "AAC", "adts": "AAC", "wma": "WMA", "asf": "WMA", "wmv": "WMA", "mka": "Matroska",
    "mkv": "Matroska", "webm": "WebM", "ape": "Monkey's Audio", "wv": "WavPack", "mpc": "Musepack",
    "tta": "True Audio", "tak": "TAK", "ac3": "AC-3", "eac3": "AC-3", "dts": "DTS", "dsf": "DSD", "dff": "DSD",
    "amr": "AMR", "ra": "RealAudio", "rm": "RealAudio", "spx": "Speex", "avi": "AVI", "flv": "Flash video",
    "mid": midi, "midi": midi,
  ]

  /// The first bytes of the formats that have some of their own.
  private static let beginnings: [(bytes: [UInt8], kind: String)] = [
    ([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], "WMA"), ([0x1a, 0x45, 0xdf, 0xa3], "Matroska or WebM"),
    (Array("MAC ".utf8), "Monkey's Audio"), (Array("wvpk".utf8), "WavPack"), (Array("MPCK".utf8), "Musepack"),
    (Array("MP+".utf8), "Musepack"), (Array("TTA1".utf8), "True Audio"), (Array("tBaK".utf8), "TAK"),
    ([0x0b, 0x77], "AC-3"), ([0x7f, 0xfe, 0x80, 0x01], "DTS"), (Array("DSD ".utf8), "DSD"), (Array("FRM8".utf8), "DSD"),
    (Array("#!AMR".utf8), "AMR"), (Array(".RMF".utf8), "RealAudio"), ([0x2e, 0x72, 0x61, 0xfd], "RealAudio"),
    (Array("ADIF".utf8), "AAC"), (Array("FLV\u{1}".utf8), "Flash video"), (Array("MThd".utf8), midi),
  ]

  private static func kind(_ file: TrackFile) -> String? {
    for origin in Set([0, ID3Tags.leading(file)]).sorted() {
      let head = file.bytes(at: origin, count: 12)
      guard head.count == 12 else { continue }
      if head[4..<8].elementsEqual("ftyp".utf8) { return movie(file, origin) }
      if head.starts(with: Array("RIFF".utf8)), head[8...].elementsEqual("AVI ".utf8) { return "AVI" }
      if let known = beginnings.first(where: { head.starts(with: $0.bytes) }) { return known.kind }
      if isAAC(file, origin) { return "AAC" }
    }
    return nil
  }

  /// Whether three frames of bare AAC follow one another, each with its length in its header.
  private static func isAAC(_ file: TrackFile, _ origin: Int) -> Bool {
    var place = origin
    for _ in 0..<3 {
      let head = file.bytes(at: place, count: 6)
      guard head.count == 6, head[0] == 0xff, head[1] & 0xf6 == 0xf0 else { return false }
      let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
      guard size > 7 else { return false }
      place += size
    }
    return true
  }

  /// What the MP4 file holds, by the name of the codec in its description, which may follow the sound.
  private static func movie(_ file: TrackFile, _ origin: Int) -> String {
    var place = origin
    for _ in 0..<64 {
      let head = file.bytes(at: place, count: 8)
      guard head.count == 8 else { break }
      let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      if head[4...].elementsEqual("moov".utf8) {
        let codecs = [("alac", "ALAC in MP4"), ("mp4a", "AAC in MP4"), ("ac-3", "AC-3 in MP4")]
        let text = file.bytes(at: place, count: min(size, 1 << 16))
        return codecs.first { holds(text, Array($0.0.utf8)) }?.1 ?? "MP4"
      }
      guard size >= 8 else { break }
      place += size
    }
    return "MP4"
  }

  private static func holds(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }
}
