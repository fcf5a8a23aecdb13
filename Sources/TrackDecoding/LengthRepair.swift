/// Repairs the header of a sound file whose writer never filled in its length, as where it wrote to a pipe or was cut off.
enum LengthRepair {
  /// The patch for a length that libsndfile would believe, or would not understand; nil where the header needs none.
  static func patch(_ file: TrackFile, _ format: SoundFormat) -> TrackFile.Patch? {
    switch format {
    case .wave: wave(file)
    case .coreAudio: coreAudio(file)
    case .sunAudio: sunAudio(file)
    // libsndfile goes by the file's own length there.
    case .aiff, .wave64: nil
    case .flac, .ogg: nil
    }
  }

  /// libsndfile itself cuts a length that is too large (0xFFFFFFFF, for one) to that of the file. In RF64, which has the
  /// length in a chunk before the sound, it does not.
  private static func wave(_ file: TrackFile) -> TrackFile.Patch? {
    var large: (place: Int, size: Int)?
    for chunk in Chunks(file, from: 12, .littleEndian) {
      if chunk.name == "ds64" { large = (chunk.body + 8, Int(truncating: file.bytes(at: chunk.body + 8, count: 8))) }
      guard chunk.name == "data" else { continue }
      let rest = file.size - chunk.body
      if let large {
        guard !(1...rest).contains(large.size), rest > 0 else { return nil }
        return TrackFile.Patch(
          offset: large.place, bytes: (0..<8).map { UInt8(truncatingIfNeeded: rest >> (8 * $0)) })
      }
      guard chunk.size == 0, rest > 0, !isChain(file, from: chunk.body, .littleEndian) else { return nil }
      return TrackFile.Patch(offset: chunk.body - 4, bytes: [0xff, 0xff, 0xff, 0xff])
    }
    return nil
  }

  /// A length of -1 means up to the end of the file; the four bytes of the edit count belong to it.
  private static func coreAudio(_ file: TrackFile) -> TrackFile.Patch? {
    for chunk in Chunks(file, from: 8, .coreAudio) where chunk.name == "data" {
      let rest = file.size - chunk.body
      let isUnknown = chunk.size < 0 || chunk.size > rest
      let isEmpty = (0...4).contains(chunk.size) && !isChain(file, from: chunk.body + chunk.size, .coreAudio)
      guard isUnknown || isEmpty, rest > 4 else { return nil }
      return TrackFile.Patch(
        offset: chunk.body - 8, bytes: (0..<8).map { UInt8(truncatingIfNeeded: rest >> (56 - 8 * $0)) })
    }
    return nil
  }

  /// 0xFFFFFFFF means up to the end of the file.
  private static func sunAudio(_ file: TrackFile) -> TrackFile.Patch? {
    let head = file.bytes(at: 4, count: 8).map(Int.init)
    guard head.count == 8 else { return nil }
    let numbers = [head[..<4], head[4...]].map { $0.reduce(0) { $0 << 8 | $1 } }
    let isKnown = numbers[1] > 0 && numbers[1] <= file.size - numbers[0]
    return isKnown ? nil : TrackFile.Patch(offset: 8, bytes: [0xff, 0xff, 0xff, 0xff])
  }

  /// Whether only whole chunks follow from `start` to the end of the file: the data is then really empty.
  private static func isChain(_ file: TrackFile, from start: Int, _ layout: Chunks.Layout) -> Bool {
    guard start < file.size else { return false }
    var end = start
    for chunk in Chunks(file, from: start, layout) {
      guard chunk.size >= 0, chunk.name.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return false }
      end = chunk.end
    }
    return end >= file.size && end <= file.size + 1
  }
}

/// The chunks of a RIFF or CAF file, at most 64.
private struct Chunks: Sequence, IteratorProtocol {
  enum Layout {
    /// Lengths of four bytes, the lowest first; chunks begin at even places.
    case littleEndian
    /// Lengths of eight bytes, the highest first.
    case coreAudio
  }

  struct Chunk {
    var name: String
    var body: Int
    var size: Int
    var end: Int
  }

  private let file: TrackFile
  private let layout: Layout
  private var offset: Int
  private var left = 64

  init(_ file: TrackFile, from offset: Int, _ layout: Layout) {
    self.file = file
    self.offset = offset
    self.layout = layout
  }

  mutating func next() -> Chunk? {
    let length = layout == .littleEndian ? 4 : 8
    let head = file.bytes(at: offset, count: 4 + length)
    guard left > 0, offset < file.size, head.count == 4 + length, head[..<4].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    left -= 1
    let size =
      layout == .littleEndian
      ? Int(head[4...].littleEndian) : Int(truncating: Array(head[4...].reversed()))
    let body = offset + 4 + length
    let padding = layout == .littleEndian ? size % 2 : 0
    let (end, overflow) = body.addingReportingOverflow(Swift.max(0, size) + padding)
    offset = overflow ? .max : end
    return Chunk(name: String(decoding: head[..<4], as: UTF8.self), body: body, size: size, end: offset)
  }
}

extension Int {
  /// A number of up to eight bytes, the lowest first.
  fileprivate init(truncating bytes: some Collection<UInt8>) {
    self = Int(truncatingIfNeeded: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
