/// The chunks of a file in the manner of RIFF, at most 64.
struct SoundChunks: Sequence, IteratorProtocol {
  /// How the formats write a chunk: its name, its length and what that counts.
  enum Layout {
    /// WAV: lengths of four bytes, the lowest first.
    case riff
    /// AIFF, and WAV as RIFX: lengths of four bytes, the highest first.
    case bigEndian
    /// CAF: lengths of eight bytes, the highest first.
    case coreAudio
    /// Wave64: names of 16 bytes, of which the first four are those of WAV; lengths of eight, the lowest first.
    case wave64

    var nameSize: Int { self == .wave64 ? 16 : 4 }
    var lengthSize: Int { self == .riff || self == .bigEndian ? 4 : 8 }
    var headSize: Int { nameSize + lengthSize }
    /// Chunks begin at multiples of it.
    var alignment: Int {
      switch self {
      case .riff, .bigEndian: 2
      case .coreAudio: 1
      case .wave64: 8
      }
    }

    /// Bytes behind the head, without padding; negative where the length is none.
    func size(_ length: some BidirectionalCollection<UInt8>) -> Int {
      switch self {
      case .riff: Int(length.littleEndian)
      case .bigEndian: length.reduce(0) { $0 << 8 | Int($1) }
      case .coreAudio: Int(truncatingIfNeeded: length.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      // The head belongs to it.
      case .wave64: Int(truncatingIfNeeded: length.littleEndian) &- headSize
      }
    }

    /// A length as it is written.
    func bytes(_ size: Int) -> [UInt8] {
      let length = self == .wave64 ? size &+ headSize : size
      let bytes = (0..<lengthSize).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
      return self == .riff || self == .wave64 ? bytes : bytes.reversed()
    }

    /// A length of RF64, which has eight bytes.
    static func largeBytes(_ size: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } }

    /// Bytes of padding behind a chunk of `size` bytes.
    func padding(_ size: Int) -> Int { (alignment - size % alignment) % alignment }
  }

  struct Chunk {
    var name: String
    /// Offset of the first byte behind the head.
    var body: Int
    /// Bytes behind the head according to the length; negative where that is none.
    var size: Int
    /// Offset of the next chunk.
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

  /// The chunks behind the header of a file of `format`; nil if it has none.
  init?(_ file: TrackFile, _ format: SoundFormat) {
    guard let layout = Self.layout(file, format) else { return nil }
    self.init(file, from: format == .coreAudio ? 8 : format == .wave64 ? 40 : 12, layout)
  }

  static func layout(_ file: TrackFile, _ format: SoundFormat) -> Layout? {
    switch format {
    case .wave: file.bytes(at: 0, count: 4).elementsEqual("RIFX".utf8) ? .bigEndian : .riff
    case .aiff: .bigEndian
    case .coreAudio: .coreAudio
    case .wave64: .wave64
    case .sunAudio, .flac, .ogg: nil
    }
  }

  mutating func next() -> Chunk? {
    let head = file.bytes(at: offset, count: layout.headSize)
    guard left > 0, offset < file.size, head.count == layout.headSize, head[..<4].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    left -= 1
    let size = layout.size(head[layout.nameSize...])
    let body = offset + layout.headSize
    // A chunk that is longer than the file ends behind it, whatever else it says.
    let whole = Swift.min(Swift.max(0, size), file.size)
    offset = body + whole + layout.padding(whole)
    return Chunk(name: String(decoding: head[..<4], as: UTF8.self), body: body, size: size, end: offset)
  }
}
