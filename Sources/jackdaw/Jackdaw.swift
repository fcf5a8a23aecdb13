import CLinux
import DecoderProcess
import Files
import Glibc

@main
enum Jackdaw {
  private static var commands: [any Command.Type] {
    [
      RunCommand.self, SimulateCommand.self, CheckCommand.self, LinesCommand.self, ControlCommand.self,
      ScanCommand.self, CardsCommand.self, ReportCommand.self, TimetableCommand.self,
    ]
  }

  static func main() {
    read_code_ahead()
    // Started by the firmware, for itself only: it is not a command of the program.
    let words = CommandLine.arguments
    if words.count == 3, words[1] == DecodeWorker.command { exit(DecodeWorker.run(loading: words[2])) }
    Terminal.prepare()
    do throws(CommandError) {
      if let file = fleetSettings { exit(try FleetSettingsCommand.run(file).rawValue) }
      let status = try perform(CommandLine.arguments.dropFirst())
      try Terminal.checkOutput()
      exit(status.rawValue)
    } catch {
      for line in [error.description] + error.further { Terminal.printError(line) }
      exit(error.status.rawValue)
    }
  }

  /// The file whose `[fleet]` a fleet's program asks for; nil where this is a command of the program.
  private static var fleetSettings: String? {
    let words = CommandLine.arguments.dropFirst()
    return words.count == 2 && words.first == FleetSettingsCommand.name ? words.last : nil
  }

  private static func perform(_ arguments: ArraySlice<String>) throws(CommandError) -> ExitStatus {
    switch arguments.first {
    case nil, "-h", "--help": return show(help)
    case "--version": return show(Product.version)
    case "help":
      // The words that are no commands are described there.
      guard let name = arguments.dropFirst().first, !otherWords.contains(name) else { return show(help) }
      return show(try command(name).help.help)
    case let name?:
      let command = try command(name)
      let parsed = try Arguments(parsing: arguments.dropFirst(), for: command.help)
      return parsed.wantsHelp ? show(command.help.help) : try command.init(parsed).run()
    }
  }

  /// What may stand in place of a command.
  private static let otherWords = ["help", "-h", "--help", "--version"]

  private static func show(_ text: String) -> ExitStatus {
    Terminal.printLine(text)
    return .good
  }

  private static func command(_ name: String) throws(CommandError) -> any Command.Type {
    if let command = commands.first(where: { $0.help.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let known = commands.map { $0.help.name } + ["help"] + (kind == "option" ? ["--help", "--version"] : [])
    throw CommandError("jackdaw: unknown \(kind) \(Wording.quoted(name)), expected \(Wording.list(known))")
  }

  private static var help: String {
    """
    Jukebox firmware with the manners of a good phone.

    Pull the headphones and it falls silent at once and pauses without losing a
    sample; plug them back and it goes on. Start with `jackdaw run`: on a machine
    without GPIO lines it simulates a board whose buttons, jack and dock are keys.

    Exit status: 0 good, 1 a problem was found, 2 bad usage or input.

    USAGE: jackdaw <command> ...

    COMMANDS:
    \(commands.map { CommandHelp.row($0.help.name, $0.help.summary, column: 14) }.joined(separator: "\n"))

    OPTIONS:
    \(CommandHelp.row("--version", "Show the version.", column: 14))
    \(CommandHelp.row("-h, --help", "Show this text.", column: 14))

    `jackdaw help <command>` describes one of them.
    """
  }
}
