import Files
import Glibc

@main
enum Jackdaw {
  /// Of the program and its package.
  static let version = "0.1.0"

  private static var commands: [any Command.Type] {
    [Run.self, Simulate.self, Check.self, WatchLines.self, Control.self, Scan.self]
  }

  static func main() {
    Console.prepare()
    do throws(Complaint) {
      exit(try perform(CommandLine.arguments.dropFirst()).rawValue)
    } catch {
      Console.complain(error.description)
      exit(error.status)
    }
  }

  private static func perform(_ words: ArraySlice<String>) throws(Complaint) -> Verdict {
    switch words.first {
    case nil, "-h", "--help": return say(help)
    case "--version": return say(version)
    case "help":
      guard let name = words.dropFirst().first else { return say(help) }
      return say(try command(name).manual.help)
    case let name?:
      let command = try command(name)
      let words = try Words(words.dropFirst(), for: command.manual)
      return words.wantsHelp ? say(command.manual.help) : try command.init(words).run()
    }
  }

  private static func say(_ text: String) -> Verdict {
    Console.say(text)
    return .good
  }

  private static func command(_ name: String) throws(Complaint) -> any Command.Type {
    if let command = commands.first(where: { $0.manual.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "option" : "command"
    let known = commands.map { $0.manual.name } + ["help"] + (kind == "option" ? ["--help", "--version"] : [])
    throw Complaint("jackdaw: unknown \(kind) \(Wording.quoted(name)), expected \(Wording.list(known))")
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
    \(commands.map { Manual.row($0.manual.name, $0.manual.summary, column: 14) }.joined(separator: "\n"))

    OPTIONS:
    \(Manual.row("--version", "Show the version.", column: 14))
    \(Manual.row("-h, --help", "Show this text.", column: 14))

    `jackdaw help <command>` tells about each.
    """
  }
}
