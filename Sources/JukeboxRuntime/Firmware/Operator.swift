import AudioSession
import Jukebox

/// Whoever sits at the machine that runs the firmware: gives keys, sees the log. Control thread.
public protocol Operator: AnyObject {
  /// To poll for keys; nil when there are none (any more).
  var keyDescriptor: CInt? { get }
  /// When `draw` wants to be called again by itself.
  var nextDraw: Instant? { get }
  /// The firmware is to end.
  var wantsToEnd: Bool { get }
  /// Takes the keys that wait.
  func readKeys()
  func log(_ event: Event, at now: Instant)
  /// Something to know that is no event.
  func note(_ text: String)
  /// An answer to a console command.
  func reply(_ text: String)
  /// Called after everything that happened.
  func draw(_ status: Status, at now: Instant)
  /// The window has another size.
  func resize()
  /// The last call, after the last event.
  func end()
}
