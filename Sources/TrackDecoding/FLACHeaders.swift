import Glibc

/// What the headers of a FLAC file are corrected to before libFLAC reads them (RFC 9639, 8.2 and 9.1).
///
/// libFLAC ends a file where STREAMINFO's total says, and counts the frame numbers of a file of fixed blocks by
/// STREAMINFO's block sizes, or drops every frame where these differ. Recorders that were cut off, and programs that
/// cut or join files, write such headers. So libFLAC does not get the total, and gets the block size that the first
/// frame has.
struct FLACHeaders {
  /// The number of the first frame's first sample: above 0 where the beginning was cut off.
  private(set) var firstSample = 0
  /// Samples of each channel that the file announces; nil where it does not.
  private(set) var total: Int?
  /// Bytes of the smallest frame, at least those that a frame cannot do without.
  private(set) var leastFrameBytes = leastFrame

  /// Whether the first frame has the rate that the file announces.
  private(set) var isRateOfFirst = false

  /// The serial number of the Ogg stream, which need not be the file's first.
  private(set) var serial: UInt32?

  /// What the file's reader is to put in their place.
  private(set) var patches: [TrackFile.Patch] = []

  /// A header of 6 bytes, a byte of a constant subframe and its sample, and a checksum of 2.
  private static let leastFrame = 10
  private static let infoSize = 34
  /// More metadata blocks, or pages, than any file has before its music.
  private static let mostBlocks = 1 << 12

  init(_ file: TrackFile, isOgg: Bool) {
    let page = isOgg ? OggPage.playable(file)?.page : nil
    serial = page?.serial
    // In Ogg, STREAMINFO follows the mapping's own header.
    guard let info = page.map({ $0.body + 17 }) ?? (isOgg ? nil : 8) else { return }
    let bytes = file.bytes(at: info, count: Self.infoSize)
    guard bytes.count == Self.infoSize else { return }
    leastFrameBytes = max(Self.leastFrame, Int(bytes[4]) << 16 | Int(bytes[5]) << 8 | Int(bytes[6]))
    let announced = bytes[14..<18].reduce(Int(bytes[13] & 0x0f)) { $0 << 8 | Int($1) }
    total = announced > 0 ? announced : nil
    let first = page.map { Self.firstFrame(in: file, behind: $0) } ?? Self.firstFrame(file, behind: info)
    var corrected = bytes
    if let first {
      firstSample = first.firstSample
      let rate = Int(bytes[10]) << 12 | Int(bytes[11]) << 4 | Int(bytes[12] >> 4)
      isRateOfFirst = first.rate == nil || first.rate == rate
      let block = [UInt8(truncatingIfNeeded: first.block >> 8), UInt8(truncatingIfNeeded: first.block)]
      if first.isFixed { corrected.replaceSubrange(0..<4, with: block + block) }
    }
    corrected[13] &= 0xf0
    corrected.replaceSubrange(14..<18, with: [0, 0, 0, 0])
    patches = [TrackFile.Patch(offset: info, bytes: corrected)]
    if let page {
      let sum = page.checksum(file, with: corrected, at: info)
      patches.insert(TrackFile.Patch(offset: sum.offset, bytes: sum.bytes), at: 0)
    }
  }

  private static func firstFrame(_ file: TrackFile, behind info: Int) -> FLACFrameHeader? {
    var offset = info - 4
    for _ in 0..<mostBlocks {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return nil }
      offset += 4 + (Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3]))
      if head[0] & 0x80 != 0 { return FLACFrameHeader(file.bytes(at: offset, count: FLACFrameHeader.longest)) }
    }
    return nil
  }

  private static func firstFrame(in file: TrackFile, behind first: OggPage) -> FLACFrameHeader? {
    var offset = first.end
    for _ in 0..<mostBlocks {
      guard let page = OggPage(file, at: offset) else { return nil }
      if page.serial == first.serial,
        let header = FLACFrameHeader(file.bytes(at: page.body, count: FLACFrameHeader.longest))
      {
        return header
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
  let firstSample: Int
  /// Hz; nil where the frame leaves it to STREAMINFO.
  let rate: Int?
  /// Bytes before the checksum.
  let length: Int

  /// By their codes, from 1 on.
  private static let rates = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

  /// Bytes of the longest header, without its checksum.
  static let longest = 15

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
    let behind = next + extra
    let (one, two) = (Int(bytes[behind]), Int(bytes[behind]) << 8 | Int(bytes[behind + 1]))
    switch Int(bytes[2] & 0x0f) {
    case 0: (rate, length) = (nil, behind)
    case 12: (rate, length) = (one * 1000, behind + 1)
    case 13: (rate, length) = (two, behind + 2)
    case 14: (rate, length) = (two * 10, behind + 2)
    case 15: return nil
    case let code: (rate, length) = (Self.rates[code - 1], behind)
    }
    isFixed = bytes[1] & 1 == 0
    firstSample = isFixed ? number * block : number
  }
}
