import AudioSession

/// What a kiosk did that it must not, or did not that it must.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// Of the behaviour that is violated.
  public var row: String
  public var at: Instant
  public var message: String

  public var description: String { "\(row) at \(at.stamp) s: \(message)" }
}

extension Instant {
  /// Seconds, as the log has them.
  var stamp: String {
    let fraction = String(nanoseconds / 1_000 % 1_000_000)
    return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
