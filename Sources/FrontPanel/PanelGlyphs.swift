/// The characters that the panel is drawn with: ASCII, or the box-drawing characters that every terminal font has.
struct PanelGlyphs: Hashable, Sendable {
  /// The corners (upper left, upper right, lower left, lower right) and the lines of a box.
  struct Box: Hashable, Sendable {
    var corners: [String]
    var across: String
    var down: String
  }

  var frame: Box
  /// The box around a port; `current` is the one around the port in use.
  var port: Box
  var current: Box
  /// Where a horizontal line meets the frame, left and right.
  var joints: [String]
  var barFull: String
  var barEmpty: String
  var lampLit: String
  var lampDark: String
  /// Shown while a recording runs.
  var recording: String
  var dash: String
  var ellipsis: String
  /// A plug in its socket, an empty socket, a loudspeaker.
  var plugged: String
  var unplugged: String
  var speaker: String
  /// The cabinet from top to bottom, all of one width; `%` is the lamp, `@` the mechanism.
  var cabinet: [String]
  var playing: [String]
  var paused: String
  var stopped: String

  static let ascii = PanelGlyphs(
    frame: Box(corners: ["+", "+", "+", "+"], across: "-", down: "|"),
    port: Box(corners: [".", ".", "'", "'"], across: "-", down: "|"),
    current: Box(corners: ["#", "#", "#", "#"], across: "=", down: "#"),
    joints: ["+", "+"], barFull: "#", barEmpty: "-", lampLit: "*", lampDark: "o", recording: "(*)", dash: "-",
    ellipsis: "...",
    plugged: "===[O]", unplugged: "   [ ]", speaker: "<)))",
    cabinet: [" .-------. ", "/    %    \\", "| .-----. |", "| |@| |", "'-'-----'-'"],
    playing: ["( | )", "( / )", "( - )", "( \\ )"], paused: "( = )", stopped: "(   )")

  static let unicode = PanelGlyphs(
    frame: Box(corners: ["╭", "╮", "╰", "╯"], across: "─", down: "│"),
    port: Box(corners: ["┌", "┐", "└", "┘"], across: "─", down: "│"),
    current: Box(corners: ["╔", "╗", "╚", "╝"], across: "═", down: "║"),
    joints: ["├", "┤"], barFull: "█", barEmpty: "░", lampLit: "●", lampDark: "○", recording: "●", dash: "—",
    ellipsis: "…",
    plugged: "═══[●]", unplugged: "   [ ]", speaker: "◄)))",
    cabinet: [" ╭───────╮ ", "╭╯   %   ╰╮", "│ ╭─────╮ │", "│ │@│ │", "╰─┴─────┴─╯"],
    playing: ["( │ )", "( / )", "( ─ )", "( \\ )"], paused: "( ═ )", stopped: "(   )")
}
