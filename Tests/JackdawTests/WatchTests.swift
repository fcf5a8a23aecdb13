import Glibc
import TestSupport
import Testing

@Suite struct WatchTests {
  private static let onSim = ["lines", "--board", "sim"]

  @Test("without a terminal the lines are listed, and then every change is a line")
  func changes() throws {
    let program = try Program(Self.onSim, in: TemporaryFolder(), input: nil)
    try program.wait(for: "AMP_MUTE")
    program.send("h")
    // The plug bounces.
    try program.wait(for: " JACK_SENSE low released edges=2\n")
    program.send("p")
    try program.wait(for: " BTN_PLAY high asserted edges=1\n")
    program.send("q")
    let outcome = try program.end()
    #expect(outcome.status == 0 && outcome.errors == "")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("LINE          ROLE         PLACE      LEVEL  STATE     EDGES  CHANGED AT"))
    #expect(lines[1] == "JACK_SENSE    sense        simulated  low    released  0      -")
    #expect(lines.contains { $0.hasSuffix(" JACK_SENSE high asserted edges=1") })
  }

  @Test("on a terminal the table is redrawn in place, and the terminal is left as it was found")
  func redrawn() throws {
    let program = try Program(
      Self.onSim, under: ["env", "TERM=vt100"], in: TemporaryFolder(), input: nil, output: .terminal)
    let before = program.terminalFlags
    try program.wait(for: "AMP_MUTE")
    program.send("h")
    // Once the plug has settled.
    try program.wait(for: "high   asserted  3 ")
    program.send("q")
    let outcome = try program.end()
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\u{1B}[15A\rLINE "))
    #expect(program.terminalFlags == before)
  }

  @Test("a terminal of another size is drawn anew, and one that is too low for the table gets lines")
  func resized() throws {
    let program = try Program(
      Self.onSim, under: ["env", "TERM=vt100"], in: TemporaryFolder(), input: nil, output: .terminal)
    try program.wait(for: "AMP_MUTE")
    let anew = "\u{1B}[H\u{1B}[2JLINE "
    program.resize(columns: 40, rows: 30)
    try program.wait(for: anew)
    program.send("h")
    try program.wait(for: "JACK_SENSE    asserted  3")
    program.resize(columns: 80, rows: 10)
    try program.wait(for: anew + "         ROLE         PLACE      LEVEL  STATE     EDGES  CHANGED AT")
    program.send("p")
    try program.wait(for: " BTN_PLAY high asserted edges=1")
    program.send("q")
    #expect(try program.end().status == 0)
  }

  @Test("a signal and a reader that goes away end it")
  func ends() throws {
    let interrupted = try Program(Self.onSim, in: TemporaryFolder(), input: nil)
    try interrupted.wait(for: "AMP_MUTE")
    interrupted.signalled(SIGINT)
    #expect(try interrupted.end().status == 0)
    #expect(try Program.run(Self.onSim, in: TemporaryFolder(), input: "", output: .noReader).status == 0)
  }

  @Test("a board without a line on this machine shows why, and ends")
  func nothing() throws {
    let folder = try TemporaryFolder()
    // A reader that is missing would be looked for again and again.
    let board = Sources.text("board/sim.toml").replacing("simulated = true", with: "")
    folder.write("real.toml", board.replacing("[readers.keypad]\ndevice = \"keypad\"\n", with: ""))
    let outcome = try Program.run(["lines", "--board", "real.toml"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("JACK_SENSE    sense        -      no line of "))
  }
}
