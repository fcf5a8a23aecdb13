import AudioSession
import Board
import Jukebox

/// Whoever sits at the firmware, or several who do: gives keys and commands, sees the log. Control thread; no call may
/// block.
public protocol Operator: AnyObject {
  /// What `serve` waits for.
  var pollDescriptors: [PollDescriptor] { get }
  /// When `draw` wants to be called again by itself.
  var nextDraw: Instant? { get }
  /// The firmware is to end.
  var wantsToEnd: Bool { get }
  /// Called after every wake-up: takes what has come in, sends what waits to go out.
  func serve()
  /// The next console command, if one waits; what was replied since the last call was the answer to the one before.
  func takeCommand() -> String?
  func log(_ event: Event, at now: Instant)
  /// Something to know that is no event.
  func note(_ text: String)
  /// An answer to the command that was taken last; one or several lines.
  func reply(_ text: String)
  /// Called after everything that happened.
  func draw(_ status: Status, at now: Instant)
  /// Lines of the log that slow readers have missed since the last call.
  func takeDropped() -> Int
  /// The window has another size.
  func resize()
  /// The last call, after the last event.
  func end()
}

/// For one who gives no commands, and so gets no answers, and one who misses nothing.
extension Operator {
  public func takeCommand() -> String? { nil }
  public func reply(_ text: String) {}
  public func takeDropped() -> Int { 0 }
}
