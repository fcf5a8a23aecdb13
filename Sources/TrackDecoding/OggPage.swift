import Glibc

/// A page of an Ogg file (RFC 3533, 6) as its header describes it, whether or not its checksum is right.
struct OggPage {
  /// Offset in the file of its first byte.
  let start: Int
  private let flags: UInt8
  /// The granule position, as the header has it.
  let position: Int64
  let serial: UInt32
  /// Counts the pages of a logical stream.
  let number: UInt32
  /// The lengths of its segments: a packet ends with the first that is below 255.
  let lacing: [UInt8]
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
    start = offset
    lacing = file.bytes(at: offset + Self.headerSize, count: Int(head[26]))
    body = offset + Self.headerSize + Int(head[26])
    end = body + lacing.reduce(0) { $0 + Int($1) }
    guard lacing.count == Int(head[26]), end <= file.size else { return nil }
    flags = head[5]
    position = Int64(bitPattern: head[6..<14].littleEndian)
    serial = UInt32(head[14..<18].littleEndian)
    number = UInt32(head[18..<22].littleEndian)
  }

  /// Whether its first packet began on an earlier page.
  var isContinued: Bool { flags & 1 != 0 }
  /// Whether it begins a logical stream.
  var begins: Bool { flags & 2 != 0 }
  /// Whether it ends a logical stream.
  var ends: Bool { flags & 4 != 0 }

  /// The first stream that can be played, of those that begin together at the beginning of the file.
  static func playable(_ file: TrackFile) -> (page: OggPage, codec: Codec)? {
    var offset = 0
    for _ in 0..<16 {
      guard let page = OggPage(file, at: offset), page.begins else { return nil }
      if let codec = codec(file.bytes(at: page.body, count: 8)) { return (page, codec) }
      offset = page.end
    }
    return nil
  }

  /// The codec of a stream by the first bytes of its first packet.
  static func codec(_ head: some Sequence<UInt8>) -> Codec? {
    if head.starts(with: [1] + Array("vorbis".utf8)) { return .vorbis }
    if head.starts(with: Array("OpusHead".utf8)) { return .opus }
    return head.starts(with: [0x7f] + Array("FLAC".utf8)) ? .flac : nil
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
  static func isWhole(_ page: [UInt8]) -> Bool {
    // The file may be cut meanwhile, or the storage not give it.
    page.count >= headerSize && sum(page) == UInt32(page[22..<26].littleEndian)
  }

  /// The checksum of a page, in which the bytes of the checksum itself count as 0.
  private static func sum(_ page: [UInt8]) -> UInt32 {
    page.withUnsafeBufferPointer { page in
      var sum: UInt32 = 0
      func add(_ byte: UInt8) { sum = sum << 8 ^ sums[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
      for byte in page[..<22] { add(byte) }
      for _ in 22..<26 { add(0) }
      for byte in page[26...] { add(byte) }
      return sum
    }
  }

  /// The header of a page with another position, serial number and end, and with a checksum that is right for it.
  static func header(_ page: [UInt8], position: Int64, serial: UInt32, ends: Bool) -> [UInt8] {
    var page = page
    page[5] = ends ? page[5] | 4 : page[5] & ~4
    page.put(UInt64(bitPattern: position), count: 8, at: 6)
    page.put(UInt64(serial), count: 4, at: 14)
    page.put(UInt64(sum(page)), count: 4, at: 22)
    return Array(page[..<headerSize])
  }

  /// The next whole page at or behind `offset`, and its bytes; nil where there is none.
  /// - Parameter allowance: bytes of pages with a wrong checksum that may still be read; they are counted down.
  static func next(
    _ file: TrackFile, from offset: Int, allowance: inout Int
  ) -> (page: OggPage, bytes: [UInt8])? {
    var start = offset
    while start < file.end {
      if let page = OggPage(file, at: start), page.end <= file.end {
        let bytes = file.bytes(at: start, count: page.end - start)
        if bytes.count == page.end - start, isWhole(bytes) { return (page, bytes) }
        allowance -= bytes.count
        guard allowance >= 0 else { return nil }
      }
      guard let further = place(file, from: start + 1) else { return nil }
      start = further
    }
    return nil
  }

  /// The offset of the next capture pattern, at or behind `offset`.
  private static func place(_ file: TrackFile, from offset: Int) -> Int? {
    let window = 1 << 12
    for start in stride(from: offset, to: file.end, by: window) {
      let bytes = file.bytes(at: start, count: window + magic.count - 1)
      if let first = places(of: magic, in: bytes).first { return start + first }
    }
    return nil
  }

  /// The checksum that this page has with other bytes at an offset in the file, and its own offset there.
  func checksum(_ file: TrackFile, with other: [UInt8], at offset: Int) -> (offset: Int, bytes: [UInt8]) {
    var page = file.bytes(at: start, count: end - start)
    guard page.count >= Self.headerSize else { return (start + 22, []) }
    for (index, byte) in other.enumerated() where page.indices.contains(offset - start + index) {
      page[offset - start + index] = byte
    }
    let sum = Self.sum(page)
    return (start + 22, (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
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
