import AudioSession
import BoardFiles
import Jukebox

/// All that the front panel shows, at one moment.
public struct PanelState: Hashable, Sendable {
  /// Lines of the log that are kept: more than any screen shows.
  private static let logLimit = 200

  public var status: Status
  public var board: BoardDescription
  /// When this is shown: a blinking lamp is lit in the first half of every second.
  public var now: Instant
  /// Where the sound goes, for people: `ALSA default`, or a file.
  public var output: String
  /// One line for the person at the panel, as the answer to a command; empty: none.
  public var message = ""
  /// Lines of sockets and contacts that the keys have asserted.
  public var closed: Set<LineID> = []
  /// What the keys do stands in place of the log.
  public var showsHelp = false
  /// Oldest first.
  public private(set) var log: [String] = []
  /// The port whose loss the prompt is about, as far as the log has told.
  public private(set) var lostPort: Port?

  public init(status: Status, board: BoardDescription, now: Instant, output: String) {
    self.status = status
    self.board = board
    self.now = now
    self.output = output
  }

  /// Takes one event of the log.
  public mutating func note(_ event: Event, at instant: Instant) {
    if event.name == .playbackPaused { lostPort = event["from"].flatMap(Port.init) }
    note(event.line(at: instant))
  }

  /// Takes a line that is no event, as what was wrong at the start.
  public mutating func note(_ line: String) {
    log.append(line)
    if log.count > Self.logLimit { log.removeFirst(log.count - Self.logLimit) }
  }
}
