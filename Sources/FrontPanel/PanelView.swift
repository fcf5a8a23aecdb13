/// Draws the front panel of a simulated board on a terminal. It makes no calls: a state goes in, text comes out.
public struct PanelView: Hashable, Sendable {
  /// The smallest screen on which the whole cabinet is drawn, on a board without signals and keys of its own; below,
  /// `compact` draws a list.
  static let fullColumns = 60
  static let fullRows = 16

  /// Whether the terminal shows UTF-8; otherwise the panel is ASCII.
  public var unicode: Bool
  /// Whether to use codes for bold, dim and one colour; false where `NO_COLOR` is set.
  public var colour: Bool

  var glyphs: PanelGlyphs { unicode ? .unicode : .ascii }

  public init(unicode: Bool, colour: Bool) {
    self.unicode = unicode
    self.colour = colour
  }

  /// Switches to the alternate screen and clears it. Send it only once: some terminals save the cursor again and would
  /// later restore the one of the alternate screen.
  public static let enter = "\u{1B}[?1049h" + clear

  /// Clears a spoilt screen and hides the cursor, before the next `update`. The second code turns wrapping off, for lines
  /// that the terminal shows wider than `TerminalText` computes.
  public static let clear = "\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[2J"

  /// Restores the terminal. One without an alternate screen continues below the picture.
  public static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[999;1H\r\n\u{1B}[?1049l"

  /// The picture, from top to bottom: at most `rows` lines of at most `columns` columns. The codes for styles are the
  /// only control characters in them.
  public func render(_ state: PanelState, columns: Int, rows: Int) -> [String] {
    lines(state, columns, rows).map { $0.text(colour: colour) }
  }

  /// The text that draws the picture on a screen of this size. Write it at once: it overwrites in place and clears only
  /// what stays empty, so that nothing flickers.
  public func update(_ state: PanelState, columns: Int, rows: Int) -> String {
    let lines = lines(state, columns, rows)
    var text = "\u{1B}[H"
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\r\n" }
      text += line.text(colour: colour)
      // After a full line the cursor is on the last column, which this code would clear.
      if line.width < columns { text += "\u{1B}[K" }
    }
    if lines.count < rows { text += (lines.isEmpty ? "" : "\r\n") + "\u{1B}[J" }
    return text
  }

  private func lines(_ state: PanelState, _ columns: Int, _ rows: Int) -> [PanelLine] {
    guard columns > 0, rows > 0 else { return [] }
    if columns >= Self.fullColumns, rows >= Self.fullRows {
      let lines = full(state, columns, rows)
      // Signals, keys of its own and very many ports make it higher.
      if lines.count <= rows { return lines }
    }
    return compact(state, columns, rows)
  }

  // MARK: - Parts of both layouts

  func clean(_ text: String) -> String { TerminalText.clean(text, unicode: unicode) }

  func bar(_ share: Double, _ columns: Int) -> PanelLine {
    let full = Int((share * Double(columns)).rounded())
    var bar = PanelLine(String(repeating: glyphs.barFull, count: full), .accent)
    bar.add(String(repeating: glyphs.barEmpty, count: columns - full), .dim)
    return bar
  }

  /// `PAUSED - headphones unplugged`, or the running recording with its time.
  func stateLine(_ state: PanelState) -> PanelLine {
    var line = PanelLine()
    if let clock = state.recordingClock {
      line.add("\(glyphs.recording) RECORDING \(clock)", .alarm)
      if state.status.state != .recording { line.add("  \(state.stateWord)", .bold) }
    } else {
      line.add(state.stateWord, .bold)
    }
    for words in [state.requestWords, state.sleepWords].compactMap({ $0 }) { line.add("  \(words)", .accent) }
    if !state.holdWords.isEmpty { line.add(" \(glyphs.dash) \(clean(state.holdWords))") }
    return line
  }

  func volumeBar(_ state: PanelState, _ columns: Int) -> PanelLine {
    bar(Double(min(100, max(0, state.status.volume ?? 0))) / 100, columns)
  }

  func logLine(_ text: String) -> PanelLine {
    let level = text.split(separator: " ", maxSplits: 2).dropFirst().first
    return PanelLine(clean(text), level == "warn" || level == "error" ? .bold : .dim)
  }

  /// The volume in words, and whether the music is lowered.
  func volumeLine(_ state: PanelState) -> PanelLine {
    var line = PanelLine(clean(state.volumeWords), .bold)
    if state.status.isDucked { line.add("  DUCKED", .accent) }
    return line
  }

  /// The active clients and the cue being spoken, in the longest form that fits, cut if none does; may be empty.
  func sessionLine(_ state: PanelState, _ columns: Int) -> PanelLine {
    let forms = state.sessionWords.map { PanelLine(clean($0)) }
    let form = forms.first { $0.width <= columns } ?? forms.last ?? PanelLine()
    return form.cut(to: max(0, columns), ellipsis: glyphs.ellipsis)
  }

  /// The keys of the lines that only this board has.
  func ownKeys(_ state: PanelState) -> [(key: PanelKey, sign: String, does: String)] {
    BoardKeys(state.board).entries.map { (.letter($0.letter), String($0.letter), clean($0.does)) }
  }

  /// The keys that have an effect on this board, each with its action, in capitals while its contact is closed.
  func keyCells(_ state: PanelState, _ keys: [(key: PanelKey, sign: String, does: String)], gap: Int) -> PanelLine {
    var cells = PanelLine()
    for (key, sign, does) in keys {
      let line = VirtualControls.line(of: key, on: state.board)
      let isOwn = if case .letter = key { true } else { false }
      guard line != nil || isOwn || key == .help || key == .redraw || key == .quit else { continue }
      if cells.width > 0 { cells.add(String(repeating: " ", count: gap)) }
      cells.add(sign, .accent)
      let isPlug = key == .headphones || key == .dock
      let isClosed = !isPlug && line.map(state.closed.contains) ?? false
      if !does.isEmpty { cells.add(" \(isClosed ? does.uppercased() : does)", isClosed ? .bold : .plain) }
    }
    return cells
  }
}
