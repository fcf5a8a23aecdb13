import AudioSession
import Board
import Files
import Jukebox

/// The table of `jackdaw lines`: every line of a board with its state and the edges so far.
struct LineTable {
  struct Row {
    var name: String
    var role: String
    /// Chip and offset, or the device.
    var place: String
    /// nil for a line of a device, which has no pin.
    var activeLow: Bool?
    /// nil where it is not watched, for the reason in `note`.
    var asserted: Bool?
    var note = ""
    /// The `note` of a reader is complete: its next key begins a new one.
    var isEnded = false
    var edges = 0
    /// When the last edge came, since the start.
    var changed: Duration?
  }

  private static let heads = ["LINE", "ROLE", "PLACE", "LEVEL", "STATE", "EDGES", "CHANGED AT"]

  var rows: [Row]
  var knobs: WatchedKnobs?
  /// The last notice or error of a device.
  var message = ""

  /// Takes edges of several lines, those of each in order, and returns a line of text for each that is known. The contacts of
  /// a knob are lines of their own, and the order of their edges says where it was turned.
  mutating func take(_ edges: [LineEdge], since start: Instant) -> [String] {
    var sorted = edges
    sortOldestFirst(&sorted)
    return sorted.compactMap { take($0, since: start) }
  }

  /// Takes an edge and returns a line of text that describes it; nil for an edge of an unknown line.
  mutating func take(_ edge: LineEdge, since start: Instant) -> String? {
    guard let index = rows.firstIndex(where: { $0.name == edge.line }) else { return nil }
    let at = max(.zero, edge.at - start)
    rows[index].asserted = edge.asserted
    rows[index].edges += 1
    rows[index].changed = at
    let level = rows[index].level.map { " \($0)" } ?? ""
    let turned = knobs?.take(edge).map { " \($0.knob)=\(note($0))" } ?? ""
    return "\(LineTable.stamp(at)) \(edge.line)\(level) \(rows[index].state) edges=\(rows[index].edges)\(turned)"
  }

  /// Takes a turn of an axis and returns a line of text that describes it.
  mutating func take(_ turn: AxisTurn, since start: Instant) -> String? {
    guard let turned = knobs?.take(turn) else { return nil }
    let stamp = LineTable.stamp(max(.zero, turn.at - start))
    return "\(stamp) \(turned.knob) counts=\(turn.counts) detents=\(note(turned))"
  }

  /// Shows in the row of a knob how far it has been turned. Returns that.
  private mutating func note(_ turned: (knob: String, detents: Int)) -> String {
    let text = WatchedKnobs.text(turned.detents)
    if let index = rows.firstIndex(where: { $0.name == turned.knob && $0.asserted == nil }) {
      rows[index].note = "turned by \(text)"
    }
    return text
  }

  /// Takes a key of a reader and returns a line of text that describes it. What was typed since Enter is in the table.
  mutating func take(_ key: ReaderKey, since start: Instant, at now: Instant) -> String? {
    guard let index = rows.firstIndex(where: { $0.name == key.reader && $0.role == Self.reader }) else { return nil }
    let word =
      switch key.key {
      case .character(let character): String(Unicode.Scalar(character))
      case .enter: "Enter"
      case .clear: "cleared"
      case .lost: "keys were lost"
      }
    if rows[index].isEnded || key.key == .clear { rows[index].note = "" }
    rows[index].isEnded = key.key == .enter || key.key == .clear
    let gap = word.utf8.count == 1 || rows[index].note.isEmpty ? "" : " "
    rows[index].note = String((rows[index].note + gap + word).suffix(64))
    return "\(LineTable.stamp(max(.zero, now - start))) \(key.reader) key=\(Wording.quoted(word))"
  }

  /// Takes what lies on a reader and returns a line of text that describes it; nil where it lay there before.
  mutating func take(_ card: CardReading, since start: Instant) -> String? {
    guard let index = rows.firstIndex(where: { $0.name == card.reader && $0.role == Self.reader }) else { return nil }
    let note = card.token.map { "card \($0)" } ?? "no card"
    if rows[index].note == note { return nil }
    rows[index].note = note
    return "\(LineTable.stamp(max(.zero, card.at - start))) \(card.reader) \(note)"
  }

  /// The role of a row of a knob or of one of its contacts.
  static let knob = "knob"
  /// The role of a reader's row.
  static let reader = "reader"

  /// Columns of the table, by their index in `heads`, as many as fit: on a narrow terminal the state and the edges are
  /// what matters.
  private static let forms = [[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5], [0, 1, 4, 5], [0, 4, 5]]

  /// The table as lines of at most `columns` characters.
  func lines(columns: Int) -> [String] {
    let widths = LineTable.heads.indices.map { column in
      ([LineTable.heads[column]] + rows.compactMap { $0.cell(column) }).map(\.count).max() ?? 0
    }
    let form =
      LineTable.forms.first { $0.map { widths[$0] + 2 }.reduce(-2, +) <= columns } ?? LineTable.forms.last ?? []
    // Each cell but the last is as wide as its column. A note follows the columns that its row has.
    func line(_ cells: [String], _ note: String = "") -> String {
      let padded = zip(form, cells).map { column, cell in
        cell + String(repeating: " ", count: widths[column] + 2 - cell.count)
      }
      let text = padded.joined() + note
      return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
    }
    let lines =
      [line(form.map { LineTable.heads[$0] })]
      + rows.map { row in line(form.compactMap(row.cell), row.asserted == nil ? Wording.oneLine(row.note) : "") }
    return (lines + (message.isEmpty ? [] : [Wording.oneLine(message)])).map { String($0.prefix(columns)) }
  }

  static func stamp(_ time: Duration) -> String { (Instant.powerOn + time).logStamp }
}

extension LineTable.Row {
  /// The level at the pin; nil for a line without one.
  var level: String? {
    guard let activeLow, let asserted else { return nil }
    return asserted == activeLow ? "low" : "high"
  }

  var state: String { asserted ?? false ? "asserted" : "released" }

  /// nil: its note is there instead, because it is not watched.
  fileprivate func cell(_ column: Int) -> String? {
    switch column {
    case 0: name
    case 1: role
    case 2: place
    case _ where asserted == nil: nil
    case 3: level ?? "-"
    case 4: state
    case 5: String(edges)
    default: changed.map(LineTable.stamp) ?? "-"
    }
  }
}

extension Line.Role {
  /// The role's name in a board file.
  var word: String {
    switch self {
    case .sense: "sense"
    case .button(let button): [button.word, button.choice?.name].compactMap { $0 }.joined(separator: " ")
    case .interrupter(let client): client.text
    case .mute: "mute"
    case .silence: "silence"
    case .freePlay: "free-play"
    case .selector(let playlist, _): "selector \(playlist)"
    case .lamp: "lamp"
    case .signal: "signal"
    case .ampMute: "amp-mute"
    case .coin: "coin"
    case .coinInhibit: "coin-inhibit"
    }
  }
}
