/// What the panel is drawn with: plain ASCII, or the box-drawing characters that every font for terminals has.
struct PanelGlyphs: Hashable, Sendable {
  /// The four corners, from the upper left in the direction of reading, the lines, and the ends of a line across.
  struct Box: Hashable, Sendable {
    var corners: [String]
    var across: String
    var down: String
  }

  var frame: Box
  /// Around a port, and around the one that is in use.
  var port: Box
  var current: Box
  /// Where a line across meets the frame, left and right.
  var joints: [String]
  var barFull: String
  var barEmpty: String
  var lampLit: String
  var lampDark: String
  /// A recording runs.
  var recording: String
  var dash: String
  var ellipsis: String
  /// A plug in its socket, an empty socket, a loudspeaker.
  var plugged: String
  var unplugged: String
  var speaker: String
  /// The cabinet from top to bottom, all of one width; `%` is the lamp, `@` what the mechanism does.
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
