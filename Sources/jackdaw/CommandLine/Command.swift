/// A command of the program: `jackdaw NAME …`.
protocol Command {
  static var help: CommandHelp { get }

  init(_ words: Arguments) throws(CommandError)

  func run() throws(CommandError) -> ExitStatus
}

/// The exit status of what was done; a `CommandError` has its own.
enum ExitStatus: CInt {
  case good = 0
  case problem = 1
}

/// What a command takes and does, for its help and for the reading of its words.
struct CommandHelp {
  /// What stands behind the command's name: an option with its value, or an argument.
  struct Parameter {
    /// Without dashes or brackets.
    var name: String
    /// What an option's value is called; an argument is called by its name.
    var value = ""
    /// What a complaint says was expected.
    var expected: String
    /// Lines of at most 54 columns.
    var help: String
    /// May be given several times.
    var repeats = false
  }

  var name: String
  /// One line.
  var summary: String
  /// Lines of at most 80 columns.
  var text: String
  /// All of them have to be given; the last takes what is left, if it repeats.
  var arguments: [Parameter] = []
  /// All of them may be left out.
  var options: [Parameter] = []

  /// What `--help` shows.
  var help: String {
    var lines = [summary, "", text, "", usage]
    if !arguments.isEmpty {
      lines += ["", "ARGUMENTS:"] + arguments.map { CommandHelp.row("<\($0.name)>", $0.help) }
    }
    lines += ["", "OPTIONS:"] + options.map { CommandHelp.row("--\($0.name) <\($0.value)>", $0.help) }
    return (lines + [CommandHelp.row("-h, --help", "Show this text.")]).joined(separator: "\n")
  }

  private var usage: String {
    let arguments = arguments.map { " <\($0.name)>\($0.repeats ? " ..." : "")" }
    let options = options.map { " [--\($0.name) <\($0.value)>\($0.repeats ? " ..." : "")]" }
    return "USAGE: jackdaw \(name)" + (arguments + options).joined()
  }

  /// A name and what it means, beside each other.
  static func row(_ name: String, _ help: String, column: Int = 26) -> String {
    let gap = String(repeating: " ", count: max(1, column - 2 - name.count))
    let margin = "\n" + String(repeating: " ", count: column)
    return "  \(name)\(gap)\(help.split(separator: "\n").joined(separator: margin))"
  }
}
