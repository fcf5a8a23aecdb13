import Board

/// The serial console of a simulated board. While it is blocked, its lines wait in as much room as the real one has,
/// and those beyond are dropped and counted (K6).
public struct VirtualConsole: Hashable, Sendable {
  public enum Line: Hashable, Sendable {
    case log(String)
    /// A part of the answer to a command.
    case reply(String)

    /// Bytes that it takes with its end, CR LF.
    fileprivate var size: Int {
      switch self {
      case .log(let text), .reply(let text): text.utf8.count + 2
      }
    }
  }

  public private(set) var isBlocked = false
  private var waiting: [Line] = []
  private var room = BoardDescription.Console.queueCapacity
  private var dropped = 0

  public init() {}

  /// Takes a line; true where it comes out at once.
  public mutating func write(_ line: Line) -> Bool {
    guard isBlocked else { return true }
    if line.size <= room {
      room -= line.size
      waiting.append(line)
    } else {
      dropped += 1
    }
    return false
  }

  public mutating func block() { isBlocked = true }

  /// Takes output again: the lines that waited, oldest first, and how many were dropped.
  public mutating func free() -> (lines: [Line], dropped: Int) {
    defer { self = VirtualConsole() }
    return (waiting, dropped)
  }

  /// What waited is lost; who blocks the console goes on doing so.
  public mutating func cutPower() {
    let wasBlocked = isBlocked
    self = VirtualConsole()
    isBlocked = wasBlocked
  }
}
