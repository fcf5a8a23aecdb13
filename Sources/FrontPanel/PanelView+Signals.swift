import Jukebox

/// The outputs of role `signal`, each as a light with its name.
extension PanelView {
  /// As many lines as they take, up to `most`; none on a board without signals.
  func signalRows(_ state: PanelState, _ columns: Int, most: Int = 3) -> [PanelLine] {
    var rows: [PanelLine] = []
    for signal in state.status.signals {
      var cell = PanelLine(state.isLit(signal.pattern) ? glyphs.lampLit : glyphs.lampDark, .accent)
      cell.add(" \(clean(signal.name))")
      if var row = rows.last, row.width + 2 + cell.width <= columns {
        row.add("  ")
        row.add(cell)
        rows[rows.count - 1] = row
      } else {
        rows.append(cell.cut(to: columns, ellipsis: glyphs.ellipsis))
      }
    }
    guard rows.count > most else { return rows }
    rows[most - 1].add("  \(glyphs.ellipsis)")
    return Array(rows.prefix(most))
  }
}
