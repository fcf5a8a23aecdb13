import Files
import Glibc
import TestSupport
import Testing

@Suite struct SimulateTests {
  private func simulate(_ text: String, _ options: [String] = [], in folder: TemporaryFolder? = nil) throws
    -> Program.Outcome
  {
    let folder = try folder ?? TemporaryFolder()
    folder.write("s", text)
    return try Program.run(["simulate", "s"] + options, in: folder)
  }

  @Test(
    "a mistake in a scenario is reported with its line",
    arguments: [
      ("soon end", "\"soon\", expected `at` or `after`"),
      ("at", "the line ends, expected a time such as 1.5s or 250ms"),
      ("at 1 end", "\"1\", expected a time such as 1.5s or 250ms, up to a year"),
      ("at -1s end", "\"-1s\", expected a time such as 1.5s or 250ms, up to a year"),
      ("at 9999999999999999999h end", "\"9999999999999999999h\", expected a time such as 1.5s or 250ms, up to a year"),
      ("after 8784h end", "31622401.000000 s after power on, expected a year at most"),
      ("at 0s end", "0.000000 s lies before the step above it at 1.000000 s, expected it later"),
      ("at 2s press", "the line ends, expected button: play, "),
      ("at 2s press play for", "the line ends, expected a time such as 1.5s or 250ms"),
      ("at 2s press play stop", "\"stop\", expected the end of the line"),
      ("at 2s console \"play", "a quote that is not closed"),
      ("at 2s plug speaker", "speaker is always connected on this board, expected a port with a sense line"),
      ("at 2s plug usb", "port \"usb\", expected headphones, line-out, speaker or dock"),
      (
        "at 2s expect",
        "the line ends, expected state, hold, route, volume, track, playlist, duck, prompt, lamp, signal, amplifier, silence, sound, event or reply"
      ),
      ("at 2s expect volume 101", "volume \"101\", expected a whole number from 0 to 100"),
      ("at 2s expect event track.endet", "unknown event \"track.endet\", did you mean track.ended?"),
      ("at 2s end\u{A0}", "unknown step \"end\\u{a0}\", expected plug, "),
      ("at 2s press play\u{C}", "button \"play\\u{c}\", expected play, "),
      ("at 2s press play\u{2028}at 3s end", "button \"play\\u{2028}at\", expected play, "),
    ])
  func syntax(step: String, error: String) throws {
    let outcome = try simulate("# one\nat 1s press play\n\n\(step)\n")
    #expect(outcome.errors.hasPrefix("jackdaw: s:4: \(error)"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.output == "")
    #expect(outcome.status == 2)
  }

  /// An example of the scenario language.
  private static let example = """
    at 0s     plug dock                      # before the boot completes: state at power on
    at 1s     press play
    at 3s     plug headphones bounce 20ms    # contact chatters for 20 ms, then settles
    at 6s     unplug headphones
    after 5ms expect silence headphones      # less than 5 ms of fade after the edge
    at 6.1s   expect state paused hold route-lost route line-out
    at 8s     plug headphones
    at 8.1s   expect state playing route headphones
    at 9s     press volume-up for 800ms
    at 17s    line JACK_SENSE 0              # raw level
    at 18s    output fail
    at 18.1s  output restore
    at 18.2s  output underrun
    at 19s    route speaker                  # override; `route auto` ends it
    at 19.5s  route auto
    at 20s    console "volume 40"            # as typed on the serial console
    at 20.1s  expect event volume.changed
    at 21s    power cut
    at 22s    power on
    at 25s    end

    """

  @Test("the example of the language holds, with the same log and the same sound every time")
  func example() throws {
    let folder = try TemporaryFolder()
    for round in ["a", "b"] {
      let outcome = try simulate(Self.example, ["--audio", round, "--log", "log-\(round)"], in: folder)
      let summary = "s: 7 of 7 expectations held in 25.000000 s; heard: "
      #expect(outcome.errors.hasPrefix("s:13: note: no device plays, nothing happens\n\(summary)"))
      #expect(outcome.status == 0)
    }
    #expect(folder.read("log-a") == folder.read("log-b"))
    for port in ["headphones", "line-out", "speaker"] {
      let wav = try #require(folder.read("a/\(port).wav"))
      #expect(wav.count == 44 + 25 * 44_100 * 4)
      #expect(wav == folder.read("b/\(port).wav"))
    }
    let heard = try #require(folder.read("a/line-out.wav"))
    #expect(heard.dropFirst(44).contains { $0 != 0 })
  }

  @Test("C1: recordings are kept beside the sound, under the same names every time; without it none is")
  func recordings() throws {
    let folder = try TemporaryFolder()
    let text = "at 1s press record\nat 3s press stop\nat 4s expect event recording.stopped reason=user\n"
    for round in ["1", "2"] {
      let outcome = try simulate(text, ["--audio", "a", "--log", round], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(folder.read("1") == folder.read("2"))
    folder.write("a/recordings/kept.wav", "of somebody")
    #expect(try simulate(text, ["--audio", "a"], in: folder).status == 0)
    #expect(folder.read("a/recordings/kept.wav")?.count == 11)
    unlink(folder.path(of: "a/recordings/kept.wav"))
    let name = "2026-01-01 12-00-01.wav"
    #expect(FileAccess.names(in: "\(folder.path)/a/recordings").filter { $0.hasSuffix(".wav") } == [name])
    // Two seconds, give or take the bounce of the buttons.
    let bytes = folder.read("a/recordings/\(name)")?.count ?? 0
    #expect(abs(bytes - 44 - 2 * 44_100 * 4) <= 44_100 * 4 / 20)
    folder.write("settings", "recordings = \"elsewhere\"\n")
    #expect(try simulate(text, ["--settings", "settings"], in: folder).status == 0)
    #expect(!folder.contains("elsewhere"))
  }

  @Test("C1, C7: a simulation leaves alone what a kiosk has recorded and records just now, whatever its clock shows")
  func kioskRecordings() throws {
    let folder = try TemporaryFolder()
    // What a firmware that runs has there: a recording, one under way, and the marker that names it.
    let files = [
      "k/2026-01-01 12-00-00.wav": "kept", "k/2026-01-02 12-00-00.wav": "", "k/.recording": "2026-01-02 12-00-00.wav\n",
    ]
    for (name, text) in files { folder.write(name, text) }
    folder.write("settings", "recordings = \"k\"\nretention = \"30d\"\n")
    let text = """
      at 0s clock 2031-01-01 10:00
      at 1s press record
      at 3s press stop
      at 4s expect event recording.stopped reason=user
      """
    let outcome = try simulate(text, ["--settings", "settings"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    symlink("k", folder.path(of: "recordings"))
    let refused = try simulate(text, ["--settings", "settings", "--audio", "."], in: folder)
    #expect(
      refused.errors
        == "jackdaw: ./recordings: a kiosk keeps its recordings there, expected a folder for --audio alone\n")
    #expect(refused.status == 2)
    for (name, text) in files { #expect(folder.read(name) == Array(text.utf8), "\(name)") }
    let names = FileAccess.names(in: folder.path(of: "k")).filter { $0 != "." && $0 != ".." }
    #expect(Set(names.map { "k/\($0)" }) == Set(files.keys))
  }

  @Test("C1: a simulation does not clear the recordings beside a kiosk's state, where no settings name a folder")
  func recordingsBesideState() throws {
    let folder = try TemporaryFolder()
    let kept = "state/recordings/2026-01-01 12-00-00.wav"
    folder.write(kept, "kept")
    folder.write("settings", "state = \"\(folder.path(of: "state"))\"\n")
    folder.makeFolder("a")
    symlink("../state/recordings", folder.path(of: "a/recordings"))
    let refused = try simulate("at 1s end\n", ["--settings", "settings", "--audio", "a"], in: folder)
    let expected = "a/recordings: a kiosk keeps its recordings there, expected a folder for --audio alone"
    #expect(refused.status == 2 && refused.errors == "jackdaw: \(expected)\n")
    #expect(folder.read(kept) == Array("kept".utf8))
  }

  @Test("C1: a simulation does not record where a kiosk does")
  func foreign() throws {
    let folder = try TemporaryFolder()
    folder.write("kiosk/state.toml", "")
    let outcome = try simulate("at 1s end\n", ["--audio", "kiosk"], in: folder)
    #expect(outcome.status == 2)
    #expect(outcome.errors == "jackdaw: kiosk: a kiosk keeps its state there, expected a folder for --audio alone\n")
  }

  @Test("the log has rising time stamps of six places and plain ASCII")
  func stamps() throws {
    let outcome = try simulate(Self.example)
    var last = 0.0
    for line in outcome.output.split(separator: "\n") where line.first?.isNumber ?? false {
      let words = line.split(separator: " ")
      let stamp = try #require(Double(words[0]))
      #expect(words[0].split(separator: ".").last?.count == 6)
      #expect(stamp >= last)
      last = stamp
      #expect(["debug", "info", "notice", "warn", "error"].contains(words[1]))
      #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }
    #expect(last >= 22)
  }

  @Test("every failed expectation is reported with its line, and the rest still runs")
  func failing() throws {
    let outcome = try simulate(
      "at 1s expect state playing route speaker volume 3\n\nat 2s expect prompt on\nat 3s end\n")
    #expect(
      outcome.errors == """
        s:1: expected state playing, found stopped
        s:1: expected volume 3, found 60
        s:3: expected prompt on, found off
        s: 1 of 4 expectations held in 3.000000 s; heard: headphones 0.0 s, line-out 0.0 s, speaker 0.0 s

        """)
    #expect(outcome.output.hasPrefix("0.000000 info boot "))
    #expect(outcome.status == 1)
  }

  @Test(
    "scenarios as editors write them",
    arguments: [
      "at 1s press play\r\nat 2s expect state playing\r\n", "\u{FEFF}at 1s press play\nat 2s expect state playing",
      "at 1s press play\rat 2s expect state playing\r", "\tat\t1s  press play #\u{C}\nat 2s expect state playing # \"",
      "at 1s console \"play\" # go\nafter 1s expect state playing event console.command command=\"play\"",
    ])
  func layouts(text: String) throws {
    let outcome = try simulate(text)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(" playback.started cause=user"))
    #expect(outcome.errors.contains(" expectations held in 2.000000 s"))
  }

  @Test("K7: a refused command is a failure, reported with its line, unless the step expects the refusal")
  func refused() throws {
    let expected =
      "expected \"volume loud\" to be obeyed, found error: volume loud: expected a whole number from 0 to 100, "
      + "alone or behind + or -\n"
    let outcome = try simulate("at 1s console play\nat 2s console \"volume loud\"\nat 3s expect volume 60\n")
    #expect(outcome.errors.hasPrefix("s:2: \(expected)s: 1 of 2 expectations held in 3.000000 s; "))
    #expect(outcome.status == 1)
    let wanted = try simulate("at 1s console play refused\nat 2s console \"volume loud\" refused\n")
    #expect(wanted.errors.hasPrefix("s:1: expected \"play\" to be refused, found it obeyed\ns: 1 of 2 expectations "))
    #expect(wanted.status == 1)
  }

  @Test("a step that cannot have an effect is an error, reported with its line")
  func idle() throws {
    for (text, line, error) in [
      ("at 1s power on\n", 1, "the power is on already, expected `power cut` before it"),
      ("at 1s console play\nat 2s press play\n", 2, "BTN_PLAY counts at 2.030000 s, behind the end"),
    ] {
      let outcome = try simulate(text)
      #expect(outcome.errors.hasPrefix("jackdaw: s:\(line): \(error)"))
      #expect(outcome.output == "" && outcome.status == 2)
    }
  }

  @Test("a step that changes nothing is a note with its line, not a failure")
  func notes() throws {
    let outcome = try simulate("at 1s unplug dock\nat 1s output underrun\nat 2s end\n")
    #expect(outcome.errors.contains("s:1: note: the plug of line-out is out already, expected `plug` before it\n"))
    #expect(outcome.errors.contains("s:2: note: no device plays, nothing happens\n"))
    #expect(outcome.status == 0)
  }

  @Test("K7: a refused command is no failure where the next expect names it")
  func refusedAndExpected() throws {
    let expected = try simulate("at 1s console dance\nat 2s expect event console.command volume 60\n")
    #expect(expected.status == 0)
    let unheeded = try simulate("at 1s console dance\nat 2s expect volume 60\nat 3s expect event console.command\n")
    #expect(unheeded.errors.contains("s:1: expected \"dance\" to be obeyed, found error: dance: unknown command"))
    #expect(unheeded.status == 1)
  }

  @Test("a hash in quotes does not begin a comment")
  func hash() throws {
    let outcome = try simulate("at 1s console \"no # comment\" refused\n")
    #expect(outcome.output.contains("command=\"no # comment\""))
    #expect(outcome.status == 0)
  }

  @Test("a year is simulated quickly, but is too long for WAV files")
  func year() throws {
    let folder = try TemporaryFolder()
    #expect(try simulate("at 1s press play\nat 8784h end", in: folder).status == 0)
    try expectRefused(
      ["simulate", "s", "--audio", "a"], "s:2: 31622400.000000 s is too long for --audio, expected 6:45:47 at most",
      in: folder)
    #expect(!folder.contains("a"))
  }

  @Test("a line as long as the file may be is refused at once")
  func longLine() throws {
    let outcome = try simulate("at 1s press " + String(repeating: "x", count: 1_000_000))
    #expect(outcome.errors.count < 200)
    #expect(outcome.status == 2)
  }

  @Test("a log that nobody reads does not end it", arguments: [Program.Output.closed, .noReader])
  func noReader(output: Program.Output) throws {
    let folder = try TemporaryFolder()
    folder.write("s", "at 1s press play\nat 2s expect state playing\n")
    let outcome = try Program.run(["simulate", "s", "--audio", "a"], in: folder, output: output)
    #expect(outcome.status == 0)
    #expect(folder.read("a/speaker.wav")?.starts(with: Array("RIFF".utf8)) ?? false)
  }
}
