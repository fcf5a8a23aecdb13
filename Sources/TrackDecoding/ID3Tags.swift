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
  static func leading(_ file: TrackFile) -> Int {
    if let known = file.leadingTags { return known }
    let found = headers(file).last?.end ?? 0
    // What could not be read may be there the next time.
    if file.failure == 0 { file.leadingTags = found }
    return found
  }

  /// Whether the tags are small enough for libmpg123; larger ones are stepped over.
  static func areReadable(_ file: TrackFile) -> Bool {
    var (frames, text) = (0, 0)
    for header in headers(file) {
      guard header.end <= mostBytes else { return false }
      for frame in parts(file, header) {
        frames += 1
        text += frame.isPicture ? 0 : frame.place.count
        if frames > mostFrames || text > mostText { return false }
      }
    }
    return true
  }

  /// Where the pictures are, which libmpg123 steps over. Not in tags in which bytes are left out as it reads, which it
  /// finds by looking at all of them.
  static func pictures(_ file: TrackFile) -> [Range<Int>] {
    headers(file).filter { $0.flags & 0x80 == 0 }.flatMap { header in
      parts(file, header).filter(\.isPicture).map { $0.place.clamped(to: 0..<header.end) }
    }
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
    while headers.count < 8, let header = header(file, at: headers.last?.end ?? 0) { headers.append(header) }
    return headers
  }

  private static func header(_ file: TrackFile, at start: Int) -> Header? {
    let head = file.bytes(at: start, count: 10)
    guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6...].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let footer = head[5] & 0x10 == 0 ? 0 : 10
    let end = start + 10 + synchsafe(head[6...]) + footer
    return Header(start: start, end: end, version: head[3], flags: head[5])
  }

  /// The length in bytes of the tag that begins at a place in the file; nil where none does.
  static func size(_ file: TrackFile, at place: Int) -> Int? { header(file, at: place).map { $0.end - place } }

  /// The same of the tag that ends there, which then has a footer.
  static func size(_ file: TrackFile, before place: Int) -> Int? {
    let foot = file.bytes(at: max(0, place - 10), count: min(10, place))
    guard foot.count == 10, foot.starts(with: Array("3DI".utf8)), foot[6...].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    return 20 + synchsafe(foot[6...])
  }

  /// The frames of a tag as libmpg123 finds them, without their heads.
  private static func parts(
    _ file: TrackFile, _ tag: Header
  ) -> some Sequence<(place: Range<Int>, isPicture: Bool)> {
    let (name, head) = tag.version == 2 ? (3, 6) : (4, 10)
    let hasExtension = tag.flags & 0x40 != 0
    let first = tag.start + 10 + (hasExtension ? synchsafe(file.bytes(at: tag.start + 10, count: 4)[...]) : 0)
    return sequence(state: first) { (place: inout Int) -> (place: Range<Int>, isPicture: Bool)? in
      let bytes = place < tag.end ? file.bytes(at: place, count: head) : []
      guard bytes.count == head, bytes[..<name].allSatisfy(isOfName) else { return nil }
      let field = bytes[name..<(2 * name)]
      let size = tag.version == 4 ? synchsafe(field) : field.reduce(0) { $0 << 8 | Int($1) }
      defer { place += head + size }
      let isPicture = ["APIC", "PIC"].contains(String(decoding: bytes[..<name], as: UTF8.self))
      return (place + head..<place + head + size, isPicture)
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// A number of seven bits a byte.
  private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7f) } }
}
