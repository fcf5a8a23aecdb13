extension PanelState {
  /// One row of the help: keys, what each does, and what is said of all of them.
  private struct HelpRow {
    /// A key that needs a line of the board; nil: one that every board has.
    typealias Entry = (key: PanelKey?, sign: String, does: String)

    var entries: [Entry]
    var before = ""
    var after = ""
  }

  private static let helpRows = [
    HelpRow(entries: [(.play, "p, space", "Play, or pause what plays; pressed twice: previous track")]),
    HelpRow(entries: [
      (.playHeld, "P", "Play held down for a second: next track"), (nil, "0-9", "0-9, Enter: that track"),
    ]),
    HelpRow(entries: [
      (.stop, "s", "Stop, to the start"), (nil, ", .", "10 s back or on"), (nil, "[ ]", "previous, next playlist"),
    ]),
    HelpRow(
      entries: [
        (.next, "n", "next track"), (.previous, "b", "previous track"), (.volumeUp, "+", "louder"),
        (.volumeDown, "-", "softer"),
      ], after: "; also the arrow keys"),
    HelpRow(entries: [
      (.record, "r", "Record: begin a recording, or end it"), (.cue, "c", "Cue: speak the button's cue"),
    ]),
    HelpRow(
      entries: [
        (.headphones, "h", "the headphones' plug"), (.dock, "d", "the dock"), (.page, "g", "the page contact"),
        (.mute, "m", "mute"),
      ], before: "move "),
    HelpRow(entries: [(.coin, "$", "a coin of one pulse; five at once are a coin of five")]),
    HelpRow(entries: [(nil, "l ? q", "draw again, this help on or off, quit; also Ctrl-C")]),
  ]

  /// What the keys do that have an effect on this board, in as many lines as fit on a screen of 24.
  var help: [String] {
    Self.helpRows.compactMap { row in
      let entries = row.entries.filter { $0.key.map { VirtualControls.line(of: $0, on: board) != nil } ?? true }
      if entries.isEmpty { return nil }
      let signs = entries.map(\.sign).joined(separator: " ")
      return signs + String(repeating: " ", count: max(1, 11 - signs.count))
        + row.before + entries.map(\.does).joined(separator: "; ") + row.after
    }
  }
}
