import ALSADevices
import AudioSession
import Board
import BoardFiles
import DecoderProcess
import Files
import Firmware
import Glibc
import Jukebox
import SerialConsole
import Simulator
import TrackDecoding

struct RunCommand: Command {
  static let help = CommandHelp(
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
    options: KioskOptions.help + [
      CommandHelp.Parameter(
        name: "output", value: "pcm", expected: "an ALSA PCM or file:PATH",
        help: """
          Where all ports play: an ALSA PCM, or file:PATH for
          a WAV written at the pace of real time. Without it:
          each port's PCM in the board file.
          """)
    ])

  private let options: KioskOptions
  private let output: String?

  init(_ arguments: Arguments) {
    options = KioskOptions(arguments)
    output = arguments.option("output")
  }

  func run() throws(CommandError) -> ExitStatus {
    var kiosk = try KioskConfiguration(options, defaultBoard: "auto")
    // The code that read the files is not needed again, so its memory can be released.
    RealTime.releaseCode()
    let clock = MonotonicClock(startsNow: kiosk.board.isSimulated)
    let sound = try Sound.choose(output, kiosk.board, clock: clock)
    kiosk.board.rate = sound.rate
    let (lines, boardOperator) = try surroundings(kiosk, sound, clock)
    for notice in [kiosk.reason, sound.notice].compactMap({ $0 }) { boardOperator.note("jackdaw: \(notice)") }
    let state = StatePlace.folder(kiosk.settings.state)
    var recordings = kiosk.settings.recording
    recordings.folder = recordings.folder ?? state.map { "\($0)/recordings" }
    let notices = Notices()
    let firmware = Firmware(
      Firmware.Parts(
        board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients, cues: kiosk.cues,
        library: kiosk.library, clock: clock, lines: lines, devices: sound.devices,
        tracks: opener(kiosk, notices), clips: opener(kiosk, notices),
        outputs: sound.names, statePath: state.map { "\($0)/state.toml" }, boardOperator: boardOperator,
        recordings: recordings,
        inputs: Microphone.choose(kiosk.board, clock: clock), mixers: output == nil ? ALSAMixerOpener() : nil,
        supervisor: Supervisor.ofProcess(), jail: SystemGrant(refusals: DecodeWorker.whyNoJail().map { [$0] } ?? []),
        notices: notices))
    do throws(LineError) {
      try firmware.run()
    } catch {
      boardOperator.end()
      Terminal.printError("jackdaw: \(error)")
      return .problem
    }
    boardOperator.end()
    try sound.finish(at: clock.now)
    return .good
  }

  /// Has a process of its own decode; what ends that process is told to the operator.
  private func opener(_ kiosk: KioskConfiguration, _ notices: Notices) -> ProcessTrackOpener {
    ProcessTrackOpener(replayGain: kiosk.settings.replayGain) { fault in
      notices.post("\(Wording.oneLine(RawName.shown(fault.path))): \(fault.reason)")
    }
  }

  /// Opens the board's lines and the operators that watch and control it.
  private func surroundings(
    _ kiosk: KioskConfiguration, _ sound: Sound, _ clock: any BoardClock
  ) throws(CommandError) -> (lines: any LineSet, boardOperator: any Operator) {
    let lines: any LineSet
    var boardOperator: any Operator
    if kiosk.board.isSimulated {
      let virtual = VirtualLines(board: kiosk.board, clock: clock)
      lines = virtual
      boardOperator = try RunCommand.boardOperator(Keys(board: kiosk.board, lines: virtual), kiosk.board, sound, clock)
    } else {
      do throws(LineError) {
        lines = try RealLines.open(kiosk.board)
      } catch {
        throw CommandError("jackdaw: \(kiosk.boardPath): \(error)", status: .problem)
      }
      boardOperator = LogPrinter(keys: nil)
    }
    if let console = kiosk.board.console {
      boardOperator = SerialOperator(console, beside: boardOperator, clock: clock)
    }
    return (lines, RunCommand.addControlSocket(beside: boardOperator, clock))
  }

  /// Adds the control socket. Where it cannot be opened, the firmware plays without it.
  private static func addControlSocket(beside boardOperator: any Operator, _ clock: any BoardClock) -> any Operator {
    guard let path = ControlPlace.paths.first else { return boardOperator }
    mkdir(FileAccess.folder(of: path), 0o750)
    do throws(ControlSocketError) {
      return SocketOperator(try ControlSocket.open(path: path), beside: boardOperator, clock: clock)
    } catch {
      boardOperator.note("jackdaw: no control socket: \(error)")
      return boardOperator
    }
  }

  private static func boardOperator(
    _ keys: Keys, _ board: BoardDescription, _ sound: Sound, _ clock: any BoardClock
  ) throws(CommandError) -> any Operator {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return LogPrinter(keys: keys) }
    return try PanelOperator(keys: keys, board: board, output: sound.description)
  }
}
