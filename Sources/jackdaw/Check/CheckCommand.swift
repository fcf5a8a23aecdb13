import Firmware
import Glibc

struct CheckCommand: Command {
  static let help = CommandHelp(
    name: "check",
    summary: "Check line by line whether this machine can run a board.",
    text: """
      Looks for the board's chips and lines, opens each PCM, the console and the
      folders as `jackdaw run` would, asks for real-time priority and locked memory,
      and counts the music. What fails comes with advice; `none` stands before what
      is not here and may be missing, `warn` before what works and may not be meant.
      Nothing is played or changed, and no output line is driven. Run it as the user
      who is to run the firmware, while the firmware is not running.

      With --measure it plays a tone for half a minute instead, and prints what a
      cable from that output to an input shows of it: how long it takes from the edge
      of a plug that is pulled out to silence, to start and to stop, whether it takes
      back what is queued, how little may be queued, and what to write into the board
      file. The times include the input's own delay.

      Exit status: 0 nothing failed, 1 something did, 2 bad input.
      """,
    options: [
      KioskOptions.board(or: "auto"), KioskOptions.settings,
      CommandHelp.Parameter(
        name: "measure", value: "port=pcm", expected: "a port and a PCM",
        help: """
          Measure a port by a cable from it to this input,
          such as headphones=plughw:CARD=Device. AUDIBLE:
          unplug loudspeakers and headphones first.
          """),
    ], section: KioskOptions.boards)

  private let board: String
  private let measured: String?
  private let settings: String?

  init(_ arguments: Arguments) {
    board = arguments.option("board") ?? "auto"
    settings = arguments.option("settings")
    measured = arguments.option("measure")
  }

  func run() throws(CommandError) -> ExitStatus {
    let chosen = try ChosenBoard(board)
    var kiosk = try ChosenSettings(settings, for: chosen)
    if let measured {
      return CheckCommand.show(try LoopChecks(measured, board: kiosk.chosenBoard.board).findings)
    }
    kiosk.silent = SilentFolders().find(kiosk.music + [kiosk.cueFolder])
    var findings = [Finding.good("board", chosen.reason ?? "\(chosen.board.name), \(chosen.path)")]
    findings += FileChecks.findings(kiosk)
    let board = kiosk.chosenBoard.board
    findings += LineChecks(board: board).findings
    findings += SoundChecks(board: board).findings
    findings += SystemChecks.findings
    findings += ConsoleCheck.findings(board.console)
    findings += FolderChecks.findings(kiosk)
    findings += MusicChecks.findings(kiosk)
    findings += SignalChecks.findings(kiosk)
    findings += CoinChecks.findings(kiosk)
    findings += ReaderChecks.findings(kiosk)
    findings += HoursChecks.findings(kiosk.settings)
    findings += TimetableChecks.findings(kiosk.settings)
    findings += QuietChecks.findings(kiosk.settings)
    return CheckCommand.show(findings)
  }

  private static func show(_ findings: [Finding]) -> ExitStatus {
    Terminal.printLine(FindingList(findings: findings).text)
    return findings.contains { $0.grade == .bad } ? .problem : .good
  }
}

/// Whether the firmware may run in real time.
enum SystemChecks {
  static var findings: [Finding] { [priority, lock] }

  private static var priority: Finding {
    let subject = "real-time priority"
    guard let refusal = RealTime.whyNoPriority() else {
      return .good(subject, "SCHED_FIFO \(RealTime.priority) is allowed")
    }
    return .bad(
      subject, refusal, "in the service's unit: LimitRTPRIO=\(RealTime.priority)",
      "for this shell: sudo prlimit --rtprio=\(RealTime.priority) --pid $$")
  }

  private static var lock: Finding {
    let subject = "locked memory"
    guard let refusal = RealTime.whyNoLock() else { return .good(subject, "memory may be locked") }
    return .bad(
      subject, refusal, "in the service's unit: LimitMEMLOCK=infinity",
      "for this shell: sudo prlimit --memlock=unlimited --pid $$")
  }
}
