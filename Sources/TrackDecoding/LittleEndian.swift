extension BidirectionalCollection where Element == UInt8 {
  /// The number that these bytes are, lowest first; eight at most.
  var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
