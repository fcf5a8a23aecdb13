import AudioSession

/// What a card of ISO 14443 or 15693 is called.
enum CardUID {
  private static let lengths = 4...10
  /// A UID of four bytes that begins with it was made up for this once, as a phone does.
  private static let random: UInt8 = 0x08

  /// Its digits in hexadecimal; nil: nobody could know it again.
  static func token(of uid: ArraySlice<UInt8>) -> String? {
    guard lengths.contains(uid.count), uid.count > 4 || uid.first != random else { return nil }
    return uid.map { String($0, radix: 16, uppercase: true).zeroPadded(to: 2) }.joined()
  }
}
