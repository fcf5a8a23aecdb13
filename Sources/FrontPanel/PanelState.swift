import AudioSession
import BoardFiles
import Jukebox

/// Everything that the front panel shows at one moment.
public struct PanelState: Hashable, Sendable {
  /// The most lines of the log that are kept: more than any screen shows.
  private static let logLimit = 200

  public var status: Status
  public var board: BoardDescription
  /// The moment of drawing: a blinking lamp is lit in the first half of every second.
  public var now: Instant
  /// The output device to show: `ALSA default`, or a file.
  public var output: String
  /// One line for the operator at the panel, such as the reply to a command; empty for none.
  public var message = ""
  /// Lines of sockets and contacts that the keys have asserted.
  public var closed: Set<LineID> = []
  /// Whether the help replaces the log.
  public var showsHelp = false
  /// Oldest first.
  public private(set) var log: [String] = []
  /// The port whose loss the prompt is about, taken from the log.
  private(set) var lostPort: Port?

  public init(status: Status, board: BoardDescription, now: Instant, output: String) {
    self.status = status
    self.board = board
    self.now = now
    self.output = output
  }

  /// Appends one event to the log, in ASCII unless `unicode`.
  public mutating func note(_ event: Event, at instant: Instant, unicode: Bool = false) {
    if event.name == .playbackPaused { lostPort = event["from"].flatMap(Port.init) }
    note(event.line(at: instant, unicode: unicode))
  }

  /// Appends a line that is not an event, such as an error at start.
  public mutating func note(_ line: String) {
    log.append(line)
    if log.count > Self.logLimit { log.removeFirst(log.count - Self.logLimit) }
  }
}
