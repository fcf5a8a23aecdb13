/// The frames of the packets of one stream of Vorbis or Opus, counted page by page without decoding.
struct OggFrames {
  /// What a page holds.
  struct Count: Equatable {
    /// Frames of the packets that end on the page.
    var frames: Int
    /// Whether a packet ends on it at all.
    var hasEnd: Bool
  }

  let codec: OggPage.Codec
  /// Header packets that are still to come, and the first of them.
  private var headers: Int
  private var head: [UInt8] = []
  private var blocks: VorbisBlocks?
  /// Size of the last block of Vorbis, 0 before the first, which gives no frames.
  private var lastBlock = 0
  /// The beginning of a packet that goes on on the next page; nil where the packet has no beginning.
  private var packet: [UInt8]? = []
  private var isOpen = false
  private var number: UInt32?

  /// Longer setup headers are not read.
  private static let mostSetup = 1 << 20

  /// At the first page of a stream.
  init(_ codec: OggPage.Codec) {
    self.codec = codec
    headers = codec == .vorbis ? 3 : 2
  }

  /// Whether all pages of the stream before `page` were taken.
  func isNext(_ page: OggPage) -> Bool { number == nil || page.number == number }

  /// Goes on at another page of the stream. The block before the first packet of Vorbis is then unknown.
  mutating func leave() { (packet, isOpen, lastBlock, number) = ([], false, 0, nil) }

  /// Counts a page of the stream; nil for a page of headers.
  mutating func take(_ page: OggPage, _ bytes: [UInt8]) -> Count? {
    if !isNext(page) { (packet, isOpen) = ([], false) }
    // As libogg does: the rest of a packet whose beginning is not there is passed over.
    if page.isContinued, !isOpen { packet = nil }
    number = page.number &+ 1
    let isHeader = headers > 0
    var (place, frames, hasEnd) = (page.body - page.start, 0, false)
    for size in page.lacing {
      keep(bytes[place..<min(place + Int(size), bytes.count)])
      place += Int(size)
      isOpen = size == 255
      guard !isOpen else { continue }
      hasEnd = true
      if let packet { frames += end(packet) }
      packet = []
    }
    return isHeader ? nil : Count(frames: frames, hasEnd: hasEnd)
  }

  /// Keeps what is needed of a packet: all of a setup header, and the beginning of all others.
  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    guard let count = packet?.count else { return }
    let isSetup = codec == .vorbis && headers == 1
    packet?.append(contentsOf: bytes.prefix(max(0, (isSetup ? Self.mostSetup : 32) - count)))
  }

  /// Returns the frames of a packet that has ended.
  private mutating func end(_ packet: [UInt8]) -> Int {
    guard headers == 0 else {
      headers -= 1
      if head.isEmpty { head = packet }
      if headers == 0, codec == .vorbis { blocks = VorbisBlocks(head: head, setup: packet) }
      return 0
    }
    guard codec == .vorbis else { return Self.opusFrames(packet) }
    guard let block = blocks?.size(of: packet) else { return 0 }
    defer { lastBlock = block }
    return lastBlock == 0 ? 0 : (lastBlock + block) / 4
  }

  /// Frames at 48 kHz of a packet of Opus (RFC 6716, 3.1); 0 where it is none.
  private static func opusFrames(_ packet: [UInt8]) -> Int {
    guard let first = packet.first else { return 0 }
    let configuration = Int(first >> 3)
    let size =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration % 4]
      case 12..<16: [480, 960][configuration % 2]
      default: 120 << (configuration % 4)
      }
    let count =
      switch first & 3 {
      case 0: 1
      case 1, 2: 2
      default: packet.count > 1 ? Int(packet[1] & 63) : 0
      }
    return size * count <= 5760 ? size * count : 0
  }
}
