/// The checksum of zlib, PNG and Ethernet (ISO/IEC 3309).
enum CRC32 {
  /// What each byte adds.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    // The names of a large library pass through here before the first sample.
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var sum = ~UInt32(0)
        for byte in bytes { sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
        return ~sum
      }
    }
  }
}
