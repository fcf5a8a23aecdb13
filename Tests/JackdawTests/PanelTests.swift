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

  @Test("a signal during the start leaves the terminal as it was", arguments: [SIGINT, SIGTERM])
  func signalAtStart(signal: CInt) throws {
    let folder = try TemporaryFolder()
    let board = Sources.text("board/sim.toml").split(separator: "\n", omittingEmptySubsequences: false)
    let lines = board.map { $0.hasPrefix("pcm") ? "pcm = \"slow\"" : $0 }
    folder.write("slow.toml", lines.joined(separator: "\n"))
    // A microphone that is opened once somebody writes into it: where the start has come to is known then.
    let pipe = folder.path(of: "sound")
    try #require(mkfifo(pipe, 0o600) == 0)
    folder.write(
      ".asoundrc", "pcm.slow { type file slave.pcm null file \"/dev/null\" infile \"\(pipe)\" format raw }\n")
    let program = try Program(
      ["run", "--board", "slow.toml", "--output", "file:out.wav"], under: ["env", "TERM=vt100"], in: folder,
      input: nil, output: .terminal)
    let before = program.terminalFlags
    let writer = try program.openForWriting(pipe)
    program.signalled(signal)
    _ = try program.end()
    close(writer)
    #expect(program.terminalFlags == before)
  }

  @Test("coins that are typed at once are one of so many pulses")
  func coins() throws {
    let folder = try TemporaryFolder()
    folder.write("settings", "choice = \"queue\"\n[credits]\ncoins = { 1 = 1, 5 = 6 }\n")
    let board = "\(Sources.root)/board/sim/examples/bar.board.toml"
    let program = try Program(
      [
        "run", "--board", board, "--settings", "settings", "--music", "\(Sources.root)/board/sim/music",
        "--output", "file:out.wav",
      ], under: ["env", "TERM=vt100", "NO_COLOR=1"], in: folder, input: nil, output: .terminal)
    // It keeps coins out until it has started.
    try program.wait(for: "○ COIN_INHIBIT")
    program.send("$$$$$")
    try program.wait(for: " coin.")
    program.send("q")
    let outcome = try program.end()
    #expect(outcome.output.contains(" coin.taken line=COIN pulses=5 "))
    #expect(!outcome.output.contains(" coin.refused "))
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
