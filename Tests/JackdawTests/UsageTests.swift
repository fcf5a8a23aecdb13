import Testing

@Suite struct UsageTests {
  @Test(
    "a bad command line is refused in one line",
    arguments: [
      (
        ["frob"],
        "unknown command \"frob\", expected run, simulate, check, lines, ctl, scan, cards, report, timetable or help"
      ),
      (
        ["help", "frob"],
        "unknown command \"frob\", expected run, simulate, check, lines, ctl, scan, cards, report, timetable or help"
      ),
      (
        ["two\nlines"],
        "unknown command \"two\\u{a}lines\", expected run, simulate, check, lines, ctl, scan, cards, report, timetable or help"
      ),
      (["check", "--music", "x"], "unknown option \"--music\", expected --board, --settings, --measure or --help"),
      (["lines", "--settings", "x"], "unknown option \"--settings\", expected --board or --help"),
      (["ctl"], "<command> is missing, expected a command, as status"),
      (["ctl", " ", ""], "<command> is empty, expected a command, as status"),
      (["ctl", "play\nstop"], "\"play\\u{a}stop\" is more than one line, expected one command"),
      (
        ["--frob"],
        "unknown option \"--frob\", expected run, simulate, check, lines, ctl, scan, cards, report, timetable, help, --help or --version"
      ),
      (["simulate"], "<scenario> is missing, expected a scenario file"),
      (["scan"], "<folder> is missing, expected a folder of music"),
      (
        ["simulate", "x", "--bord", "sim"],
        "unknown option \"--bord\", expected --board, --settings, --music, --audio, --log or --help"
      ),
      (["run", "-x"], "unknown option \"-x\", expected --board, --settings, --music, --output or --help"),
      (["simulate", "x", "--board"], "--board has no value, expected a board's name or file"),
      (["simulate", "x", "--board", "--log", "y"], "--board has no value, expected a board's name or file"),
      (["simulate", "x", "--board="], "--board is empty, expected a board's name or file"),
      (["run", "x"], "unexpected argument \"x\"; see jackdaw run --help"),
      (["run", "--", "--board"], "unexpected argument \"--board\"; see jackdaw run --help"),
      (["scan", "a", "b\nc"], "unexpected argument \"b\\u{a}c\"; see jackdaw scan --help"),
      (["run", "--board", ""], "--board is empty, expected a board's name or file"),
      (["run", "--settings", ""], "--settings is empty, expected a settings file"),
      (["run", "--music", ""], "--music is empty, expected a folder"),
      (["run", "--output", ""], "--output is empty, expected an ALSA PCM or file:PATH"),
      (["run", "--output", "file:"], "--output file: has no path, expected file:PATH"),
      (["simulate", ""], "<scenario> is empty, expected a scenario file"),
      (["simulate", "x", "--audio", ""], "--audio is empty, expected a folder"),
      (["simulate", "x", "--log", ""], "--log is empty, expected a file"),
      (["scan", ""], "<folder> is empty, expected a folder of music"),
      (["report", "--boards", "x", "--name", "y"], "--boards and --name, expected one of them"),
    ])
  func commandLine(arguments: [String], line: String) throws {
    try expectRefused(arguments, line)
  }

  @Test(
    "what cannot be written is a failure",
    arguments: [["--help"], ["help", "scan"], ["scan", Sources.fixtures], ["lines", "--board", "sim"]])
  func fullDisk(arguments: [String]) throws {
    let outcome = try Program.run(arguments, under: ["sh", "-c", #"exec "$0" "$@" >/dev/full"#])
    #expect(outcome.errors == "jackdaw: standard output: No space left on device\n")
    #expect(outcome.status == 1)
  }

  @Test("F1: what the fleet's program cannot write is a failure, too")
  func fullDiskOfFleet() throws {
    let outcome = try Program.run(
      ["--help"], under: ["sh", "-c", #"exec "$0" "$@" >/dev/full"#], named: "jackdaw-fleet")
    #expect(outcome.errors == "jackdaw-fleet: standard output: No space left on device\n")
    #expect(outcome.status == 1)
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
      (["--help"], "COMMANDS"), (["help"], "COMMANDS"), ([], "COMMANDS"),
      (["help", "help"], "COMMANDS"), (["help", "-h"], "COMMANDS"), (["help", "--help"], "COMMANDS"),
      (["help", "--version"], "--version"), (["run", "--help"], "q, Ctrl-C"),
      (["run", "--board", "sim", "-h"], "q, Ctrl-C"),
      (["simulate", "-h"], "unplug PORT"), (["help", "simulate"], "unplug PORT"), (["scan", "--help"], "skip  FILE"),
      (["ctl", "--help"], "/run/jackdaw/control"), (["check", "--help"], "with advice"),
      (["lines", "--help"], "chip and offset"),
    ])
  func help(arguments: [String], part: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(part))
    for line in outcome.output.split(separator: "\n") where !line.hasPrefix("USAGE:") { #expect(line.count <= 80) }
  }

  @Test("the version is printed")
  func version() throws {
    let outcome = try Program.run(["--version"])
    #expect(outcome.output == "0.1.0\n")
    #expect(outcome.status == 0)
  }
}
