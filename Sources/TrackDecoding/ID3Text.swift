/// The texts of ID3v2, which name their encoding in their first byte (ID3v2.4.0, 4).
enum ID3Text {
  /// The values of a text, which NULs separate; none where the encoding is unknown.
  static func values(_ raw: some RandomAccessCollection<UInt8>) -> [String] {
    guard let encoding = raw.first else { return [] }
    // Whatever the encoding, a unit becomes a byte of UTF-8 at least.
    let bytes = raw.dropFirst().prefix((encoding == 1 || encoding == 2 ? 2 : 1) * FileTags.mostBytes)
    switch encoding {
    case 0: return bytes.split(separator: 0).map { String(String.UnicodeScalarView($0.map(Unicode.Scalar.init))) }
    case 1: return words(bytes, isBigEndian: nil)
    case 2: return words(bytes, isBigEndian: true)
    case 3: return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    default: return []
    }
  }

  /// The values of UTF-16. Each may have a byte order mark of its own; the order goes on to those that have none.
  /// - Parameter isBigEndian: the order of the first where it has no mark; nil where that is to be guessed.
  private static func words(_ bytes: some RandomAccessCollection<UInt8>, isBigEndian: Bool?) -> [String] {
    let bytes = Array(bytes)
    let words = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    var isBig = isBigEndian
    return words.split(separator: 0).map { value in
      let mark = value.first.flatMap { [0xfeff: true, 0xfffe: false][$0] }
      let text = mark == nil ? value : value.dropFirst()
      let isInOrder = mark ?? isBig ?? isBigEndianLikelier(text)
      isBig = isInOrder
      return String(decoding: isInOrder ? Array(text) : text.map(\.byteSwapped), as: UTF16.self)
    }
  }

  /// Which order gives the likelier text: first one in which all words are characters, then one of fewer scripts,
  /// because the higher bytes of a text vary less than its lower ones, and Chinese and Korean characters are seldom
  /// next to each other, then the one with more Latin letters. In doubt it is little-endian, as of the programs that
  /// leave out the mark.
  private static func isBigEndianLikelier(_ words: ArraySlice<UInt16>) -> Bool {
    func doubts(_ words: [UInt16]) -> [Int] {
      let scalars = String(decoding: words, as: UTF16.self).unicodeScalars
      let unlikely = scalars.filter(isUnlikely).count
      let scripts = Set(scalars.compactMap(script)).count
      return [unlikely, Set(words.map { $0 >> 8 }).count, scripts, -words.filter { $0 < 0x250 }.count]
    }
    return doubts(Array(words)).lexicographicallyPrecedes(doubts(words.map(\.byteSwapped)))
  }

  /// Which signs a scalar stands among; nil for Latin, which is mixed with any.
  private static func script(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case ..<0x250: nil
    case ..<0x530: 1
    // Japanese mixes its own signs with the Chinese ones.
    case 0x3000..<0x3100, 0x3400..<0xa000: 2
    case 0xac00..<0xd7b0: 3
    case 0xff00..<0xfff0: 4
    default: 5
    }
  }

  private static func isUnlikely(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .unassigned, .privateUse, .surrogate: true
    default: scalar == "\u{fffd}"
    }
  }
}
