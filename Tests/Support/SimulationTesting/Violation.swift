import AudioSession
import Jukebox

/// The kiosk did something that it must not do, or did not do what it must.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The row of the contract.
  public var row: String
  public var at: Instant
  public var message: String

  public var description: String { "\(row) at \(at.logStamp) s: \(message)" }
}

/// What is wrong, and with which row: a violation whose instant the caller knows.
struct Mismatch {
  var row: String
  var message: String

  init(_ row: String, _ message: String) {
    self.row = row
    self.message = message
  }
}
