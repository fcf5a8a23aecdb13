import ALSADevices
import AudioSession
import BluetoothPorts
import Board
import BoardFiles
import DecoderProcess
import Files
import Firmware
import Glibc
import Jukebox
import SerialConsole
import Simulator
import Storage
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
        0-9, Enter   play that track       ?   help
        , .          10 s back, on         l   draw again
        [ ]          previous, next playlist
        $            a coin of one pulse
        q, Ctrl-C    quit

      q, SIGINT (Ctrl-C) and SIGTERM end it cleanly: the music fades out and the
      state is saved. The end of standard input does not end it. SIGHUP makes it list
      the music again, as `jackdaw ctl reload` does; in a terminal SIGHUP ends it.

      Exit status: 0 ended as asked, 1 the lines of the board cannot be used or
      another firmware has the state folder or the control socket, 2 bad input.
      """,
    options: KioskOptions.help(board: "auto") + [
      CommandHelp.Parameter(
        name: "output", value: "pcm", expected: "an ALSA PCM or file:PATH",
        help: """
          Where all ports play: an ALSA PCM, or file:PATH for
          a WAV written at the pace of real time. Without it:
          each port's PCM in the board file.
          """)
    ], section: KioskOptions.boards)

  private let options: KioskOptions
  private let output: String?

  init(_ arguments: Arguments) {
    options = KioskOptions(arguments)
    output = arguments.option("output")
  }

  func run() throws(CommandError) -> ExitStatus {
    RealTime.keepMemorySmall()
    let notices = Notices()
    var kiosk = try KioskConfiguration(options, defaultBoard: "auto", keepsState: true, notices: notices)
    // The code that read the files is not needed again, so its memory can be released.
    RealTime.releaseCode()
    let state = kiosk.state
    defer { withExtendedLifetime(kiosk.lock) {} }
    let control = try RunCommand.openControlSocket()
    let quarantine = kiosk.kept?.quarantine
    let tracks = opener(kiosk, quarantine, notices)
    // It gets ready to decode while the rest gets ready to play.
    if kiosk.settings.settings.playOnBoot, let first = kiosk.library.first { tracks.startAhead(for: first.path) }
    // If the machine's time since power on is not that of the board, the time that it took to come here counts, too.
    let clock = kiosk.board.isSimulated ? .sinceProcessStart() : MonotonicClock(startsNow: false)
    let sound = try Sound.choose(output, kiosk.board, clock: clock)
    kiosk.board.rate = sound.rate
    let (microphone, jail) = (Microphone.choose(kiosk.board, clock: clock), DecodeWorker.whyNoJail())
    let facts = BoardFacts.json(kiosk)
    // Now the terminal gets its other mode, which a signal must not leave behind: the firmware ends it in good order.
    ProcessSignals.block()
    var (lines, boardOperator) = try surroundings(kiosk, sound, clock)
    if let socket = control.socket {
      boardOperator = SocketOperator(socket, board: facts, beside: boardOperator, clock: clock)
    }
    let remarks = [kiosk.reason, sound.notice, control.notice].compactMap { $0 }
    let ofMusic = kiosk.missingNotices + LibraryListing.unplayed(kiosk.skipped)
    for notice in remarks + kiosk.remarks + LeftOut.notices(quarantine) + ofMusic {
      boardOperator.note("jackdaw: \(notice)")
    }
    var recordings = kiosk.settings.recording
    recordings.folder = recordings.folder ?? state.map { "\($0)/recordings" }
    var parts = Firmware.Parts(
      board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients, cues: kiosk.cues,
      library: kiosk.library, clock: clock, lines: lines, devices: sound.devices,
      tracks: tracks, cueFiles: opener(kiosk, quarantine, notices),
      outputs: sound.names, statePath: state.map { "\($0)/state.toml" }, boardOperator: boardOperator,
      quarantine: quarantine, recordings: recordings,
      inputs: microphone, mixers: output == nil ? ALSAMixerOpener() : nil,
      wallClock: kiosk.settings.wallClock, supervisor: Supervisor.ofProcess(),
      jail: SystemGrant(refusals: jail.map { [$0] } ?? []),
      notices: notices)
    (parts.database, parts.counted) = (kiosk.kept?.database, kiosk.kept?.counted)
    (parts.ledger, parts.cueFaults) = (kiosk.kept?.ledger, kiosk.cueFaults)
    (parts.missing, parts.isMusicKept, parts.music) = (kiosk.missing, kiosk.isMusicKept, kiosk.watched)
    parts.origin = PowerOn.Origin(
      board: kiosk.board.name, boardFile: kiosk.boardPath, settingsFile: options.settings)
    if !kiosk.board.headsetRequests().isEmpty {
      parts.headsets =
        kiosk.board.isSimulated ? SimulatedHeadsets(ready: BluetoothAddress("00:1A:7D:DA:71:13")) : BluetoothPairing()
    }
    let firmware = Firmware(parts)
    // It alone has the music from here on, so that the memory is free when another list takes the place of this one.
    (kiosk.library, parts.library) = ([], [])
    let status = Self.run(firmware, boardOperator)
    try sound.finish(at: clock.now)
    return status
  }

  private static func run(_ firmware: Firmware, _ boardOperator: any Operator) -> ExitStatus {
    do throws(LineError) {
      try firmware.run()
    } catch {
      boardOperator.end()
      Terminal.printError("jackdaw: \(error)")
      return .problem
    }
    boardOperator.end()
    return .good
  }

  /// Has a process of its own decode. What ends that process is passed on to the operator and, if a file did it, to the
  /// quarantine, which may refuse the file from then on.
  private func opener(
    _ kiosk: KioskConfiguration, _ quarantine: QuarantineStore?, _ notices: Notices
  ) -> ProcessTrackOpener {
    ProcessTrackOpener(
      replayGain: kiosk.settings.replayGain,
      openFile: { path throws(TrackError) in
        guard let quarantine else { return try OpenFile(path: path) }
        return try quarantine.admit(path) { use throws(TrackError) in try OpenFile(path: path, keeping: use) }
      },
      onFault: { fault in
        notices.post("\(Wording.oneLine(RawName.shown(fault.path))): \(fault.reason)")
        if fault.isOfFile { quarantine?.report(fault.path, reason: fault.reason) }
      },
      onEnd: { quarantine?.reportEnd(of: $0) })
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
    return (lines, boardOperator)
  }

  /// Opens the control socket. If there can be none, the firmware plays without it and says so; where another firmware
  /// has it, this throws.
  private static func openControlSocket() throws(CommandError) -> (socket: ControlSocket?, notice: String?) {
    guard let path = ControlPlace.paths.first else { return (nil, nil) }
    mkdir(FileAccess.folder(of: path), 0o750)
    do throws(ControlSocketError) {
      return (try ControlSocket.open(path: path), nil)
    } catch {
      if error.isTaken { throw CommandError("jackdaw: \(error)", status: .problem) }
      return (nil, "no control socket: \(error)")
    }
  }

  private static func boardOperator(
    _ keys: Keys, _ board: BoardDescription, _ sound: Sound, _ clock: any BoardClock
  ) throws(CommandError) -> any Operator {
    guard isatty(STDIN_FILENO) == 1, Terminal.canDraw else { return LogPrinter(keys: keys) }
    return try PanelOperator(keys: keys, board: board, output: sound.description)
  }
}
