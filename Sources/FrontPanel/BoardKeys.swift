import AudioSession
import BoardFiles
import Jukebox

/// The keys of the lines that only this board has: a button for a track, a selector, an alarm's contact. They get the
/// letters that no other key has, in the order of the board file.
struct BoardKeys {
  struct Entry: Hashable {
    var letter: Character
    var line: LineID
    /// What the line does, in the words of the board file.
    var does: String
  }

  static let letters = Array("aefijkotuvwxyz")

  let entries: [Entry]

  init(_ board: BoardDescription) {
    let known = PanelKey.ofEveryBoard.compactMap { VirtualControls.line(of: $0, on: board) }
    let own = board.lines.indices.filter { !known.contains(LineID($0)) }.compactMap { index in
      Self.words(of: index, on: board).map { (LineID(index), $0) }
    }
    entries = zip(Self.letters, own).map { Entry(letter: $0, line: $1.0, does: $1.1) }
  }

  /// nil: an output.
  private static func words(of index: Int, on board: BoardDescription) -> String? {
    switch board.lines[index].role {
    case .button(.track(let name)): "track \(name.text)"
    case .button(let button): button.choice ?? button.word
    case .selector(let playlist, _): playlist
    case .interrupter(let name): name
    case .mute: "mute"
    case .sense:
      board.ports.first { $0.output.sense == .line(board.lines[index].name) }?.output.port.panelName.lowercased()
    case .lamp, .ampMute, .signal: nil
    }
  }
}
