extension Duration {
  /// Seconds with one decimal place, rounded down: `12.3`.
  package var tenths: String {
    let tenths = wholeNanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Minutes and seconds: `3:07`, `1:02:00`.
  package var clock: String {
    let seconds = Int(components.seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes):\(two(seconds % 60))" }
    return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
  }
}
