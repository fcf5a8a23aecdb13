import ArgumentParser
import Board
import Glibc
import JukeboxRuntime
import SimulatedBoard
import TrackDecoding

struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a scenario on a simulated board, in virtual time.",
    discussion: """
      The same brain and the same audio engine as on a board, as fast as the machine can; the same input gives the \
      same log and the same sound, byte for byte. The event log goes to standard output.

      Exit status: 0 every `expect` held, 1 one did not (told as FILE:LINE with what was found), 2 bad input.
      """)

  @Argument(help: ArgumentHelp("The scenario file; its language is in the README.", valueName: "scenario"))
  var scenario: String

  @OptionGroup var kiosk: KioskOptions

  @Option(
    help: ArgumentHelp(
      "Write one WAV a port into this folder.", discussion: "Sample n is what was audible at n / rate.",
      valueName: "folder"))
  var audio: String?

  @Option(help: ArgumentHelp("Write the event log into this file instead.", valueName: "file"))
  var log: String?

  func run() throws {
    let kiosk = try Kiosk(kiosk, defaultBoard: "sim")
    let story = try Complaint.about { () throws(FileError) in
      try ScenarioParser.read(scenario, board: kiosk.board)
    }
    if let audio, mkdir(audio, 0o755) != 0, errno != EEXIST {
      throw Complaint("jackdaw: \(audio): cannot be made: \(String(cString: strerror(errno)))")
    }
    let file = try log.map { path throws(Complaint) in try LogFile(path: path) }
    let simulation = try Complaint.about { () throws(FileError) in
      try Simulation(
        scenario: story, board: kiosk.board, settings: kiosk.settings.settings, library: kiosk.library,
        opener: MPEGTrackOpener(), audio: audio,
        onLine: { line in if let file { file.write(line) } else { Console.say(line) } },
        onReply: { text in Console.say(text) })
    }
    let outcome = try Complaint.about { () throws(FileError) in try simulation.run() }
    try file?.finish()
    report(outcome)
    if !outcome.failures.isEmpty { throw ExitCode(1) }
  }

  private func report(_ outcome: Simulation.Outcome) {
    for failure in outcome.failures { Console.complain(failure) }
    let held = outcome.expectations - outcome.failures.count
    let heard = outcome.heard.map { "\($0.port.rawValue) \($0.time.tenths) s" }.joined(separator: ", ")
    Console.complain(
      "\(scenario): \(held) of \(outcome.expectations) expectations held in \(outcome.end.logStamp) s; heard: \(heard)")
  }
}

/// The event log as a file.
final class LogFile {
  private let file: UnsafeMutablePointer<FILE>
  private let path: String

  init(path: String) throws(Complaint) {
    guard let file = fopen(path, "w") else {
      throw Complaint("jackdaw: \(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    self.file = file
    self.path = path
  }

  deinit { fclose(file) }

  func write(_ line: String) {
    fputs(line, file)
    fputc(10, file)
  }

  func finish() throws(Complaint) {
    guard fflush(file) == 0, ferror(file) == 0 else {
      throw Complaint("jackdaw: \(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
