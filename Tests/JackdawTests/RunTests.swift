import Glibc
import TestSupport
import Testing

@Suite struct RunTests {
  private static let onSim = ["run", "--board", "sim", "--output", "file:out.wav"]

  private func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }

  private func stamp(of event: String, in output: String) throws -> Double {
    let line = try #require(output.split(separator: "\n").first { $0.contains(" \(event)") })
    return try #require(line.split(separator: " ").first.flatMap { Double($0) })
  }

  @Test("keys from a pipe are pressed one after the other, and q ends it")
  func keys() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(Self.onSim, in: folder, input: "hpq")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(" board=\"Simulated board\" board-file="))
    #expect(outcome.output.contains("/board/sim.toml settings=none\n"))
    let events = [
      " boot tracks=3 ", " route.changed reason=new-device-available from=speaker to=headphones ",
      " playback.started cause=user track=1 route=headphones ", " shutdown reason=quit ",
    ]
    var rest = outcome.output[...]
    for event in events {
      let range = try #require(rest.ranges(of: event).first, "\(event) is missing")
      rest = rest[range.upperBound...]
    }
  }

  @Test("T1: digits and Enter play the track of that number, and one that is not there is refused")
  func numbers() throws {
    let outcome = try Program.run(Self.onSim, in: TemporaryFolder(), input: "3\n9\nq")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(" info track.started track=3 "))
    #expect(outcome.errors == "error: track 9: there is no track 9, expected 1 to 3\n")
  }

  @Test("the WAV is valid and as long as the run")
  func wav() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(Self.onSim, in: folder, input: "pnq")
    let wav = try #require(folder.read("out.wav"))
    #expect(wav.count > 44)
    #expect(wav.starts(with: Array("RIFF".utf8)))
    #expect(wav[8..<16].elementsEqual("WAVEfmt ".utf8))
    #expect(number(wav, 4) == wav.count - 8)
    #expect(number(wav, 24) == 44_100)
    #expect(number(wav, 28) == 44_100 * 4)
    #expect(wav[36..<40].elementsEqual("data".utf8))
    #expect(number(wav, 40) == wav.count - 44)
    let seconds = Double(wav.count - 44) / 4 / 44_100
    let end = try stamp(of: "shutdown", in: outcome.output)
    // From power on to the last frame; the device may play out its buffer after the last line of the log.
    #expect(seconds >= end && seconds < end + 2)
    #expect(wav.dropFirst(44).contains { $0 != 0 })
  }

  @Test("a refusal of real-time priority is reported, and music plays")
  func realTime() throws {
    let limits = ["prlimit", "--memlock=65536:65536", "--rtprio=0:0"]
    // To root these limits do not apply. Its other rights stay, without which a busy machine may refuse more than these.
    let rights = "-sys_nice,-ipc_lock"
    let poor = (geteuid() == 0 ? ["setpriv", "--bounding-set=\(rights)", "--inh-caps=\(rights)"] : []) + limits
    let outcome = try Program.run(Self.onSim, under: poor, in: TemporaryFolder(), input: "pq")
    // If the limit is smaller than what is in use, the kernel reports another error. Under a sanitizer, mlockall
    // succeeds without locking anything.
    let isSanitized = dlsym(nil, "__sanitizer_print_stack_trace") != nil
    let reasons =
      (isSanitized ? "" : "memory lock: [^;]+; ")
      + "priority 60: Operation not permitted; priority 40: Operation not permitted"
      + (isSanitized ? "; jail: [^;]+" : "")
    let boot = try Regex(#" warn boot tracks=3 rate=44100 ports=3 realtime=refused jail=[a-z]+ reason="\#(reasons)""#)
    #expect(try boot.firstMatch(in: outcome.output) != nil, "\(outcome)")
    #expect(outcome.output.contains(" playback.started cause=user "))
    #expect(outcome.status == 0)
  }

  @Test("library code that only the start needed is released")
  func releasedCode() throws {
    let program = try Program(Self.onSim, in: TemporaryFolder(), input: nil)
    try program.wait(for: " boot ")
    let map = String(decoding: readFile("/proc/\(program.id)/smaps") ?? [], as: UTF8.self)
    // It was made ready at the start, and nothing unwinds a stack later.
    let code = try #require(map.ranges(of: try Regex("r-xp .*/libgcc_s\\.so")).first)
    let resident = try #require(map[code.upperBound...].firstMatch(of: /Rss: +(\d+) kB/))
    #expect(resident.1 == "0")
    program.signalled(SIGTERM)
    #expect(try program.end().status == 0)
  }

  @Test("a signal ends it cleanly", arguments: [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")])
  func signals(number: CInt, name: String) throws {
    let folder = try TemporaryFolder()
    let program = try Program(Self.onSim, in: folder, input: nil)
    program.send("p")
    try program.wait(for: " track.started ")
    program.signalled(number)
    let outcome = try program.end()
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").last?.contains(" shutdown reason=\(name) frame=") ?? false)
    let state = String(decoding: folder.read("state/jackdaw/state.toml") ?? [], as: UTF8.self)
    #expect(state.contains("track = \"1 Waltz of the Chimneys.mp3\""))
    let next = try Program.run(Self.onSim, in: folder, input: "q")
    #expect(next.output.contains(" state.restored "))
  }

  @Test("the end of standard input does not end it")
  func endOfInput() throws {
    let program = try Program(Self.onSim, in: TemporaryFolder(), input: "hp")
    try program.wait(for: " playback.started ")
    program.signalled(SIGTERM)
    let outcome = try program.end()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains(" shutdown reason=SIGTERM "))
  }

  @Test("without a reader of the log it plays on, and the WAV contains only sound")
  func noReader() throws {
    for output in [Program.Output.closed, .noReader] {
      let folder = try TemporaryFolder()
      let outcome = try Program.run(Self.onSim, in: folder, input: "pnq", output: output)
      #expect(outcome.status == 0)
      let wav = try #require(folder.read("out.wav"))
      #expect(wav.count > 44_100)
      #expect(number(wav, 40) == wav.count - 44)
    }
  }

  @Test("in the journal each event carries its priority, and only there")
  func journal() throws {
    // Sets JOURNAL_STREAM for the standard output of the program it starts, as systemd does.
    let script = #"exec 3>&1; exec env JOURNAL_STREAM="$(stat -L -c %d:%i /proc/self/fd/3)" "$@" 3>&-"#
    let journal = ["sh", "-c", script, "sh"]
    let printed = try Program.run(Self.onSim, under: journal, in: TemporaryFolder(), input: "q").output.split(
      separator: "\n")
    #expect(printed.contains { $0.hasPrefix("<6>") && $0.contains(" info route.initial ") })
    let priorities = ["debug": "<7>", "info": "<6>", "notice": "<5>", "warn": "<4>", "error": "<3>"]
    for line in printed {
      let level = String(line.split(separator: " ")[1])
      #expect(line.hasPrefix(priorities[level] ?? "nothing"))
    }
    let elsewhere = try Program.run(
      Self.onSim, under: ["env", "JOURNAL_STREAM=8:1"], in: TemporaryFolder(), input: "q")
    #expect(elsewhere.output.split(separator: "\n").allSatisfy { $0.first?.isWholeNumber ?? false })
  }

  @Test("without a device tree it reports that it simulates")
  func automatic() throws {
    let outcome = try Program.run(["run", "--output", "file:out.wav"], input: "q")
    #expect(outcome.errors.hasPrefix("jackdaw: board sim: "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.status == 0)
  }

  @Test("a real board whose lines are not on this machine is a problem found")
  func realBoard() throws {
    let folder = try TemporaryFolder()
    let board = Sources.text("board/sim.toml").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("simulated") ? "" : $0.replacing("JACK_SENSE", with: "NO_SUCH_LABEL") }
    folder.write("real.toml", board.joined(separator: "\n"))
    try expectRefused(
      ["run", "--board", "real.toml", "--output", "file:out.wav"],
      "real.toml: find line NO_SUCH_LABEL: no line of any chip has this label, and no chip and offset are given to "
        + "fall back on", in: folder, status: 1)
  }
}
