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

extension Int {
  /// With a zero in front where it has one digit: `07`.
  package var twoDigits: String { self < 10 ? "0\(self)" : String(self) }
}
