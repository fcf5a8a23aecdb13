/// A command of the program: `jackdaw NAME …`.
protocol Command {
  static var help: CommandHelp { get }

  init(_ arguments: Arguments) throws(CommandError)

  func run() throws(CommandError) -> ExitStatus
}

/// A command's name, description and parameters, for its help and for parsing its arguments.
struct CommandHelp {
  /// An option with its value, or a positional argument.
  struct Parameter {
    /// The name without dashes or brackets.
    var name: String
    /// The name of an option's value in the help; empty for an argument, and for an option without a value.
    var value = ""
    /// What was expected, for error messages.
    var expected: String
    /// Lines of at most 54 columns.
    var help: String
    /// Whether it may be given several times.
    var repeats = false

    /// The option as it is typed.
    var usage: String { value.isEmpty ? "--\(name)" : "--\(name) <\(value)>" }
  }

  /// What the help shows below the options, found when it is shown.
  struct Section {
    var title: String
    /// Lines of at most 80 columns.
    var lines: @Sendable () -> [String]
  }

  var name: String
  /// A sentence of one line for the list of commands.
  var summary: String
  /// Lines of at most 80 columns.
  var text: String
  /// All of them are required; the last takes all remaining arguments, if it repeats.
  var arguments: [Parameter] = []
  /// All of them are optional.
  var options: [Parameter] = []
  var section: Section?

  /// The text of `--help`.
  var help: String {
    var lines = [summary, "", text, "", usage]
    if !arguments.isEmpty {
      lines += ["", "ARGUMENTS:"] + arguments.map { CommandHelp.row("<\($0.name)>", $0.help) }
    }
    lines += ["", "OPTIONS:"] + options.map { CommandHelp.row($0.usage, $0.help) }
    lines.append(CommandHelp.row("-h, --help", "Show this text."))
    if let section { lines += ["", "\(section.title):"] + section.lines() }
    return lines.joined(separator: "\n")
  }

  private var usage: String {
    let arguments = arguments.map { " <\($0.name)>\($0.repeats ? " ..." : "")" }
    let options = options.map { " [\($0.usage)\($0.repeats ? " ..." : "")]" }
    return "USAGE: jackdaw \(name)" + (arguments + options).joined()
  }

  /// A name and its description, beside each other.
  static func row(_ name: String, _ help: String, column: Int = 26) -> String {
    let gap = String(repeating: " ", count: max(1, column - 2 - name.count))
    let margin = "\n" + String(repeating: " ", count: column)
    return "  \(name)\(gap)\(help.split(separator: "\n").joined(separator: margin))"
  }
}
