import Board
import Files
import Glibc
import Simulator
import Storage
import TrackDecoding

struct SimulateCommand: Command {
  static let help = CommandHelp(
    name: "simulate",
    summary: "Play a scenario on a simulated board, in virtual time.",
    text: """
      A scenario is a text file with one step a line: when, and what. It is played by
      the same program as on a real board, as fast as the machine can, up to its last
      step; the same input gives the same log and the same sound, byte for byte. The
      event log goes to standard output.

        at 0s     plug dock                  # state at power on
        at 1s     press play                 # `press volume-up for 800ms` holds it
        at 3s     plug headphones bounce 20ms
        at 6s     unplug headphones
        after 5ms expect silence headphones  # 5 ms after the step above
        at 7s     expect state paused prompt on
        at 8s     end                        # a press before it counts after 30 ms

      Steps:
        plug PORT [bounce TIME], unplug PORT [bounce TIME], press BUTTON [for TIME]
        turn KNOB N|-N [in TIME] [bounce TIME]  # by detents, 50 ms each
        coin LINE PULSES                     # of 50 ms each
        type TEXT [on READER] [unended]      # a keypad, and Enter
        lay TOKEN [on READER]                # a card, until another or
        lift [from READER]
        line NAME 0|1, choose track|playlist NAME, seek [+|-]TIME, route PORT|auto
        console "COMMAND"
        interrupt begin NAME, interrupt end NAME [resume], cue NAME
        headset ADDRESS pairing|on|off|asks  # a Bluetooth headset; a stranger
        microphone FILE|fail|restore         # a WAV beside the scenario
        output fail|restore|underrun, output rate N, storage full|read-only|restore
        output card PORT usual|steps|shallow|faulty|queued|headset
        output opening PORT TIME, output stall|recover PORT   # of a headset's link
        output volume PORT N|none            # 0 to 127, turned at a headset
        music add|remove TRACK, music gone|back|fails|works
        console blocked|free, power cut|on|sleep|wake, clock [DATE] HH:MM[:SS]|unset
        expect, end
      A `power` step without an effect, and a press that cannot count before the end,
      are bad input; any other step without an effect is noted with its line. A
      command that the firmware refuses is a failure, unless it ends in `refused`, as
      in `console "volume loud" refused`, or the next `expect` names console.command,
      cue.failed or session.refused.
      Expect: state, hold, route, volume, track, playlist NAME|none, duck on|off,
      prompt on|off, lamp, signal NAME off|PATTERN, amplifier muted|open,
      silence PORT, sound PORT,
      event NAME [KEY=VALUE...], reply KEY=VALUE...; several may stand in one line.
      The error for a wrong word lists the right ones.

      Exit status: 0 every `expect` held and every command was obeyed, 1 one was not
      (reported as FILE:LINE with what was found), 2 bad input.
      """,
    arguments: [CommandHelp.Parameter(name: "scenario", expected: "a scenario file", help: "The scenario file.")],
    options: KioskOptions.help(board: "sim") + [
      CommandHelp.Parameter(
        name: "audio", value: "folder", expected: "a folder",
        help: """
          Write what each port played as a WAV into this
          folder, as long as the scenario: what was audible at
          any moment stands at that moment in the file.
          Recordings go into its folder `recordings` and
          replace those of the simulation before; without this
          option none is kept, as the `recordings` of the
          settings are the kiosk's.
          """),
      CommandHelp.Parameter(
        name: "log", value: "file", expected: "a file", help: "Write the event log into this file instead."),
    ], section: KioskOptions.boards)

  private let path: String
  private let options: KioskOptions
  private let audio: String?
  private let log: String?

  init(_ arguments: Arguments) {
    path = arguments.positional(0)
    options = KioskOptions(arguments)
    audio = arguments.option("audio")
    log = arguments.option("log")
  }

  func run() throws(CommandError) -> ExitStatus {
    let kiosk = try KioskConfiguration(options, defaultBoard: "sim")
    for notice in kiosk.missingNotices { Terminal.printError("jackdaw: \(notice)") }
    let scenario = try CommandError.about { () throws(FileError) in
      try ScenarioParser.read(path, board: kiosk.board)
    }
    var recordings = kiosk.settings.recording
    // Those of the settings are the kiosk's: a scenario's clock would have them removed, and a marker there may be that of
    // a firmware that records just now.
    recordings.folder = audio.map { FileAccess.join($0, "recordings") }
    if let audio {
      try makeFolder(audio, for: scenario, rate: kiosk.board.rate)
      let state = StatePlace.path(kiosk.settings.state, for: R_OK)
      try checkRecordings(
        recordings.folder, kiosk.settings.recording.folder ?? state.map { FileAccess.join($0, "recordings") })
    }
    let file = try log.map { path throws(CommandError) in try LogFile(path: path) }
    let simulation = try CommandError.about { () throws(FileError) in
      try Simulation(
        scenario: scenario, board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients,
        cues: kiosk.cues, library: kiosk.library,
        opener: TrackCache(over: FileTrackOpener(replayGain: kiosk.settings.replayGain)),
        audio: audio, recordings: recordings,
        onLine: { line in if let file { file.write(line) } else { Terminal.printLine(line) } },
        onReply: { text in Terminal.printLine(text) })
    }
    if let folder = recordings.folder { clearRecordings(folder) }
    let outcome = try CommandError.about { () throws(FileError) in try simulation.run() }
    try file?.finish()
    report(outcome)
    return outcome.failures.isEmpty ? .good : .problem
  }

  /// Removes the recordings of an earlier simulation, which would change the names of the new ones.
  private func clearRecordings(_ folder: String) {
    for name in FileAccess.names(in: folder)
    where RecordingFolder.isOurs(name) || name.hasPrefix(RecordingSettings.marker) {
      unlink(FileAccess.join(folder, name))
    }
  }

  /// Throws where the folder of this simulation's recordings is that of the kiosk's, by whatever path.
  private func checkRecordings(_ folder: String?, _ kept: String?) throws(CommandError) {
    guard let folder, let kept else { return }
    var (own, other) = (stat(), stat())
    guard stat(folder, &own) == 0, stat(kept, &other) == 0, (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino)
    else { return }
    throw CommandError("jackdaw: \(folder): a kiosk keeps its recordings there, expected a folder for --audio alone")
  }

  private func makeFolder(_ folder: String, for scenario: Scenario, rate: Int) throws(CommandError) {
    if let last = scenario.steps.last, last.at.frame(rate: rate) > WAVHeader.mostFrames {
      let most = Duration.covering(frames: WAVHeader.mostFrames, rate: rate).clock
      let place = FileError(file: path, line: last.line, message: "")
      throw CommandError("jackdaw: \(place)\(last.at.logStamp) s is too long for --audio, expected \(most) at most")
    }
    if mkdir(folder, 0o755) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, stat(folder, &status) == 0 else {
      let reason = code == ENOENT || code == ENOTDIR ? "no such folder above it" : String(cString: strerror(code))
      throw CommandError("jackdaw: \(folder): cannot be made: \(reason)")
    }
    if status.st_mode & S_IFMT != S_IFDIR { throw CommandError("jackdaw: \(folder): is a file, expected a folder") }
    if access(FileAccess.join(folder, "state.toml"), F_OK) == 0 {
      throw CommandError("jackdaw: \(folder): a kiosk keeps its state there, expected a folder for --audio alone")
    }
  }

  private func report(_ outcome: Simulation.Outcome) {
    for note in outcome.notes { Terminal.printError(note) }
    for failure in outcome.failures { Terminal.printError(failure) }
    let held = outcome.expectations - outcome.failures.count
    let heard = outcome.heard.map { "\($0.port.rawValue) \($0.time.tenths) s" }.joined(separator: ", ")
    Terminal.printError(
      "\(path): \(held) of \(outcome.expectations) expectations held in \(outcome.end.logStamp) s; heard: \(heard)")
  }
}

/// The file of `--log`.
final class LogFile {
  private let file: UnsafeMutablePointer<FILE>
  private let path: String

  init(path: String) throws(CommandError) {
    guard let file = fopen(path, "w") else {
      throw CommandError("jackdaw: \(FileAccess.writeFailure(path, errno))")
    }
    self.file = file
    self.path = path
  }

  deinit { fclose(file) }

  func write(_ line: String) {
    fputs(line, file)
    fputc(10, file)
  }

  func finish() throws(CommandError) {
    guard fflush(file) == 0, ferror(file) == 0 else {
      throw CommandError("jackdaw: \(FileAccess.writeFailure(path, errno))")
    }
  }
}
