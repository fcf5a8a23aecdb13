import Glibc
import TestSupport
import Testing

@Suite struct PanelTests {
  /// The code that restores the first screen.
  private static let leaving = "\u{1B}[?1049l"

  @Test(
    "at a terminal a panel is drawn, and every way out leaves the terminal as it was",
    arguments: [nil, SIGTERM, SIGINT])
  func ways(signal: CInt?) throws {
    let folder = try TemporaryFolder()
    let program = try Program(
      ["run", "--board", "sim", "--output", "file:out.wav"], under: ["env", "TERM=vt100"], in: folder, input: nil,
      output: .terminal)
    let before = program.terminalFlags
    try program.wait(for: "JACKDAW")
    #expect(program.terminalFlags != before)
    program.send("h")
    try program.wait(for: " port.connected ")
    if let signal { program.signalled(signal) } else { program.send("q") }
    try program.wait(for: Self.leaving)
    let outcome = try program.end()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("\u{1B}[?1049h"))
    #expect(outcome.output.hasSuffix(Self.leaving))
    let shown = try #require(outcome.output.ranges(of: "\u{1B}[?25h").last)
    let hidden = try #require(outcome.output.ranges(of: "\u{1B}[?25l").last)
    #expect(hidden.lowerBound < shown.lowerBound, "the cursor is back")
    #expect(program.terminalFlags == before)
  }

  @Test("at a dumb terminal, or one of no name, the log is printed", arguments: ["TERM=dumb", "-uTERM"])
  func dumb(environment: String) throws {
    let program = try Program(
      ["run", "--board", "sim", "--output", "file:out.wav"], under: ["env", environment], in: TemporaryFolder(),
      input: nil, output: .terminal)
    try program.wait(for: " boot ")
    program.signalled(SIGTERM)
    let outcome = try program.end()
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(" shutdown reason=SIGTERM"))
    #expect(!outcome.output.contains("\u{1B}"))
  }
}
