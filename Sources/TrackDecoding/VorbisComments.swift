/// The tags of FLAC, Ogg Vorbis, Opus and FLAC in Ogg.
///
/// Read here because libsndfile passes on ten kinds of text only, and no gain is among them. Nothing in the file is
/// believed: every length is held against the bytes that are there, long values are stepped over unread (a cover picture
/// may be one), and what does not fit ends the list.
struct VorbisComments {
  /// By name in upper case, in the file's order.
  private(set) var values: [String: [String]] = [:]

  subscript(name: String) -> String? { values[name]?.first }

  /// Names of tags that are of use; all others are passed over.
  private static let wanted: Set<String> = [
    "TITLE", "ARTIST", "ALBUM", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN",
    "REPLAYGAIN_ALBUM_PEAK", "R128_TRACK_GAIN", "R128_ALBUM_GAIN",
  ]
  private static let longest = 4096
  private static let mostEntries = 10_000

  /// Those of `file`, none where there are none.
  init(_ file: TrackFile, _ format: SoundFormat) {
    switch format {
    case .flac: readFLAC(file)
    case .ogg: readOgg(file)
    case .wave, .aiff, .coreAudio, .sunAudio, .wave64: break
    }
  }

  private mutating func readFLAC(_ file: TrackFile) {
    var offset = 4
    for _ in 0..<1024 {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return }
      let size = head[1...].reduce(0) { $0 << 8 | Int($1) }
      if head[0] & 0x7f == 4 { return read(Bytes(file, [offset + 4..<offset + 4 + size])) }
      guard head[0] & 0x80 == 0 else { return }
      offset += 4 + size
    }
  }

  private mutating func readOgg(_ file: TrackFile) {
    guard let packets = OggPages(file)?.leadingPackets(2).packets, packets.count == 2 else { return }
    var bytes = Bytes(file, packets[1])
    // The packet's own name comes first; FLAC has its block header there.
    let head = bytes.peek(8)
    if head.starts(with: Array("\u{3}vorbis".utf8)) {
      bytes.skip(7)
    } else if head.starts(with: Array("OpusTags".utf8)) {
      bytes.skip(8)
    } else if let first = head.first, first & 0x7f == 4 {
      bytes.skip(4)
    } else {
      return
    }
    read(bytes)
  }

  private mutating func read(_ source: Bytes) {
    var source = source
    guard let vendor = source.length() else { return }
    source.skip(vendor)
    guard let count = source.length() else { return }
    for _ in 0..<min(count, Self.mostEntries) {
      guard let size = source.length(), size <= source.left else { return }
      let bytes = source.peek(min(size, Self.longest))
      source.skip(size)
      guard size <= Self.longest, let split = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: bytes[..<split], as: UTF8.self).uppercased()
      guard Self.wanted.contains(name) else { continue }
      values[name, default: []].append(String(decoding: bytes[(split + 1)...], as: UTF8.self))
    }
  }
}

/// Bytes that lie in pieces in a file, read from their beginning.
private struct Bytes {
  private let file: TrackFile
  private var pieces: ArraySlice<Range<Int>>

  init(_ file: TrackFile, _ pieces: [Range<Int>]) {
    self.file = file
    self.pieces = pieces[...]
  }

  var left: Int { pieces.reduce(0) { $0 + $1.count } }

  /// The next bytes, which stay where they are; fewer at the end.
  func peek(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces where bytes.count < count {
      bytes += file.bytes(at: piece.lowerBound, count: min(count - bytes.count, piece.count))
    }
    return bytes
  }

  mutating func skip(_ count: Int) {
    var rest = count
    while rest > 0, let piece = pieces.first {
      let step = min(rest, piece.count)
      rest -= step
      if step == piece.count {
        pieces.removeFirst()
      } else {
        pieces[pieces.startIndex] = piece.lowerBound + step..<piece.upperBound
      }
    }
  }

  /// A length of four bytes, lowest first.
  mutating func length() -> Int? {
    let bytes = peek(4)
    guard bytes.count == 4 else { return nil }
    skip(4)
    return Int(bytes.littleEndian)
  }
}
