/// What the first four bytes of a frame of MPEG audio say of it; none for a free bit rate.
struct MPEGHeader: Equatable {
  /// 1 to 3.
  var layer: Int
  /// Frames of the sound in it.
  var samples: Int
  /// Hz.
  var rate: Int
  /// Bits a second.
  var bitRate: Int
  var isPadded: Bool
  var isMono: Bool
  /// Whether it is of MPEG 1, not 2 or 2.5.
  var isFirstVersion: Bool

  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    self.init(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// - Parameter word: the four bytes, the first the highest.
  init?(_ word: UInt32) {
    let word = Int(word)
    let (version, layer) = (word >> 19 & 3, 4 - (word >> 17 & 3))
    let (bits, rate) = (word >> 12 & 15, word >> 10 & 3)
    guard word >> 21 == 0x7ff, version != 1, layer != 4, 1...14 ~= bits, rate != 3 else { return nil }
    isFirstVersion = version == 3
    self.layer = layer
    samples = layer == 1 ? 384 : layer == 3 && !isFirstVersion ? 576 : 1152
    self.rate = [44100, 48000, 32000][rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    bitRate = 1000 * Self.bitRates(layer, isFirstVersion)[bits - 1]
    isPadded = word >> 9 & 1 == 1
    isMono = word >> 6 & 3 == 3
  }

  /// Bytes in a frame of any bit rate; nil for what is none.
  /// - Parameter free: those in a frame of a free bit rate without padding.
  static func size(_ word: UInt32, free: Int) -> Int? {
    if let header = MPEGHeader(word) { return header.size }
    // The same header with a bit rate.
    return word & 0xf000 == 0 && MPEGHeader(word | 0x1000) != nil ? free + padding(word) : nil
  }

  /// Bytes of padding in a frame of a free bit rate, as libmpg123 counts them: one in layer I too, where ISO 11172-3 has
  /// four. Places that were counted otherwise would not be those of the frames that the library gives.
  static func padding(_ word: UInt32) -> Int { Int(word >> 9 & 1) }

  /// Bytes of the unit that frames are measured in.
  var slot: Int { layer == 1 ? 4 : 1 }
  /// The mean size of frames at this bit rate is `bytesTimesRate / rate`.
  var bytesTimesRate: Int { samples / 8 * bitRate }
  /// Bytes in the frame.
  var size: Int { (bytesTimesRate / slot / rate + (isPadded ? 1 : 0)) * slot }

  /// Whether both can be frames of one stream.
  func isLike(_ other: MPEGHeader) -> Bool {
    layer == other.layer && rate == other.rate && isFirstVersion == other.isFirstVersion
  }

  private static func bitRates(_ layer: Int, _ isFirstVersion: Bool) -> [Int] {
    switch (layer, isFirstVersion) {
    case (1, true): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (2, true): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (_, true): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (1, false): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
