import ArgumentParser
import Board
import Glibc

@main
enum Main {
  static func main() {
    Console.prepare()
    do {
      try Usage.checkCommand(CommandLine.arguments.dropFirst())
      var command = try Jackdaw.parseAsRoot()
      try command.run()
    } catch {
      end(error)
    }
  }

  /// 0: help was asked for; 1: something was found; 2: bad usage or input, told in one line.
  private static func end(_ error: any Error) -> Never {
    if let verdict = error as? ExitCode { Jackdaw.exit(withError: verdict) }
    if let complaint = error as? Complaint { end(complaint.description, complaint.status) }
    guard Jackdaw.exitCode(for: error) == .success else { end(Usage.line(for: error), 2) }
    Console.say(Jackdaw.fullMessage(for: error))
    Jackdaw.exit()
  }

  private static func end(_ line: String, _ status: CInt) -> Never {
    Console.complain(line)
    Jackdaw.exit(withError: ExitCode(status))
  }
}

/// What is wrong with the words on the command line.
enum Usage {
  /// Commands whose time is still to come.
  private static let notBuilt = ["check", "lines", "ctl"]

  /// The parser would call an unknown command an unexpected argument, and `help` would say nothing at all.
  static func checkCommand(_ words: ArraySlice<String>) throws(Complaint) {
    guard let word = words.first == "help" ? words.dropFirst().first : words.first, !word.hasPrefix("-") else { return }
    let known = Jackdaw.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
    if known.contains(word) { return }
    if notBuilt.contains(word) { throw Complaint("jackdaw: command \(Wording.quoted(word)) is not built yet") }
    throw Complaint("jackdaw: unknown command \(Wording.quoted(word)), expected \(Wording.list(known))")
  }

  /// In one line, without the synopsis: that is what --help is for.
  static func line(for error: any Error) -> String {
    let hint = Jackdaw.fullMessage(for: error).split(separator: "\n").last.map(String.init) ?? ""
    let start = hint.firstIndex { $0 != " " } ?? hint.endIndex
    let message = Jackdaw.message(for: error)
    guard hint.contains("--help") else { return "jackdaw: \(message)" }
    return "jackdaw: \(message)\(message.hasSuffix("?") ? "" : ".") \(hint[start...])"
  }
}

struct Jackdaw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jackdaw",
    abstract: "Jukebox firmware with the manners of a good phone.",
    discussion: """
      Pull the headphones and it falls silent at once and pauses without losing a sample; plug them back and it goes \
      on. Start with `jackdaw run`: on a machine without GPIO lines it simulates a board whose buttons, jack and dock \
      are keys.

      Exit status: 0 good, 1 a problem was found, 2 bad usage or input.
      """,
    version: "0.1.0",
    subcommands: [Run.self, Simulate.self, Scan.self])
}
