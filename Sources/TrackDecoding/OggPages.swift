/// One page of an Ogg file.
struct OggPage: Equatable {
  /// Of the page's first byte.
  var offset: Int
  var headerSize: Int
  var serial: UInt32
  /// Of the last sample that ends in the page; nil where none does.
  var granule: Int?
  /// Sizes of its segments; one of less than 255 bytes ends a packet.
  var lacing: [UInt8]

  var bodySize: Int { lacing.reduce(0) { $0 + Int($1) } }
  var end: Int { offset + headerSize + bodySize }
}

/// Finds pages of an Ogg file's first logical stream. Nothing is decoded, and no checksum is checked but those
/// of the pages that begin the file: any other page that is damaged is libogg's to find.
struct OggPages {
  private let file: TrackFile
  let serial: UInt32

  /// Nil where the file does not begin with a page.
  init?(_ file: TrackFile) {
    self.file = file
    guard let first = Self.page(file, at: 0) else { return nil }
    serial = first.serial
  }

  /// The extents in the file of the packets that begin the stream, at most `count`. Their size is bounded by the number
  /// of pages gone through.
  /// - Returns: for each packet its pieces in order, and where the page after the last of them begins.
  func leadingPackets(_ count: Int) -> (packets: [[Range<Int>]], end: Int) {
    var packets: [[Range<Int>]] = []
    var pieces: [Range<Int>] = []
    var offset = 0
    for _ in 0..<4096 where packets.count < count {
      guard let page = Self.page(file, at: offset) else { break }
      offset = page.end
      guard page.serial == serial else { continue }
      var place = page.offset + page.headerSize
      for size in page.lacing {
        let end = place + Int(size)
        if let last = pieces.last, last.upperBound == place {
          pieces[pieces.count - 1] = last.lowerBound..<end
        } else {
          pieces.append(place..<end)
        }
        place = end
        guard size < 255, packets.count < count else { continue }
        packets.append(pieces)
        pieces = []
      }
    }
    return (packets, offset)
  }

  /// Whether the first page is as its sum says. libsndfile would look for a good one behind it.
  var beginWhole: Bool { wholePage(at: 0) != nil }

  /// Whether its first packet is Vorbis' first header.
  var beginVorbis: Bool { file.bytes(at: 28, count: 7) == [1] + Array("vorbis".utf8) }

  /// Whether the three headers of Vorbis are there, with their names and on pages that are as their sums say. libsndfile
  /// (1.2.0) forgets 6 kB of memory at every open of a file whose first header is good and another is not.
  var haveVorbisHeaders: Bool {
    let (packets, end) = leadingPackets(3)
    let names = packets.map { $0.first.map { file.bytes(at: $0.lowerBound, count: min(7, $0.count)) } ?? [] }
    guard names == [1, 3, 5].map({ [$0] + Array("vorbis".utf8) }) else { return false }
    var offset = 0
    // Beyond, there can only be a picture.
    while offset < min(end, Self.summed) {
      guard let page = wholePage(at: offset) else { return false }
      offset = page.end
    }
    return true
  }

  private static let summed = 1 << 20

  /// Nil where there is none, or it is not as its sum says.
  private func wholePage(at offset: Int) -> OggPage? {
    guard let page = Self.page(file, at: offset) else { return nil }
    var bytes = file.bytes(at: offset, count: page.end - offset)
    let sum = UInt32(bytes[22..<26].littleEndian)
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    return Self.checksum(bytes) == sum ? page : nil
  }

  /// Of a page whose own sum is 0 (RFC 3533, 6).
  static func checksum(_ page: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0
    for byte in page {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04c1_1db7 }
    }
    return sum
  }

  /// The last page between `start` and the end of the file in which samples end, but none past `granule`; nil if
  /// the first page there already goes further.
  func last(endingBy granule: Int, from start: Int) -> OggPage? {
    var best: OggPage?
    var low = start
    var high = file.size
    while low < high {
      // Halved as long as it pays, then page by page.
      let middle = high - low > Self.window ? low + (high - low) / 2 : low
      guard let page = next(from: middle), page.offset < high else {
        if middle == low { break }
        high = middle
        continue
      }
      if let reached = page.granule, reached <= granule {
        best = page
        low = page.end
      } else if middle == low {
        break
      } else {
        high = middle
      }
    }
    return best
  }

  /// The last page of the file in which samples end.
  func last() -> OggPage? {
    var reach = Self.window
    while true {
      let start = max(0, file.size - reach)
      var found: OggPage?
      var place = start
      while let page = next(from: place) {
        found = page
        place = page.end
      }
      if found != nil || start == 0 { return found }
      reach *= 4
    }
  }

  static let window = 1 << 16

  /// The first page of this stream at or after `offset` in which samples end.
  private func next(from offset: Int) -> OggPage? {
    var place = offset
    while place < file.size {
      if let page = Self.page(file, at: place) {
        if page.serial == serial, page.granule != nil { return page }
        place = page.end
        continue
      }
      let bytes = file.bytes(at: place + 1, count: 4096)
      guard bytes.count >= 4 else { return nil }
      let hit = (0...(bytes.count - 4)).first {
        bytes[$0] == 0x4f && bytes[$0 + 1] == 0x67 && bytes[$0 + 2] == 0x67 && bytes[$0 + 3] == 0x53
      }
      place += 1 + (hit ?? bytes.count - 3)
    }
    return nil
  }

  /// The page at `offset`; nil where there is none, or not all of it.
  private static func page(_ file: TrackFile, at offset: Int) -> OggPage? {
    let head = file.bytes(at: offset, count: 27)
    guard head.count == 27, head.starts(with: Array("OggS".utf8)), head[4] == 0 else { return nil }
    let lacing = file.bytes(at: offset + 27, count: Int(head[26]))
    guard lacing.count == Int(head[26]) else { return nil }
    let granule = Int64(bitPattern: head[6..<14].littleEndian)
    let page = OggPage(
      offset: offset, headerSize: 27 + lacing.count,
      serial: UInt32(head[14..<18].littleEndian),
      granule: granule < 0 ? nil : Int(granule), lacing: lacing)
    return page.end <= file.size ? page : nil
  }
}
