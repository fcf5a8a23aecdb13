import AudioSession
import Board
import Jukebox

/// The person or program at the console, or several of them: gives keys and commands, sees the log. Called by the
/// control thread; no call may block.
public protocol Operator: AnyObject {
  /// What `serve` waits for.
  var pollDescriptors: [PollDescriptor] { get }
  /// When `draw` wants to be called again by itself.
  var nextDraw: Instant? { get }
  /// Whether the operator has asked the firmware to end.
  var wantsToEnd: Bool { get }
  /// Called after every wake-up: takes what has come in, sends what waits to go out.
  func serve()
  /// The next console command, if one waits; what was replied since the last call belongs to the previous command.
  func takeCommand() -> String?
  func log(_ event: Event, at now: Instant)
  /// Shows a message that is not an event of the log.
  func note(_ text: String)
  /// Replies to the command that was taken last, in one or several lines.
  func reply(_ text: String)
  /// Called after every wake-up, with the current status.
  func draw(_ status: Status, at now: Instant)
  /// Lines of the log that slow readers have missed since the last call.
  func takeDropped() -> Int
  /// Called when the window's size has changed.
  func resize()
  /// The last call, after the last event.
  func end()
}

/// Defaults for an operator that gives no commands and misses no lines.
extension Operator {
  public func takeCommand() -> String? { nil }
  public func reply(_ text: String) {}
  public func takeDropped() -> Int { 0 }
}
