import Glibc

/// What the headers of a FLAC file are corrected to before libFLAC reads them (RFC 9639, 8.2 and 9.1).
///
/// libFLAC ends a file where STREAMINFO's total says, and counts the frame numbers of a file of fixed blocks by
/// STREAMINFO's block sizes, or drops every frame where these differ. Recorders that were cut off, and programs that
/// cut or join files, write such headers. So libFLAC is not told the total, and is told the block size that the first
/// frame has.
struct FLACHeaders {
  /// The number of the sample at position 0: above 0 where the beginning was cut off.
  private(set) var firstSample = 0
  /// Samples of each channel that the file announces; nil where it does not.
  private(set) var total: Int?
  /// Where the first frame begins, and its header; nil in Ogg, and where none is found.
  private(set) var first: FLACScan.Found?

  /// The first page of the Ogg stream, which need not be the file's first.
  let page: OggPage?

  /// What the file's reader is to put in their place.
  private(set) var patches: [TrackFile.Patch] = []

  /// A header of 6 bytes, a byte of a constant subframe and its sample, and a checksum of 2.
  static let leastFrame = 10
  private static let infoSize = 34
  /// More metadata blocks, or pages, than any file has before its music.
  private static let mostBlocks = 1 << 12
  /// Larger tags are not searched for frames.
  private static let mostTags = 1 << 20

  init(_ file: TrackFile, isOgg: Bool) {
    page = isOgg ? OggPage.playable(file)?.page : nil
    // In Ogg, STREAMINFO stands behind the mapping's own header.
    guard let info = page.map({ $0.body + 17 }) ?? (isOgg ? nil : 8) else { return }
    let bytes = file.bytes(at: info, count: Self.infoSize)
    guard bytes.count == Self.infoSize else { return }
    let announced = bytes[14..<18].reduce(Int(bytes[13] & 0x0f)) { $0 << 8 | Int($1) }
    total = announced > 0 ? announced : nil
    let header = page.map { Self.firstFrame(in: file, behind: $0) } ?? findFirst(file, behind: info)
    var corrected = bytes
    if let header {
      if page != nil { firstSample = header.firstSample }
      let block = [UInt8(truncatingIfNeeded: header.block >> 8), UInt8(truncatingIfNeeded: header.block)]
      if header.isFixed { corrected.replaceSubrange(0..<4, with: block + block) }
    }
    corrected[13] &= 0xf0
    corrected.replaceSubrange(14..<18, with: [0, 0, 0, 0])
    patches = [TrackFile.Patch(offset: info, bytes: corrected)]
    if let page {
      let sum = page.checksum(file, with: corrected, at: info)
      patches.insert(TrackFile.Patch(offset: sum.offset, bytes: sum.bytes), at: 0)
    }
  }

  /// Finds the first frame of a bare file, right behind the metadata or further on, and which sample is at position 0.
  private mutating func findFirst(_ file: TrackFile, behind info: Int) -> FLACFrameHeader? {
    let start = Self.musicStart(file, behind: info)
    if let start, let header = FLACFrameHeader(whole: file.bytes(at: start, count: FLACFrameHeader.longest + 1)[...]) {
      (first, firstSample) = ((start, header), header.firstSample)
      return header
    }
    let begin = start ?? info + Self.infoSize
    // Tags with wrong lengths may lead into the music.
    let search = begin - info < Self.mostTags ? info + Self.infoSize : begin
    guard let (found, next) = FLACScan(file).first(behind: search, orFrom: begin) else { return nil }
    first = found
    // Damage is silent where so many frames may have stood in it. Otherwise the file was cut within a frame.
    let (lost, size) = (found.place - begin, (next ?? file.end) - found.place)
    let before = found.header.firstSample / found.header.block
    let isDamage = start != nil && lost > 0 && before <= 4 * lost / max(1, 3 * size)
    firstSample = isDamage ? 0 : found.header.firstSample
    return found.header
  }

  /// Where the metadata ends; nil where that is not in the file.
  private static func musicStart(_ file: TrackFile, behind info: Int) -> Int? {
    var offset = info - 4
    for _ in 0..<mostBlocks {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return nil }
      offset += 4 + (Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3]))
      if head[0] & 0x80 != 0 { return offset < file.end ? offset : nil }
    }
    return nil
  }

  private static func firstFrame(in file: TrackFile, behind first: OggPage) -> FLACFrameHeader? {
    var offset = first.end
    for _ in 0..<mostBlocks {
      guard let page = OggPage(file, at: offset) else { return nil }
      if page.serial == first.serial {
        // What goes on from a page that is not there is passed over.
        let rest = page.isContinued ? page.lacing.prefix { $0 == 255 }.count + 1 : 0
        let place = page.body + page.lacing.prefix(rest).reduce(0) { $0 + Int($1) }
        let bytes = file.bytes(at: place, count: FLACFrameHeader.longest + 1)
        if place < page.end, let header = FLACFrameHeader(whole: bytes[...]) { return header }
      }
      offset = page.end
    }
    return nil
  }
}

/// The header of a FLAC frame (RFC 9639, 9.1).
struct FLACFrameHeader {
  /// Whether all frames but the last have the same number of samples, and are numbered by frames.
  let isFixed: Bool
  /// Samples of each channel.
  let block: Int
  /// Of the frame where `isFixed`, else of its first sample.
  let number: Int
  /// Bytes before the checksum.
  let length: Int

  private let sync: [UInt8]

  /// The number of its first sample, where it is not the shorter one at the end of a recording.
  var firstSample: Int { isFixed ? number * block : number }

  /// The number of its first sample in a recording whose first frame is `first`.
  func firstSample(in first: FLACFrameHeader) -> Int { isFixed ? number * first.block : number }

  /// The number that the frame behind it has.
  var following: Int { isFixed ? number &+ 1 : number &+ block }

  /// The number of the sample behind it.
  var end: Int { firstSample &+ block }

  /// Whether both can be frames of one recording.
  func isLike(_ other: FLACFrameHeader) -> Bool { sync == other.sync }

  /// Bytes of the longest header, without its checksum.
  static let longest = 15

  /// Returns nil where `bytes` do not begin with a header whose checksum is right.
  init?(whole bytes: ArraySlice<UInt8>) {
    guard bytes.count > Self.longest, bytes[bytes.startIndex + 1] & 0xfe == 0xf8 else { return nil }
    self.init(Array(bytes.prefix(Self.longest)))
    let sum = bytes.prefix(length).reduce(UInt8(0)) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 7 }
    }
    guard bytes[bytes.startIndex + length] == sum else { return nil }
  }

  /// Returns nil where no frame begins with `bytes`.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.longest, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8 else { return nil }
    // The number is written as UTF-8 writes a character, in up to 7 bytes.
    let ones = (~bytes[4]).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return nil }
    let rest = bytes[5..<5 + max(0, ones - 1)]
    guard rest.allSatisfy({ $0 & 0xc0 == 0x80 }) else { return nil }
    let start = ones == 0 ? Int(bytes[4]) : Int(bytes[4] & (0x7f >> UInt8(ones)))
    let number = rest.reduce(start) { $0 << 6 | Int($1 & 0x3f) }
    let next = 5 + rest.count
    var extra = 0
    switch Int(bytes[2] >> 4) {
    case 0: return nil
    case 1: block = 192
    case let code where code < 6: block = 576 << (code - 2)
    case 6: (block, extra) = (Int(bytes[next]) + 1, 1)
    case 7: (block, extra) = (Int(bytes[next]) << 8 + Int(bytes[next + 1]) + 1, 2)
    case let code: block = 256 << (code - 8)
    }
    let rate = bytes[2] & 0x0f
    length = next + extra + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0)
    isFixed = bytes[1] & 1 == 0
    // How blocks are numbered, the rate and the size of samples.
    sync = [bytes[1], rate, bytes[3] & 0x0e]
    self.number = number
  }
}
