extension Duration {
  /// Seconds with one decimal place, rounded down: `12.3`.
  package var tenths: String {
    let tenths = wholeNanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Minutes and seconds: `3:07`, `1:02:00`.
  package var clock: String {
    let seconds = Int(components.seconds)
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes):\((seconds % 60).twoDigits)" }
    return "\(minutes / 60):\((minutes % 60).twoDigits):\((seconds % 60).twoDigits)"
  }
}

extension String {
  /// With zeros in front, where it has fewer characters.
  package func zeroPadded(to count: Int) -> String { String(repeating: "0", count: max(0, count - self.count)) + self }
}

extension StringProtocol {
  /// Whether it is made of digits from 0 to 9, of one at least.
  package var isDigits: Bool {
    !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Int {
  /// With a zero in front where it has one digit: `07`.
  package var twoDigits: String { self < 10 ? "0\(self)" : String(self) }
}
