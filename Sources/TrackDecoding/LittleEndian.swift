extension BidirectionalCollection where Element == UInt8 {
  /// The bytes as a number, least significant byte first; at most eight bytes.
  var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
