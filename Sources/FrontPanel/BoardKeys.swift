import AudioSession
import BoardFiles
import Jukebox

/// The keys of what only this board has: a button for a track, a selector, an alarm's contact, a knob. They get the
/// letters that no other key has, in the order of the board file; a knob gets two, down and up.
public struct BoardKeys: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    case line(LineID)
    case knob(KnobID, detents: Int)
  }

  struct Entry: Hashable, Sendable {
    var letter: Character
    var moves: Target
    /// What it does, in the words of the board file.
    var does: String
  }

  static let letters = Array("aefijkotuvwxyz")

  let entries: [Entry]

  public init(_ board: BoardDescription) {
    let known = PanelKey.ofEveryBoard.compactMap { VirtualControls.line(of: $0, on: board) }
    let own = board.lines.indices.filter { !known.contains(LineID($0)) }.compactMap { index in
      Self.words(of: index, on: board).map { (Target.line(LineID(index)), $0) }
    }
    let knobs = board.knobs.enumerated().flatMap { index, knob in
      [(-1, "down"), (1, "up")].map { detents, way in
        (Target.knob(KnobID(index), detents: detents), "\(knob.knob.name) \(way)")
      }
    }
    entries = zip(Self.letters, own + knobs).map { Entry(letter: $0, moves: $1.0, does: $1.1) }
  }

  /// The line that a letter moves.
  func line(of letter: Character) -> LineID? {
    guard case .line(let line) = entries.first(where: { $0.letter == letter })?.moves else { return nil }
    return line
  }

  /// The knob that a key turns, and by how many detents.
  public func turn(of key: PanelKey) -> (knob: KnobID, detents: Int)? {
    guard case .letter(let letter) = key,
      case .knob(let knob, let detents) = entries.first(where: { $0.letter == letter })?.moves
    else { return nil }
    return (knob, detents)
  }

  /// nil: an output.
  private static func words(of index: Int, on board: BoardDescription) -> String? {
    switch board.lines[index].role {
    case .button(.choose(.track(let name))): "track \(name.text)"
    case .button(.choose(.popular(let place))): "popular \(place)"
    case .button(let button): button.choice?.name ?? button.word
    case .selector(let playlist, _): playlist
    case .interrupter(let name): name.text
    case .mute: "mute"
    case .silence: "closed"
    case .freePlay: "free play"
    case .sense:
      board.ports.first { $0.output.sense == .line(board.lines[index].name) }?.output.port.panelName.lowercased()
    // A key of any board drops coins (`PanelKey.coin`).
    case .coin: "coin"
    case .lamp, .ampMute, .signal, .coinInhibit: nil
    }
  }
}
