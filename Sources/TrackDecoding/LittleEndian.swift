extension BidirectionalCollection where Element == UInt8 {
  /// The bytes as a number, least significant byte first; at most eight bytes.
  var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

extension [UInt8] {
  /// Puts a number there, least significant byte first.
  mutating func put(_ number: UInt64, count: Int, at place: Int) {
    for index in 0..<count { self[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }
}
