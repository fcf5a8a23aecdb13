/// The telegrams of an RDM6300 and its like (EM4100 cards, 125 kHz): while a card lies there, it sends one again and again,
/// some 15 a second, and takes nothing. STX, ten hexadecimal digits, two of their checksum (all five bytes XORed), ETX.
struct RDM6300: CardProtocol {
  static let speed = 9_600
  /// As long as a telegram: one wake-up for a card, not one for each byte.
  static let least: UInt8 = 14
  static let greeting: [UInt8] = []
  private static let (start, end): (UInt8, UInt8) = (0x02, 0x03)
  private static let digits = 12

  /// What has come of a telegram; nil: none has begun.
  private var digits: [UInt8]?

  var isReady: Bool { true }

  mutating func ask() -> [UInt8] { [] }

  mutating func look(at bytes: [UInt8]) -> CardLook {
    var token: String?
    for byte in bytes { token = take(byte) ?? token }
    return token.map { .card($0) } ?? (bytes.isEmpty ? .absent : .unclear)
  }

  /// Returns the ten digits when a telegram is complete and its checksum right.
  private mutating func take(_ byte: UInt8) -> String? {
    guard byte != Self.start else {
      digits = []
      return nil
    }
    guard let known = digits else { return nil }
    if known.count < Self.digits, Self.value(byte) != nil {
      digits = known + [byte]
      return nil
    }
    digits = nil
    guard byte == Self.end, known.count == Self.digits else { return nil }
    let values = known.compactMap(Self.value)
    let checksum = stride(from: 0, to: Self.digits, by: 2).reduce(0) { $0 ^ (values[$1] << 4 | values[$1 + 1]) }
    return checksum == 0 ? String(decoding: known.dropLast(2), as: UTF8.self).uppercased() : nil
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
