import AudioSession
import Jukebox

/// Whoever sits at the machine that runs the firmware: gives keys, sees the log. Control thread.
public protocol Operator: AnyObject {
  /// To poll for keys; nil when there are none (any more).
  var keyDescriptor: CInt? { get }
  /// When `draw` wants to be called again by itself.
  var nextDraw: Instant? { get }
  /// Takes the keys that wait; answers false to end the firmware.
  func readKeys() -> Bool
  func log(_ line: String)
  /// An answer to a console command.
  func reply(_ text: String)
  /// Called after everything that happened.
  func draw(_ status: Status, at now: Instant)
  /// The window has another size.
  func resize()
}
