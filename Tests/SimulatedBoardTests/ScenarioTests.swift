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
      ("power cut", .powerCut), ("power on", .powerOn), ("end", .end),
    ] as [(String, Scenario.Action)])
  func verbs(text: String, expected: Scenario.Action) throws {
    #expect(try action(text) == expected)
  }

  @Test(
    "everything that expect knows",
    arguments: [
      ("state paused", [.state(.paused)]), ("hold route-lost", [.hold(.routeLost)]), ("hold none", [.hold(nil)]),
      ("hold output-unavailable", [.hold(.outputUnavailable)]), ("route dock", [.route(.lineOut)]),
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
        "s.txt:1: the line ends, expected a step: plug, unplug, press, line, output, route, console, power, expect or end"
      ),
      (
        "at 1s plum headphones",
        "s.txt:1: unknown step \"plum\", expected plug, unplug, press, line, output, route, console, power, expect or end"
      ),
      (
        "at 2s press play\n\nat 1s end",
        "s.txt:3: 1.000000 s lies before the step above it at 2.000000 s, expected it later"
      ),
      ("at 1s end\nat 2s press play", "s.txt:2: a step after `end`"),
      ("at 1s end now", "s.txt:1: \"now\", expected the end of the line"),
      ("at 1s console \"volume", "s.txt:1: a quote that is not closed"),
      ("at 1s console", "s.txt:1: the line ends, expected a command in quotes, as typed"),
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
        "s.txt:1: button \"pause\", expected play, stop, volume-up, volume-down, next or previous"
      ),
      (
        "at 1s line LED_STATUS 1",
        "s.txt:1: line \"LED_STATUS\", expected JACK_SENSE, DOCK_SENSE, BTN_PLAY, BTN_STOP, BTN_VOL_UP, BTN_VOL_DOWN, "
          + "BTN_NEXT or BTN_PREVIOUS"
      ),
      ("at 1s line BTN_PLAY 2", "s.txt:1: level \"2\", expected 0 or 1"),
      ("at 1s output break", "s.txt:1: output \"break\", expected fail, restore or underrun"),
      ("at 1s power off", "s.txt:1: power \"off\", expected cut or on"),
      ("at 1s route none", "s.txt:1: route \"none\", expected headphones, line-out, speaker, dock or auto"),
    ])
  func badLines(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse(text) } == error)
  }

  @Test(
    "a bad expectation is named",
    arguments: [
      ("", "the line ends, expected state, hold, route, volume, track, prompt, lamp, silence, sound or event"),
      (
        "mood good",
        "unknown expectation \"mood\", expected state, hold, route, volume, track, prompt, lamp, silence, sound or event"
      ),
      ("state sleeping", "state \"sleeping\", expected stopped, playing or paused"),
      ("hold me", "hold \"me\", expected route-lost, output-unavailable, no-suitable-route or none"),
      ("volume 101", "volume \"101\", expected a whole number from 0 to 100"),
      ("volume loud", "volume \"loud\", expected a whole number from 0 to 100"),
      ("track 0", "track \"0\", expected a whole number from 1 to 1000000"),
      ("prompt maybe", "prompt \"maybe\", expected on or off"),
      ("lamp red", "lamp \"red\", expected off, on or blink"),
      ("silence auto", "port \"auto\", expected headphones, line-out, speaker or dock"),
      ("event track.endet", "unknown event \"track.endet\", did you mean track.ended?"),
      (
        "event boot =5",
        "unknown expectation \"=5\", expected state, hold, route, volume, track, prompt, lamp, silence, sound or event"
      ),
    ])
  func badExpectations(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("\nat 1s expect \(text)") } == "s.txt:2: \(error)")
  }

  @Test(
    "what is still to come is refused by name",
    arguments: [
      ("interrupt begin page", "step \"interrupt\" is not built yet (interruptions)"),
      ("cue welcome", "step \"cue\" is not built yet (cues)"),
      ("storage full", "step \"storage\" is not built yet (storage faults)"),
      ("console blocked", "console \"blocked\" is not built yet (a console that blocks)"),
      ("console free", "console \"free\" is not built yet (a console that blocks)"),
      ("press record", "button \"record\" is not built yet (recording)"),
      ("press cue", "button \"cue\" is not built yet (cues)"),
      ("line PAGE 1", "line \"PAGE\" is not built yet (interruptions)"),
      ("line MUTE 1", "line \"MUTE\" is not built yet (the mute line)"),
      ("expect state recording", "state \"recording\" is not built yet (recording)"),
      ("expect hold interruption", "hold \"interruption\" is not built yet (interruptions)"),
      ("expect duck on", "expectation \"duck\" is not built yet (ducking)"),
    ])
  func notBuilt(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("at 1s \(text)") } == "s.txt:1: \(error)")
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
}
