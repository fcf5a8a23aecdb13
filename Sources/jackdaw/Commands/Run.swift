import ALSADevices
import AudioSession
import Board
import BoardFiles
import Files
import Firmware
import Glibc
import Jukebox
import SerialConsole
import Simulator
import TrackDecoding

struct Run: Command {
  static let manual = Manual(
    name: "run",
    summary: "Play music: the firmware, on a real board or a simulated one.",
    text: """
      On a simulated board with a terminal, a front panel shows what happens; its
      keys are the buttons, the headphone jack, the dock and the contacts. Without a
      terminal the same keys are read from standard input, half a second apart, and
      the event log is printed.

      Keys:
        p, space     Play or pause         h   headphones in or out
        P            hold Play             d   dock in or out
        s            Stop                  +   louder
        n, b         next, previous        -   softer
        r            Record                g   page contact closed or open
        c            Cue                   m   mute contact closed or open
        l            draw again            ?   help
        q, Ctrl-C    quit

      q, SIGINT (Ctrl-C) and SIGTERM end it cleanly: the music fades out and the
      state is saved. The end of standard input does not end it.

      Exit status: 0 ended as asked, 1 the lines of the board cannot be used, 2 bad
      input.
      """,
    options: KioskOptions.manual + [
      Manual.Word(
        name: "output", value: "pcm", expected: "an ALSA PCM or file:PATH",
        help: """
          Where all ports play: an ALSA PCM, or file:PATH for
          a WAV written at the pace of real time. Without it:
          each port's PCM in the board file.
          """)
    ])

  private let options: KioskOptions
  private let output: String?

  init(_ words: Words) {
    options = KioskOptions(words)
    output = words.option("output")
  }

  func run() throws(Complaint) -> Verdict {
    var kiosk = try Kiosk(options, defaultBoard: "auto")
    // Nothing of what has read the files is needed again, and what comes now has room.
    RealTime.releaseCode()
    let clock = MonotonicClock(startsNow: kiosk.board.isSimulated)
    let sound = try Sound.choose(output, kiosk.board, clock: clock)
    kiosk.board.rate = sound.rate
    let (lines, person) = try surroundings(kiosk, sound, clock)
    for notice in [kiosk.reason, sound.notice].compactMap({ $0 }) { person.note("jackdaw: \(notice)") }
    let state = StatePlace.folder(kiosk.settings.state)
    var recordings = kiosk.settings.recording
    recordings.folder = recordings.folder ?? state.map { "\($0)/recordings" }
    let firmware = Firmware(
      Firmware.Parts(
        board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients, cues: kiosk.cues,
        library: kiosk.library, clock: clock, lines: lines, devices: sound.devices,
        tracks: FileTrackOpener(replayGain: kiosk.settings.replayGain),
        outputs: sound.names, statePath: state.map { "\($0)/state.toml" }, person: person, recordings: recordings,
        inputs: Microphone.choose(kiosk.board, clock: clock), mixers: output == nil ? ALSAMixerOpener() : nil,
        supervisor: Supervisor.ofProcess()))
    do throws(LineError) {
      try firmware.run()
    } catch {
      person.end()
      Console.complain("jackdaw: \(error)")
      return .problem
    }
    person.end()
    try sound.finish(at: clock.now)
    return .good
  }

  /// The board's lines, and who sits at them.
  private func surroundings(
    _ kiosk: Kiosk, _ sound: Sound, _ clock: any BoardClock
  ) throws(Complaint) -> (lines: any LineSet, person: any Operator) {
    let lines: any LineSet
    var person: any Operator
    if kiosk.board.isSimulated {
      let virtual = VirtualLines(board: kiosk.board, clock: clock)
      lines = virtual
      person = try Run.person(Keys(board: kiosk.board, lines: virtual), kiosk.board, sound, clock)
    } else {
      do throws(LineError) {
        lines = try RealLines.open(kiosk.board)
      } catch {
        throw Complaint("jackdaw: \(kiosk.boardPath): \(error)", status: 1)
      }
      person = LogPrinter(keys: nil)
    }
    if let console = kiosk.board.console { person = SerialOperator(console, beside: person, clock: clock) }
    return (lines, Run.listen(beside: person, clock))
  }

  /// A firmware that nobody can give commands to plays all the same.
  private static func listen(beside person: any Operator, _ clock: any BoardClock) -> any Operator {
    guard let path = ControlPlace.paths.first else { return person }
    mkdir(FileAccess.folder(of: path), 0o750)
    do throws(ControlSocketError) {
      return SocketOperator(try ControlSocket.open(path: path), beside: person, clock: clock)
    } catch {
      person.note("jackdaw: no control socket: \(error)")
      return person
    }
  }

  private static func person(
    _ keys: Keys, _ board: BoardDescription, _ sound: Sound, _ clock: any BoardClock
  ) throws(Complaint) -> any Operator {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return LogPrinter(keys: keys) }
    return try FrontPanel(keys: keys, board: board, output: sound.description)
  }
}
