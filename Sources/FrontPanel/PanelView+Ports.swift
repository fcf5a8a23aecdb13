import AudioSession
import Jukebox

/// The ports of the board.
extension PanelView {
  private static let narrowestBox = 18
  private static let widestBox = 30

  /// One box for each port, side by side; a plain list where the boxes do not fit.
  func portRows(_ state: PanelState, _ columns: Int) -> [PanelLine] {
    let ports = state.board.ports.map(\.output)
    let width = min(Self.widestBox, (columns + 1) / max(1, ports.count) - 1)
    guard width >= Self.narrowestBox else { return portList(state, columns) }
    let boxes = ports.map { box(of: $0, state, width) }
    return (0..<4).map { row in
      var line = PanelLine()
      for (index, box) in boxes.enumerated() {
        if index > 0 { line.add(" ") }
        line.add(box[row])
      }
      return line
    }
  }

  private func box(of port: OutputPort, _ state: PanelState, _ width: Int) -> [PanelLine] {
    let isCurrent = state.status.route.port == port.port
    let box = isCurrent ? glyphs.current : glyphs.port
    func row(_ line: PanelLine) -> PanelLine {
      var row = PanelLine(box.down)
      row.add(line.fitted(to: width - 2, ellipsis: glyphs.ellipsis))
      row.add(box.down)
      return row
    }
    let isDock = port.port == .lineOut && width >= 22
    let inUse = PanelLine(isCurrent ? " IN USE" : "", .accent)
    let key = PanelLine(keyHint(of: port, state))
    return [
      edge(box, 0, port.port.panelName + (isDock ? " (line-out)" : ""), "", width),
      row(PanelLine(socket(of: port, state))),
      row(.ends(inUse, key, width - 3, ellipsis: glyphs.ellipsis)),
      edge(box, 2, "", "", width),
    ]
  }

  private func socket(of port: OutputPort, _ state: PanelState) -> String {
    guard case .line = port.sense else { return " \(glyphs.speaker) built in" }
    return state.status.connected.contains(port.port) ? " \(glyphs.plugged) in" : " \(glyphs.unplugged) empty"
  }

  private func keyHint(of port: OutputPort, _ state: PanelState) -> String {
    let verb = state.status.connected.contains(port.port) ? "unplug" : "plug in"
    guard case .line = port.sense else { return "" }
    switch port.port {
    case .headphones: return "h \(verb)"
    case .lineOut: return "d \(verb)"
    case .speaker, .bluetooth, .usb: return ""
    }
  }

  /// Every port with its state, the one in use marked, in as many lines as needed.
  func portList(_ state: PanelState, _ columns: Int) -> [PanelLine] {
    var lines: [PanelLine] = []
    for port in state.board.ports.map(\.output) {
      let isCurrent = state.status.route.port == port.port
      let word: String
      switch port.sense {
      case .always: word = "built in"
      case .line: word = state.status.connected.contains(port.port) ? "in" : "empty"
      }
      let cell = PanelLine((isCurrent ? "*" : " ") + "\(port.port.panelName): \(word)", isCurrent ? .accent : .plain)
      guard var last = lines.popLast() else {
        lines.append(cell)
        continue
      }
      if last.width + 2 + cell.width <= columns {
        last.add("  ")
        last.add(cell)
        lines.append(last)
      } else {
        lines += [last, cell]
      }
    }
    return lines
  }
}
