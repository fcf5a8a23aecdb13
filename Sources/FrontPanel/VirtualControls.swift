import AudioSession
import BoardFiles
import Jukebox
import Simulator

/// The buttons, sockets and contacts of a simulated board: turns keys into the edges of their lines, with the bounce of
/// real contacts. The same keys make the same edges.
public struct VirtualControls: Hashable, Sendable {
  /// How long a contact bounces.
  static let bounce = Duration.milliseconds(3)
  /// How much longer than its line's debounce time a button is down.
  private static let pressTime = Duration.milliseconds(50)
  /// The same for Play held down: the brain waits for a second after the debounce time.
  private static let holdTime = Duration.milliseconds(1_200)

  private let board: BoardDescription
  /// Lines of sockets and contacts that are asserted, or will be once they have settled.
  public private(set) var closed: Set<LineID>
  private var seed: UInt64 = 0

  /// - Parameter closed: the lines of sockets and contacts that are asserted at power on.
  public init(board: BoardDescription, closed: Set<LineID> = []) {
    self.board = board
    self.closed = closed
  }

  /// The line that a key moves; nil where the key moves none or the board has no such line.
  public static func line(of key: PanelKey, on board: BoardDescription) -> LineID? {
    switch key {
    case .play, .playHeld: line(.button(.play), board)
    case .stop: line(.button(.stop), board)
    case .volumeUp: line(.button(.volumeUp), board)
    case .volumeDown: line(.button(.volumeDown), board)
    case .next: line(.button(.next), board)
    case .previous: line(.button(.previous), board)
    case .record: line(.button(.record), board)
    case .cue: line(.button(.cue), board)
    case .page: line(.interrupter(.page), board)
    case .mute: line(.mute, board)
    case .headphones: senseLine(of: .headphones, board)
    case .dock: senseLine(of: .lineOut, board)
    case .coin: board.lines.firstIndex { $0.role.isCoin }.map(LineID.init)
    case .letter(let letter): BoardKeys(board).line(of: letter)
    case .seekBack, .seekOn, .previousPlaylist, .nextPlaylist, .digit, .enter, .help, .redraw, .quit: nil
    }
  }

  /// Returns the edges that a key makes, in the order of time, for `PlannedEdges`. It lets them replace the edges of the
  /// same line that are still to come and drops those that do not change the level, so that a repeating key is a button
  /// held down. A key that drops a coin makes none: `coinLine` has its line.
  public mutating func makeEdges(for key: PanelKey) -> [KeyEdge] {
    guard let line = Self.line(of: key, on: board) else { return [] }
    switch key {
    case .headphones, .dock, .page, .mute: return toggle(line)
    case .letter where board.lines[line.index].role.isCoin: return []
    case .letter:
      let isSeat = board.lines[line.index].manners?.mode == .while
      if case .button = board.lines[line.index].role, !isSeat { return press(line, for: Self.pressTime) }
      return toggle(line)
    case .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue:
      return press(line, for: Self.pressTime)
    case .playHeld: return press(line, for: Self.holdTime)
    case .coin, .seekBack, .seekOn, .previousPlaylist, .nextPlaylist, .digit, .enter, .help, .redraw, .quit: return []
    }
  }

  /// The line of the acceptor into which a key drops a coin of one pulse; nil: it drops none.
  public func coinLine(of key: PanelKey) -> LineID? {
    guard let line = Self.line(of: key, on: board), board.lines[line.index].role.isCoin else { return nil }
    return line
  }

  /// Moves a plug, or closes or opens a contact.
  private mutating func toggle(_ line: LineID) -> [KeyEdge] {
    let level = !closed.contains(line)
    if level { closed.insert(line) } else { closed.remove(line) }
    return moveContact(line, to: level, after: .zero)
  }

  private mutating func press(_ line: LineID, for time: Duration) -> [KeyEdge] {
    let down = moveContact(line, to: true, after: .zero)
    return down + moveContact(line, to: false, after: board.lines[line.index].debounce + time)
  }

  private mutating func moveContact(_ line: LineID, to level: Bool, after delay: Duration) -> [KeyEdge] {
    seed &+= 1
    return ContactBounce.edges(of: line, to: level, bouncing: Self.bounce, seed: seed).map {
      var edge = $0
      edge.after += delay
      return edge
    }
  }

  private static func line(_ role: Line.Role, _ board: BoardDescription) -> LineID? {
    board.lines.firstIndex { $0.role == role }.map(LineID.init)
  }

  private static func senseLine(of port: Port, _ board: BoardDescription) -> LineID? {
    guard case .line(let name) = board.ports.first(where: { $0.output.port == port })?.output.sense else { return nil }
    return board.lines.firstIndex { $0.name == name }.map(LineID.init)
  }
}
