/// The ID3v2 tags at the beginning of a file.
enum ID3Tags {
  /// The largest tags that are read, in bytes, pictures not counted.
  private static let mostText = 1 << 20
  /// With pictures. The library loads a tag as a whole.
  private static let mostBytes = 1 << 24
  /// The most frames of tags that are read. libmpg123 takes a time that grows with the square of their number: seconds
  /// for 20,000, minutes for 200,000.
  private static let mostFrames = 1_000

  /// Their length in bytes.
  static func leading(_ file: TrackFile) -> Int { headers(file).last?.end ?? 0 }

  /// Whether the tags are small enough for libmpg123; larger ones are stepped over.
  static func areReadable(_ file: TrackFile) -> Bool {
    var (frames, text) = (0, 0)
    for header in headers(file) {
      guard header.end <= mostBytes else { return false }
      for size in frameSizes(file, header) {
        frames += 1
        text += size
        if frames > mostFrames || text > mostText { return false }
      }
    }
    return true
  }

  private struct Header {
    var start: Int
    var end: Int
    /// The second number of the version: 2, 3 or 4.
    var version: UInt8
    var flags: UInt8
  }

  private static func headers(_ file: TrackFile) -> [Header] {
    var headers: [Header] = []
    while headers.count < 8 {
      let start = headers.last?.end ?? 0
      let head = file.bytes(at: start, count: 10)
      guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6...].allSatisfy({ $0 < 0x80 }) else { break }
      let footer = head[5] & 0x10 == 0 ? 0 : 10
      let end = start + 10 + synchsafe(head[6...]) + footer
      headers.append(Header(start: start, end: end, version: head[3], flags: head[5]))
    }
    return headers
  }

  /// The sizes of the frames of a tag as libmpg123 finds them, 0 for a picture.
  private static func frameSizes(_ file: TrackFile, _ tag: Header) -> some Sequence<Int> {
    let (name, head) = tag.version == 2 ? (3, 6) : (4, 10)
    let hasExtension = tag.flags & 0x40 != 0
    let first = tag.start + 10 + (hasExtension ? synchsafe(file.bytes(at: tag.start + 10, count: 4)[...]) : 0)
    return sequence(state: first) { (place: inout Int) -> Int? in
      let bytes = place < tag.end ? file.bytes(at: place, count: head) : []
      guard bytes.count == head, bytes[..<name].allSatisfy(isOfName) else { return nil }
      let field = bytes[name..<(2 * name)]
      let size = tag.version == 4 ? synchsafe(field) : field.reduce(0) { $0 << 8 | Int($1) }
      place += head + size
      return ["APIC", "PIC"].contains(String(decoding: bytes[..<name], as: UTF8.self)) ? 0 : size
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// A number of seven bits a byte.
  private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7f) } }
}
