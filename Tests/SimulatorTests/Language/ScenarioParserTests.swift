import AudioSession
import Files
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator

@Suite struct ScenarioParserTests {
  private func parse(_ text: String) throws(FileError) -> Scenario {
    try ScenarioParser.parse(text, file: "s.txt", board: testBoard())
  }

  private func action(_ text: String) throws -> Scenario.Action? { try step(text)?.action }

  /// Parses one step by itself, without checking whether it has an effect.
  private func step(_ text: String) throws -> Scenario.Step? {
    try ScenarioParser.steps(of: "at 0s \(text)", file: "stories/s.txt", board: testBoard()).steps.first
  }

  @Test(
    "every command may be expected to be refused, and nothing else",
    arguments: [
      "route speaker", "console \"volume loud\"", "interrupt begin page", "interrupt end page",
      "interrupt end page resume", "cue nothing", "cue refused",
    ])
  func refused(text: String) throws {
    #expect(try step(text)?.isRefused == false)
    #expect(try step(text + " refused")?.isRefused == true)
    #expect(try step(text + " refused")?.action == action(text))
    #expect(throws: FileError.self) { try step(text + " refused refused") }
    for other in ["press play", "plug dock", "console blocked", "power cut", "output fail", "storage full"] {
      #expect(throws: FileError.self) { try step(other + " refused") }
    }
  }

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
      ("route speaker", .console("route speaker")), ("route dock", .console("route line-out")),
      ("route auto", .console("route auto")),
      ("choose track 2", .console("track 2")), ("choose playlist \"a b\"", .console("playlist a b")),
      ("console \"volume 40\"", .console("volume 40")), ("console status", .console("status")),
      ("output fail", .output(.fail)), ("output restore", .output(.restore)), ("output underrun", .output(.underrun)),
      ("output rate 48000", .outputRate(48_000)), ("output rate 8000", .outputRate(8_000)),
      ("output rate 192000", .outputRate(192_000)),
      ("output card headphones shallow", .outputCard(.headphones, .shallow)),
      ("output card dock usual", .outputCard(.lineOut, .usual)),
      ("output card speaker steps", .outputCard(.speaker, .steps)),
      ("power cut", .power(.cut)), ("power on", .power(.on)), ("power sleep", .power(.sleep)),
      ("power wake", .power(.wake)), ("end", .end),
      ("press record", .press(.record, hold: .milliseconds(60))),
      ("press cue for 1s", .press(.cue, hold: .seconds(1))),
      ("line BTN_RECORD 1", .line("BTN_RECORD", asserted: true)), ("line BTN_CUE 0", .line("BTN_CUE", asserted: false)),
      ("line PAGE 1", .line("PAGE", asserted: true)), ("line MUTE 0", .line("MUTE", asserted: false)),
      ("interrupt begin page", .console("interrupt begin page")),
      ("interrupt begin fire-2", .console("interrupt begin fire-2")),
      ("interrupt end page", .console("interrupt end page")),
      ("interrupt end page resume", .console("interrupt end page resume")),
      ("cue welcome", .console("cue welcome")), ("cue Good_night.2", .console("cue Good_night.2")),
      ("microphone fail", .microphone(.fail)), ("microphone restore", .microphone(.restore)),
      ("microphone voice.wav", .microphone(.file("stories/voice.wav"))),
      ("microphone \"/a b.wav\"", .microphone(.file("/a b.wav"))),
      ("storage full", .storage(.full)), ("storage read-only", .storage(.readOnly)),
      ("storage restore", .storage(.good)),
      ("music remove 2", .music(.remove("2"))), ("music add \"a b.mp3\"", .music(.add("a b.mp3"))),
      ("music gone", .music(.gone)), ("music back", .music(.back)),
      ("music fails", .music(.fails)), ("music works", .music(.works)),
      ("console blocked", .consoleBlocked(true)), ("console free", .consoleBlocked(false)),
      ("clock 17:30", .clock(TimeOfDay(hour: 17, minute: 30), second: 0)),
      ("clock unset", .clock(nil, second: 0)),
      (
        "clock 2026-12-24 17:30",
        .clock(TimeOfDay(hour: 17, minute: 30), second: 0, day: CalendarDay(year: 2026, month: 12, day: 24))
      ),
      ("clock 00:00:00", .clock(TimeOfDay(hour: 0, minute: 0), second: 0)),
      ("clock 23:59:59", .clock(TimeOfDay(hour: 23, minute: 59), second: 59)),
      ("clock 07:05:09", .clock(TimeOfDay(hour: 7, minute: 5), second: 9)),
    ] as [(String, Scenario.Action)])
  func verbs(text: String, expected: Scenario.Action) throws {
    #expect(try action(text) == expected)
  }

  @Test(
    "everything that expect knows",
    arguments: [
      ("state paused", [.state(.paused)]), ("hold route-lost", [.hold(.routeLost)]), ("hold none", [.hold(nil)]),
      ("hold output-unavailable", [.hold(.outputUnavailable)]), ("hold interruption", [.hold(.interruption)]),
      ("state recording", [.state(.recording)]), ("duck on", [.duck(true)]),
      ("amplifier open", [.amplifier(isMuted: false)]),
      ("amplifier muted", [.amplifier(isMuted: true)]), ("duck off", [.duck(false)]),
      ("route dock", [.route(.lineOut)]),
      ("route none", [.route(nil)]), ("volume 0", [.volume(0)]), ("volume 100", [.volume(100)]),
      ("track 3", [.track(3)]), ("prompt on", [.prompt(true)]), ("prompt off", [.prompt(false)]),
      ("lamp blink", [.lamp(.blink)]), ("silence speaker", [.silence(.speaker)]), ("sound dock", [.sound(.lineOut)]),
      ("event boot", [.event(.boot, [])]),
      (
        "reply track=\"a b\" starts=1 duck on",
        [.reply([Event.Field(key: "track", value: "a b"), Event.Field(key: "starts", value: "1")]), .duck(true)]
      ),
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
    ] as [(String, [Simulator.Expectation])])
  func expectations(text: String, expected: [Simulator.Expectation]) throws {
    #expect(try action("expect \(text)") == .expect(expected))
  }

  @Test("a scenario with everything in the language is accepted")
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
      at 17s    line JACK_SENSE 1              # raw level
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

  @Test("a comment begins where a word could, not within one")
  func hash() throws {
    #expect(try action("choose track a#b.mp3 # now") == .console("track a#b.mp3"))
    #expect(
      try action("expect reply file=a#zzz.mp3") == .expect([.reply([Event.Field(key: "file", value: "a#zzz.mp3")])]))
  }
}
