/// Converts frame counts between rates, to the nearest frame.
enum Rates {
  /// More frames than any track has.
  private static let most = 1 << 62

  /// Clamped to more frames than any track has.
  static func convert(_ frame: Int, from: Int, to: Int) -> Int {
    guard from != to, from > 0 else { return frame }
    // By whole seconds first, so that nothing can overflow on the way.
    let (seconds, overflow) = (frame / from).multipliedReportingOverflow(by: to)
    guard !overflow, seconds <= most else { return most }
    return seconds + ((frame % from) * to + from / 2) / from
  }
}
