import Testing

@Suite struct UsageTests {
  @Test(
    "a bad command line is refused in one line",
    arguments: [
      (["frob"], "unknown command \"frob\", expected run, simulate, scan or help"),
      (["help", "frob"], "unknown command \"frob\", expected run, simulate, scan or help"),
      (["two\nlines"], "unknown command \"two\\u{a}lines\", expected run, simulate, scan or help"),
      (["check"], "command \"check\" is not built yet"),
      (["lines"], "command \"lines\" is not built yet"),
      (["ctl", "status"], "command \"ctl\" is not built yet"),
      (["--frob"], "Unknown option '--frob'. See 'jackdaw --help' for more information."),
      (
        ["simulate"],
        "Missing expected argument '<scenario>'. See 'jackdaw simulate --help' for more information."
      ),
      (["scan"], "Missing expected argument '<folder>'. See 'jackdaw scan --help' for more information."),
      (
        ["simulate", "x", "--bord", "sim"],
        "Unknown option '--bord'. Did you mean '--board'? See 'jackdaw simulate --help' for more information."
      ),
      (
        ["simulate", "x", "--board"],
        "Missing value for '--board <board>'. See 'jackdaw simulate --help' for more information."
      ),
      (["run", "x"], "Unexpected argument 'x'. See 'jackdaw run --help' for more information."),
      (["scan", "a", "b\nc"], "Unexpected argument 'b\\u{a}c'. See 'jackdaw scan --help' for more information."),
      (["run", "--board", ""], "--board is empty, expected a board's name or file"),
      (["run", "--settings", ""], "--settings is empty, expected a settings file"),
      (["run", "--music", ""], "--music is empty, expected a folder"),
      (["run", "--output", ""], "--output is empty, expected an ALSA PCM or file:PATH"),
      (["run", "--output", "file:"], "--output file: has no path, expected file:PATH"),
      (["simulate", ""], "<scenario> is empty, expected a scenario file"),
      (["simulate", "x", "--audio", ""], "--audio is empty, expected a folder"),
      (["simulate", "x", "--log", ""], "--log is empty, expected a file"),
      (["scan", ""], "<folder> is empty, expected a folder of music"),
    ])
  func commandLine(arguments: [String], line: String) throws {
    try expectRefused(arguments, line)
  }

  @Test("an unknown PCM is refused")
  func unknownPCM() throws {
    let outcome = try Program.run(["run", "--board", "sim", "--output", "nosuchpcm"])
    #expect(outcome.errors.hasPrefix("jackdaw: --output nosuchpcm: open: "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.output == "")
    #expect(outcome.status == 2)
  }

  @Test(
    "help is no error and fits 80 columns, the synopsis apart",
    arguments: [
      (["--help"], "SUBCOMMANDS"), (["help"], "SUBCOMMANDS"), ([], "SUBCOMMANDS"), (["run", "--help"], "q, Ctrl-C"),
      (["simulate", "-h"], "unplug PORT"), (["help", "simulate"], "unplug PORT"), (["scan", "--help"], "skip  FILE"),
    ])
  func help(arguments: [String], part: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(part))
    for line in outcome.output.split(separator: "\n") where !line.hasPrefix("USAGE:") { #expect(line.count <= 80) }
  }

  @Test("the version is told")
  func version() throws {
    let outcome = try Program.run(["--version"])
    #expect(outcome.output == "0.1.0\n")
    #expect(outcome.status == 0)
  }
}
