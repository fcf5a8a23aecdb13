import Glibc

/// A page of an Ogg file (RFC 3533, 6) as its header describes it, whether or not its checksum is right.
struct OggPage {
  /// Offset in the file of its first byte.
  let start: Int
  let serial: UInt32
  /// Whether it begins a logical stream.
  let begins: Bool
  /// Offset in the file of the first byte behind the header.
  let body: Int
  /// Offset in the file of the first byte behind the page.
  let end: Int

  /// The codec of a stream that can be played.
  enum Codec { case vorbis, opus, flac }

  /// The capture pattern, and the version that all pages have.
  private static let magic = Array("OggS\0".utf8)
  private static let headerSize = 27

  /// Returns nil where no page begins at `offset`, or the file ends before the page does.
  init?(_ file: TrackFile, at offset: Int) {
    let head = file.bytes(at: offset, count: Self.headerSize)
    guard head.count == Self.headerSize, head.starts(with: Self.magic) else { return nil }
    let lacing = file.bytes(at: offset + Self.headerSize, count: Int(head[26]))
    start = offset
    body = offset + Self.headerSize + Int(head[26])
    end = body + lacing.reduce(0) { $0 + Int($1) }
    guard lacing.count == Int(head[26]), end <= file.size else { return nil }
    serial = UInt32(head[14..<18].littleEndian)
    begins = head[5] & 2 != 0
  }

  /// The first stream that can be played, of those that begin together at the beginning of the file.
  static func playable(_ file: TrackFile) -> (page: OggPage, codec: Codec)? {
    var offset = 0
    for _ in 0..<16 {
      guard let page = OggPage(file, at: offset), page.begins else { return nil }
      let head = file.bytes(at: page.body, count: 8)
      if head.starts(with: [1] + Array("vorbis".utf8)) { return (page, .vorbis) }
      if head.starts(with: Array("OpusHead".utf8)) { return (page, .opus) }
      if head.starts(with: [0x7f] + Array("FLAC".utf8)) { return (page, .flac) }
      offset = page.end
    }
    return nil
  }

  /// The end of the last whole page, of all streams or of the one with `serial`. The libraries must not see what lies
  /// behind it: the time of libvorbisfile grows with the square of its length, and libogg computes a checksum for each
  /// `OggS` in it. Returns nil where there is no whole page, and where so many pages have a wrong checksum that
  /// checking all of them would take longer than reading the file.
  static func lastEnd(_ file: TrackFile, serial: UInt32? = nil) -> Int? {
    let window = 1 << 16
    var start = file.size
    var summed = 0
    while start > 0 {
      let end = start
      start = max(0, end - window)
      // Reads a little further than the window, so that a pattern which begins in it is found whole.
      let places = places(of: magic, in: file.bytes(at: start, count: end - start + magic.count - 1))
      for place in places.reversed() {
        guard let page = OggPage(file, at: start + place), page.serial == serial ?? page.serial else { continue }
        let bytes = file.bytes(at: start + place, count: page.end - start - place)
        if isWhole(bytes) { return page.end }
        summed += bytes.count
        guard summed <= file.size + window else { return nil }
      }
    }
    return nil
  }

  /// Whether the checksum of a page is right.
  private static func isWhole(_ page: [UInt8]) -> Bool { checksum(page) == UInt32(page[checksum].littleEndian) }

  /// Where in a page its checksum stands.
  private static let checksum = 22..<26

  private static func checksum(_ page: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0
    for (index, byte) in page.enumerated() {
      // The bytes of the checksum itself count as 0.
      let counted = checksum.contains(index) ? 0 : byte
      sum = sum << 8 ^ sums[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ counted)]
    }
    return sum
  }

  /// The checksum that this page has with other bytes at an offset in the file, and its own offset there.
  func checksum(_ file: TrackFile, with other: [UInt8], at offset: Int) -> (offset: Int, bytes: [UInt8]) {
    var page = file.bytes(at: start, count: end - start)
    for (index, byte) in other.enumerated() where page.indices.contains(offset - start + index) {
      page[offset - start + index] = byte
    }
    let sum = Self.checksum(page)
    return (start + Self.checksum.lowerBound, (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
  }

  /// The CRC of each byte value, with the polynomial 0x04C11DB7, highest bit first.
  private static let sums = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04c1_1db7 }
  }

  private static func places(of word: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      var places: [Int] = []
      var place = 0
      // Glibc declares memmem to GNU sources only, so Swift does not see it.
      while let hit = memchr(base + place, CInt(word[0]), max(0, bytes.count - word.count + 1 - place)) {
        place = base.distance(to: UnsafeRawPointer(hit))
        if memcmp(hit, word, word.count) == 0 { places.append(place) }
        place += 1
      }
      return places
    }
  }
}
