import AudioSession
import Board
import Jukebox
import Testing

@testable import SimulatedBoard

@Suite struct ScenarioTests {
  private func parse(_ text: String) throws(FileError) -> Scenario {
    try ScenarioParser.parse(text, file: "s.txt", board: testBoard())
  }

  private func action(_ text: String) throws -> Scenario.Action? { try parse("at 0s \(text)").steps.first?.action }

  @Test(
    "every verb of the language",
    arguments: [
      ("plug headphones", .plug(.headphones, bounce: .zero)),
      ("plug dock bounce 20ms", .plug(.lineOut, bounce: .milliseconds(20))),
      ("unplug line-out bounce 1s", .unplug(.lineOut, bounce: .seconds(1))),
      ("unplug headphones", .unplug(.headphones, bounce: .zero)),
      ("press play", .press(.play, hold: .milliseconds(60))),
      ("press volume-up for 800ms", .press(.volumeUp, hold: .milliseconds(800))),
      ("line JACK_SENSE 0", .line("JACK_SENSE", asserted: false)),
      ("line BTN_STOP 1", .line("BTN_STOP", asserted: true)),
      ("route speaker", .route(.speaker)), ("route dock", .route(.lineOut)), ("route auto", .route(nil)),
      ("console \"volume 40\"", .console("volume 40")), ("console status", .console("status")),
      ("output fail", .output(.fail)), ("output restore", .output(.restore)), ("output underrun", .output(.underrun)),
      ("output rate 48000", .outputRate(48_000)), ("output rate 8000", .outputRate(8_000)),
      ("output rate 192000", .outputRate(192_000)),
      ("power cut", .power(.cut)), ("power on", .power(.on)), ("power sleep", .power(.sleep)),
      ("power wake", .power(.wake)), ("end", .end),
      ("press record", .press(.record, hold: .milliseconds(60))),
      ("press cue for 1s", .press(.cue, hold: .seconds(1))),
      ("line BTN_RECORD 1", .line("BTN_RECORD", asserted: true)), ("line BTN_CUE 0", .line("BTN_CUE", asserted: false)),
      ("line PAGE 1", .line("PAGE", asserted: true)), ("line MUTE 0", .line("MUTE", asserted: false)),
      ("interrupt begin page", .interruptBegin("page")), ("interrupt begin fire-2", .interruptBegin("fire-2")),
      ("interrupt end page", .interruptEnd("page", resume: false)),
      ("interrupt end page resume", .interruptEnd("page", resume: true)),
      ("cue welcome", .cue("welcome")), ("cue Good_night.2", .cue("Good_night.2")),
      ("microphone fail", .microphone(.fail)), ("microphone restore", .microphone(.restore)),
      ("microphone voice.wav", .microphone(.file("stories/voice.wav"))),
      ("microphone \"/a b.wav\"", .microphone(.file("/a b.wav"))),
      ("storage full", .storage(.full)), ("storage read-only", .storage(.readOnly)),
      ("storage restore", .storage(.good)),
      ("console blocked", .consoleBlocked(true)), ("console free", .consoleBlocked(false)),
      ("clock 17:30", .clock(TimeOfDay(hour: 17, minute: 30), second: 0)),
      ("clock 00:00:00", .clock(TimeOfDay(hour: 0, minute: 0), second: 0)),
      ("clock 23:59:59", .clock(TimeOfDay(hour: 23, minute: 59), second: 59)),
      ("clock 07:05:09", .clock(TimeOfDay(hour: 7, minute: 5), second: 9)),
    ] as [(String, Scenario.Action)])
  func verbs(text: String, expected: Scenario.Action) throws {
    let scenario = try ScenarioParser.parse("at 0s \(text)", file: "stories/s.txt", board: testBoard())
    #expect(scenario.steps.map(\.action) == [expected])
  }

  @Test(
    "everything that expect knows",
    arguments: [
      ("state paused", [.state(.paused)]), ("hold route-lost", [.hold(.routeLost)]), ("hold none", [.hold(nil)]),
      ("hold output-unavailable", [.hold(.outputUnavailable)]), ("hold interruption", [.hold(.interruption)]),
      ("state recording", [.state(.recording)]), ("duck on", [.duck(true)]), ("duck off", [.duck(false)]),
      ("route dock", [.route(.lineOut)]),
      ("route none", [.route(nil)]), ("volume 0", [.volume(0)]), ("volume 100", [.volume(100)]),
      ("track 3", [.track(3)]), ("prompt on", [.prompt(true)]), ("prompt off", [.prompt(false)]),
      ("lamp blink", [.lamp(.blink)]), ("silence speaker", [.silence(.speaker)]), ("sound dock", [.sound(.lineOut)]),
      ("event boot", [.event(.boot, [])]),
      (
        "event track.failed reason=\"no audio = none\" track=3 state playing",
        [
          .event(
            .trackFailed,
            [Event.Field(key: "reason", value: "no audio = none"), Event.Field(key: "track", value: "3")]),
          .state(.playing),
        ]
      ),
      ("state playing hold none volume 5", [.state(.playing), .hold(nil), .volume(5)]),
    ] as [(String, [SimulatedBoard.Expectation])])
  func expectations(text: String, expected: [SimulatedBoard.Expectation]) throws {
    #expect(try action("expect \(text)") == .expect(expected))
  }

  @Test("a story of all that the language has is taken as it stands")
  func everything() throws {
    let scenario = try parse(
      """
      at 0s     plug dock                      # before the boot completes: state at power on
      at 1s     press play
      at 3s     plug headphones bounce 20ms    # contact chatters for 20 ms, then settles
      at 6s     unplug headphones
      after 5ms expect silence headphones      # less than 5 ms of fade after the edge
      at 6.1s   expect state paused hold route-lost route line-out
      at 9s     press volume-up for 800ms
      at 10s    interrupt begin page
      at 10.1s  expect hold interruption event interruption.began reason=page
      at 12s    interrupt end page resume      # without `resume`: ended without should-resume
      at 13s    cue welcome                    # plays cues/welcome.* with ducking
      after 1s  expect duck on
      at 15s    press record
      at 15.1s  expect state recording
      at 17s    line JACK_SENSE 0              # raw level
      at 18s    output fail
      at 18s    output restore
      at 18s    output underrun
      at 19s    route speaker                  # override; `route auto` ends it
      at 20s    console "volume 40"            # as typed on the serial console
      at 21s    power cut
      at 22s    power on
      at 22s    storage full
      at 22s    storage read-only
      at 22s    console blocked
      at 22s    console free
      at 25s    end
      """)
    #expect(scenario.steps.count == 27)
    #expect(scenario.steps.map(\.line) == Array(1...27))
  }

  @Test("lines, times, comments and line ends")
  func layout() throws {
    let scenario = try parse("# a story\r\n\r\nat 1s press play # now\n\tafter 250ms  power\tcut\nat 1.25s end")
    #expect(scenario.file == "s.txt")
    #expect(scenario.steps.map(\.line) == [3, 4, 5])
    #expect(scenario.steps.map(\.at) == [1_000, 1_250, 1_250].map { .powerOn + .milliseconds($0) })
  }

  @Test(
    "a bad line is named, with what was expected there",
    arguments: [
      ("", "s.txt: no step in it, expected at least one"),
      ("# nothing", "s.txt: no step in it, expected at least one"),
      ("soon end", "s.txt:1: \"soon\", expected `at` or `after`"),
      ("at", "s.txt:1: the line ends, expected a time such as 1.5s or 250ms"),
      ("at noon end", "s.txt:1: \"noon\", expected a time such as 1.5s or 250ms, up to a year"),
      ("at 9000h end", "s.txt:1: \"9000h\", expected a time such as 1.5s or 250ms, up to a year"),
      (
        "at 1s",
        "s.txt:1: the line ends, expected a step: plug, unplug, press, line, interrupt, cue, "
          + "microphone, output, storage, route, console, power, clock, expect or end"
      ),
      (
        "at 1s plum headphones",
        "s.txt:1: unknown step \"plum\", expected plug, unplug, press, line, interrupt, cue, "
          + "microphone, output, storage, route, console, power, clock, expect or end"
      ),
      (
        "at 2s press play\n\nat 1s end",
        "s.txt:3: 1.000000 s lies before the step above it at 2.000000 s, expected it later"
      ),
      ("at 1s end\nat 2s press play", "s.txt:2: a step after `end`"),
      ("at 1s end now", "s.txt:1: \"now\", expected the end of the line"),
      ("at 1s console \"volume", "s.txt:1: a quote that is not closed"),
      ("at 1s console", "s.txt:1: the line ends, expected a command in quotes, as typed, or blocked or free"),
      ("at 1s console blocked now", "s.txt:1: \"now\", expected the end of the line"),
      ("at 1s console volume 40", "s.txt:1: \"40\", expected the end of the line"),
      ("at 1s plug usb", "s.txt:1: port \"usb\", expected headphones, line-out, speaker or dock"),
      (
        "at 1s unplug speaker",
        "s.txt:1: speaker is always connected on this board, expected a port with a sense line"
      ),
      ("at 1s plug", "s.txt:1: the line ends, expected port: headphones, line-out, speaker or dock"),
      ("at 1s plug dock bounce", "s.txt:1: the line ends, expected a time such as 1.5s or 250ms"),
      ("at 1s plug dock chatter", "s.txt:1: \"chatter\", expected the end of the line"),
      (
        "at 1s press pause",
        "s.txt:1: button \"pause\", expected play, stop, volume-up, volume-down, next, previous, record or cue"
      ),
      ("at 1s line LED_STATUS 1", "s.txt:1: line LED_STATUS is an output, expected " + Self.inputs),
      ("at 1s line AMP_MUTE 0", "s.txt:1: line AMP_MUTE is an output, expected " + Self.inputs),
      ("at 1s line HORN 1", "s.txt:1: line \"HORN\", expected " + Self.inputs),
      ("at 1s line", "s.txt:1: the line ends, expected line: " + Self.inputs),
      ("at 1s line BTN_PLAY 2", "s.txt:1: level \"2\", expected 0 or 1"),
      ("at 1s output break", "s.txt:1: output \"break\", expected fail, restore, underrun or rate"),
      ("at 1s output rate", "s.txt:1: the line ends, expected rate, 8000 to 192000"),
      ("at 1s output rate 7999", "s.txt:1: rate \"7999\", expected a whole number from 8000 to 192000"),
      ("at 1s output rate 192001", "s.txt:1: rate \"192001\", expected a whole number from 8000 to 192000"),
      ("at 1s power off", "s.txt:1: power \"off\", expected cut, on, sleep or wake"),
      ("at 1s route none", "s.txt:1: route \"none\", expected headphones, line-out, speaker, dock or auto"),
    ])
  func badLines(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse(text) } == error)
  }

  @Test(
    "a bad expectation is named",
    arguments: [
      (
        "",
        "the line ends, expected state, hold, route, volume, track, duck, "
          + "prompt, lamp, silence, sound or event"
      ),
      (
        "mood good",
        "unknown expectation \"mood\", expected state, hold, route, volume, track, duck, "
          + "prompt, lamp, silence, sound or event"
      ),
      ("state sleeping", "state \"sleeping\", expected stopped, playing, paused or recording"),
      ("hold me", "hold \"me\", expected route-lost, interruption, output-unavailable, no-suitable-route or none"),
      ("volume 101", "volume \"101\", expected a whole number from 0 to 100"),
      ("volume loud", "volume \"loud\", expected a whole number from 0 to 100"),
      ("track 0", "track \"0\", expected a whole number from 1 to 1000000"),
      ("duck", "the line ends, expected duck: on or off"), ("duck 12", "duck \"12\", expected on or off"),
      ("prompt maybe", "prompt \"maybe\", expected on or off"),
      ("lamp red", "lamp \"red\", expected off, on or blink"),
      ("silence auto", "port \"auto\", expected headphones, line-out, speaker or dock"),
      ("event track.endet", "unknown event \"track.endet\", did you mean track.ended?"),
      (
        "event boot =5",
        "unknown expectation \"=5\", expected state, hold, route, volume, track, duck, "
          + "prompt, lamp, silence, sound or event"
      ),
    ])
  func badExpectations(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("\nat 1s expect \(text)") } == "s.txt:2: \(error)")
  }

  /// The lines that a scenario can move.
  private static let inputs =
    "JACK_SENSE, DOCK_SENSE, BTN_PLAY, BTN_STOP, BTN_VOL_UP, BTN_VOL_DOWN, BTN_NEXT, BTN_PREVIOUS, BTN_RECORD, "
    + "BTN_CUE, PAGE or MUTE"

  @Test(
    "a bad interruption, cue, microphone, storage or clock is named",
    arguments: [
      ("interrupt", "the line ends, expected interrupt: begin or end"),
      ("interrupt page", "interrupt \"page\", expected begin or end"),
      ("interrupt begin", "the line ends, expected an interrupter's name, such as page"),
      ("interrupt begin Page", "interrupter \"Page\", expected 1 to 31 lower-case letters, digits and hyphens"),
      ("interrupt end \"\"", "interrupter \"\", expected 1 to 31 lower-case letters, digits and hyphens"),
      ("interrupt end a_b", "interrupter \"a_b\", expected 1 to 31 lower-case letters, digits and hyphens"),
      ("interrupt begin music", "interrupter \"music\", expected another than music, cue or recorder"),
      ("interrupt begin cue", "interrupter \"cue\", expected another than music, cue or recorder"),
      ("interrupt end recorder", "interrupter \"recorder\", expected another than music, cue or recorder"),
      ("interrupt begin page resume", "\"resume\", expected the end of the line"),
      ("interrupt end page later", "\"later\", expected the end of the line"),
      ("cue", "the line ends, expected a cue's name, such as welcome"),
      ("cue \"\"", "cue \"\", expected a cue's name, such as welcome"),
      ("cue good night", "\"night\", expected the end of the line"),
      ("microphone", "the line ends, expected a WAV file, or fail or restore"),
      ("microphone \"\"", "microphone \"\", expected a WAV file, or fail or restore"),
      ("microphone a.wav b.wav", "\"b.wav\", expected the end of the line"),
      ("storage", "the line ends, expected storage: full, read-only or restore"),
      ("storage broken", "storage \"broken\", expected full, read-only or restore"),
      ("clock", "the line ends, expected a time of day such as 17:30 or 17:30:05"),
      ("clock noon", "clock \"noon\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 24:00", "clock \"24:00\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 12:60", "clock \"12:60\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 12:00:60", "clock \"12:00:60\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 7:30", "clock \"7:30\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 17", "clock \"17\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 17:30:", "clock \"17:30:\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock 1:2:3:4", "clock \"1:2:3:4\", expected a time of day such as 17:30 or 17:30:05"),
      ("clock +1:30", "clock \"+1:30\", expected a time of day such as 17:30 or 17:30:05"),
    ])
  func badSurroundings(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("\nat 1s \(text)") } == "s.txt:2: \(error)")
  }

  @Test("a board without an input has no microphone")
  func noInput() {
    let text = errorText { () throws(FileError) in
      try ScenarioParser.parse("at 1s microphone fail", file: "s.txt", board: testBoard { $0.input = nil })
    }
    #expect(text == "s.txt:1: this board has no input that a microphone could be at")
  }

  @Test("buttons that the board does not have cannot be pressed")
  func absentButton() {
    let board = testBoard { $0.lines.removeAll { $0.role != .button(.play) } }
    let text = errorText { () throws(FileError) in
      try ScenarioParser.parse("at 1s press stop", file: "s.txt", board: board)
    }
    #expect(text == "s.txt:1: button \"stop\", expected play")
  }

  @Test("a file that is missing or no text is said so")
  func files() {
    #expect(
      errorText { () throws(FileError) in try ScenarioParser.read("/nowhere/s.txt", board: testBoard()) }
        == "/nowhere/s.txt: no such file")
  }

  @Test(
    "a file that is not UTF-8 is told with the line",
    arguments: [
      ("\u{E9}\n", 1), ("at 0s end\n\u{E9}", 2), ("# a\r\n# b\r\n# \u{E9}\r\n# c", 3), ("# a\r# \u{E9}\r# c", 2),
      ("\n\n\n\u{E9}\n\u{E9}", 4), ("\n\r\u{E9}", 3),
    ])
  func latin1(text: String, line: Int) {
    let file = TemporaryFile()
    file.write(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    #expect(
      errorText { () throws(FileError) in try ScenarioParser.read(file.path, board: testBoard()) }
        == "\(file.path):\(line): is not UTF-8 text")
  }
}
