import Files
import Jukebox
import TestSupport
import Testing

@testable import BoardFiles
@testable import KioskTestSupport
@testable import Simulator

/// Mistakes in scenarios, and the errors that report them.
@Suite struct ScenarioFaultTests {
  private func parse(_ text: String) throws(FileError) -> Scenario {
    try ScenarioParser.parse(text, file: "s.txt", board: testBoard())
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
        "s.txt:1: the line ends, expected a step: plug, unplug, press, turn, coin, type, lay, lift, line, choose, seek, "
          + "interrupt, cue, headset, microphone, output, storage, music, route, console, power, clock, expect or end"
      ),
      (
        "at 1s plum headphones",
        "s.txt:1: unknown step \"plum\", expected plug, unplug, press, turn, coin, type, lay, lift, line, choose, seek, "
          + "interrupt, cue, headset, microphone, output, storage, music, route, console, power, clock, expect or end"
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
      ("at 1s lay 04A2B1C3", "s.txt:1: lay, expected a board with a reader of kind \"presence\""),
      ("at 1s lift", "s.txt:1: lift, expected a board with a reader of kind \"presence\""),
      ("at 1s plug usb", "s.txt:1: port \"usb\", expected headphones, line-out, speaker or dock"),
      (
        "at 1s unplug speaker",
        "s.txt:1: speaker is always connected on this board, expected a port with a sense line"
      ),
      ("at 1s plug", "s.txt:1: the line ends, expected port: headphones, line-out, speaker or dock"),
      ("at 1s plug dock bounce", "s.txt:1: the line ends, expected a time such as 1.5s or 250ms"),
      ("at 1s plug dock bounce 1h", "s.txt:1: bounce \"1h\", expected 10s at most"),
      ("at 1s unplug dock bounce 10001ms", "s.txt:1: bounce \"10001ms\", expected 10s at most"),
      ("at 1s plug dock chatter", "s.txt:1: \"chatter\", expected the end of the line"),
      (
        "at 1s press pause",
        "s.txt:1: button \"pause\", expected play, stop, volume-up, volume-down, next, previous, record or cue"
      ),
      ("at 1s headset 00:1A on", "s.txt:1: headset \"00:1A\", expected a Bluetooth address such as 00:1A:7D:DA:71:13"),
      ("at 1s headset 00:1A:7D:DA:71:13 near", "s.txt:1: headset \"near\", expected pairing, on, off or asks"),
      ("at 1s line BTN_PLAY 2", "s.txt:1: level \"2\", expected 0 or 1"),
      (
        "at 1s output break",
        "s.txt:1: output \"break\", expected fail, restore, underrun, rate, card, opening, stall, recover or volume"
      ),
      (
        "at 1s output card headphones good",
        "s.txt:1: card \"good\", expected usual, steps, shallow, faulty, queued or headset"
      ),
      (
        "at 1s output card dock",
        "s.txt:1: the line ends, expected card: usual, steps, shallow, faulty, queued or headset"
      ),
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
    "a line that is not an input is refused with a list of the inputs",
    arguments: [
      ("line LED_STATUS 1", "line LED_STATUS is an output, expected "),
      ("line AMP_MUTE 0", "line AMP_MUTE is an output, expected "),
      ("line HORN 1", "line \"HORN\", expected "),
      ("line", "the line ends, expected line: "),
    ])
  func badInputs(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("at 1s \(text)") } == "s.txt:1: \(error)\(Self.inputs)")
  }

  @Test(
    "a bad expectation is named",
    arguments: [
      (
        "",
        "the line ends, expected state, hold, route, volume, track, playlist, duck, "
          + "prompt, lamp, signal, amplifier, silence, sound, event or reply"
      ),
      (
        "mood good",
        "unknown expectation \"mood\", expected state, hold, route, volume, track, playlist, duck, "
          + "prompt, lamp, signal, amplifier, silence, sound, event or reply"
      ),
      ("state sleeping", "state \"sleeping\", expected stopped, playing, paused or recording"),
      (
        "hold me",
        "hold \"me\", expected route-lost, interruption, output-unavailable, storage-unavailable, "
          + "no-suitable-route, closed or none"
      ),
      ("volume 101", "volume \"101\", expected a whole number from 0 to 100"),
      ("volume loud", "volume \"loud\", expected a whole number from 0 to 100"),
      ("track 0", "track \"0\", expected a whole number from 1 to 1000000"),
      ("duck", "the line ends, expected duck: on or off"), ("duck 12", "duck \"12\", expected on or off"),
      ("prompt maybe", "prompt \"maybe\", expected on or off"),
      ("lamp red", "lamp \"red\", expected off, on, blink, flash, flicker, wink, double-flash or triple-flash"),
      ("silence auto", "port \"auto\", expected headphones, line-out, speaker or dock"),
      ("reply", "reply, expected KEY=VALUE of one of its lines"),
      ("reply heard", "reply, expected KEY=VALUE of one of its lines"),
      ("event track.endet", "unknown event \"track.endet\", did you mean track.ended?"),
      (
        "event boot =5",
        "unknown expectation \"=5\", expected state, hold, route, volume, track, playlist, duck, "
          + "prompt, lamp, signal, amplifier, silence, sound, event or reply"
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
      ("microphone", "the line ends, expected a WAV file, or fail or restore"),
      ("microphone \"\"", "microphone \"\", expected a WAV file, or fail or restore"),
      ("microphone a.wav b.wav", "\"b.wav\", expected the end of the line"),
      ("storage", "the line ends, expected storage: full, read-only or restore"),
      ("music", "the line ends, expected music: add, remove, gone, back, fails or works"),
      ("music lost", "music \"lost\", expected add, remove, gone, back, fails or works"),
      ("music remove", "the line ends, expected a track's number or name"),
      ("storage broken", "storage \"broken\", expected full, read-only or restore"),
      ("clock", "the line ends, expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"),
      (
        "clock noon",
        "clock \"noon\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      (
        "clock 24:00",
        "clock \"24:00\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      (
        "clock 12:60",
        "clock \"12:60\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      (
        "clock 12:00:60",
        "clock \"12:00:60\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      (
        "clock 7:30",
        "clock \"7:30\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      ("clock 17", "clock \"17\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"),
      (
        "clock 17:30:",
        "clock \"17:30:\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      (
        "clock 1:2:3:4",
        "clock \"1:2:3:4\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
      ("clock unset 12:00", "\"12:00\", expected the end of the line"),
      (
        "clock +1:30",
        "clock \"+1:30\", expected a time of day such as 17:30 or 17:30:05, behind a date or alone, or unset"
      ),
    ])
  func badSurroundings(text: String, error: String) {
    #expect(errorText { () throws(FileError) in try parse("\nat 1s \(text)") } == "s.txt:2: \(error)")
  }

  @Test("the contacts of a knob bounce for a moment at most")
  func bouncingKnob() {
    let (a, b) = (KnobDescription.Contact(name: "5"), KnobDescription.Contact(name: "6"))
    let source = KnobDescription.Source.contacts(a: a, b: b, activeLow: true, bias: .pullUp)
    let board = testBoard { $0.knobs = [KnobDescription(knob: Knob(name: "VOLUME"), source: source)] }
    func text(_ bounce: String) -> String? {
      errorText { () throws(FileError) in
        try ScenarioParser.parse("at 1s turn VOLUME 1000 bounce \(bounce)", file: "s.txt", board: board)
      }
    }
    #expect(text("101ms") == "s.txt:1: bounce \"101ms\", expected 100ms at most")
    #expect(text("100ms") == "no error")
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

  @Test("a file that is missing or not text is reported as such")
  func files() {
    #expect(
      errorText { () throws(FileError) in try ScenarioParser.read("/nowhere/s.txt", board: testBoard()) }
        == "/nowhere/s.txt: no such file")
  }

  @Test(
    "a file that is not UTF-8 is reported with the line",
    arguments: [
      ("\u{E9}\n", 1), ("at 0s end\n\u{E9}", 2), ("# a\r\n# b\r\n# \u{E9}\r\n# c", 3), ("# a\r# \u{E9}\r# c", 2),
      ("\n\n\n\u{E9}\n\u{E9}", 4), ("\n\r\u{E9}", 3),
    ])
  func latin1(text: String, line: Int) throws {
    let file = try TemporaryFile()
    file.write(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    #expect(
      errorText { () throws(FileError) in try ScenarioParser.read(file.path, board: testBoard()) }
        == "\(file.path):\(line): is not UTF-8 text")
  }
}
