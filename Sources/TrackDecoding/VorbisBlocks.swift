/// The two block sizes of a Vorbis stream, and which packets have which (Vorbis I, 4.2).
struct VorbisBlocks {
  private let sizes: (short: Int, long: Int)
  /// For each mode.
  private let isLong: [Bool]
  private let modeBits: Int

  /// - Parameters:
  ///   - head: the identification header, or its beginning.
  ///   - setup: the setup header, of which the end is read: it holds the modes, and all before them has no fixed size.
  init?(head: [UInt8], setup: [UInt8]) {
    guard head.count > 28, let modes = Self.modes(setup) else { return nil }
    sizes = (1 << Int(head[28] & 15), 1 << Int(head[28] >> 4))
    isLong = modes
    modeBits = Int.bitWidth - (modes.count - 1).leadingZeroBitCount
  }

  /// The size of a packet's block; nil if it is not sound.
  func size(of packet: [UInt8]) -> Int? {
    guard let first = packet.first, first & 1 == 0 else { return nil }
    let mode = Int(first >> 1) & (1 << modeBits - 1)
    guard mode < isLong.count else { return nil }
    return isLong[mode] ? sizes.long : sizes.short
  }

  /// Reads the modes from the last to the first. Before the first stands their number in six bits, less one.
  private static func modes(_ setup: [UInt8]) -> [Bool]? {
    var place = 8 * setup.count
    func bit(_ index: Int) -> Int { Int(setup[index / 8]) >> (index % 8) & 1 }
    func number(_ bits: Int, at start: Int) -> Int {
      var number = 0
      for place in 0..<bits { number |= bit(start + place) << place }
      return number
    }
    // A bit that is set ends the header; zeros fill the last byte.
    repeat { place -= 1 } while place > 0 && number(1, at: place) == 0
    var (modes, found): ([Bool], [Bool]?) = ([], nil)
    while modes.count < 64, place >= 47 {
      place -= 41
      // Types of window and transform that are always 0, and the mapping.
      guard number(32, at: place + 1) == 0, number(8, at: place + 33) < 64 else { break }
      modes.insert(number(1, at: place) == 1, at: 0)
      if number(6, at: place - 6) == modes.count - 1 { found = modes }
    }
    return found
  }
}
