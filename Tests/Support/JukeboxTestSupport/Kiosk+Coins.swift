extension Kiosk {
  /// A coin of this many pulses of 50 ms; 50 ms after the last one.
  func drop(_ pulses: Int, at line: String) {
    for _ in 0..<pulses {
      edge(line, true)
      wait(.milliseconds(50))
      edge(line, false)
      wait(.milliseconds(50))
    }
  }
}
