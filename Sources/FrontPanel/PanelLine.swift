/// One line of the panel: runs of text, each in one style. `width` counts columns, without the codes for styles.
struct PanelLine: Hashable, Sendable {
  enum Style: Hashable, Sendable {
    case plain
    case bold
    case dim
    case accent
    /// Red, for a running recording.
    case alarm
    /// Foreground and background exchanged.
    case inverse

    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .bold: "1"
      case .dim: "2"
      case .accent: "1;33"
      case .alarm: "1;31"
      case .inverse: "1;7"
      }
    }
  }

  private struct Run: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private var runs: [Run] = []
  private(set) var width = 0

  init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

  /// Appends text that `TerminalText.clean` has cleaned.
  mutating func add(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    runs.append(Run(text: text, style: style))
    width += TerminalText.width(text)
  }

  mutating func add(_ line: PanelLine) {
    runs += line.runs
    width += line.width
  }

  /// Exactly `columns` wide: cut or filled with blanks.
  func fitted(to columns: Int, ellipsis: String, fill: Style = .plain) -> PanelLine {
    var line = cut(to: columns, ellipsis: ellipsis)
    line.add(String(repeating: " ", count: max(0, columns - line.width)), fill)
    return line
  }

  /// At most `columns` wide; where something is left out, the line ends in `ellipsis` if there is room for that.
  func cut(to columns: Int, ellipsis: String) -> PanelLine {
    guard width > columns else { return self }
    let room = columns - TerminalText.width(ellipsis)
    let end = room > 0 ? ellipsis : ""
    var left = room > 0 ? room : columns
    var line = PanelLine()
    for run in runs {
      let text = TerminalText.start(of: run.text, fitting: left)
      line.add(text, run.style)
      left -= TerminalText.width(text)
      if text.utf8.count < run.text.utf8.count {
        line.add(end, run.style)
        break
      }
    }
    return line
  }

  /// `left` and `right` at the two ends of `columns`; without `right` where there is no room for both.
  static func ends(_ left: PanelLine, _ right: PanelLine, _ columns: Int, ellipsis: String) -> PanelLine {
    guard left.width + 2 + right.width <= columns else { return left.fitted(to: columns, ellipsis: ellipsis) }
    var line = left.fitted(to: columns - right.width, ellipsis: ellipsis)
    line.add(right)
    return line
  }

  /// The text for the terminal; with codes for styles only if `colour`.
  func text(colour: Bool) -> String {
    runs.reduce("") { text, run in
      guard colour, let code = run.style.code else { return text + run.text }
      return text + "\u{1B}[\(code)m\(run.text)\u{1B}[0m"
    }
  }
}
