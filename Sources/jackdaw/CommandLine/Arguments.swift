import Files

/// The arguments after a command's name, parsed into options and positional arguments by its `CommandHelp`.
struct Arguments {
  /// Whether `--help` was given; nothing else was parsed then.
  private(set) var wantsHelp = false
  private var options: [String: [String]] = [:]
  private var positional: [String] = []

  init(parsing arguments: ArraySlice<String>, for help: CommandHelp) throws(CommandError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "-h" || argument == "--help" {
        wantsHelp = true
        return
      }
      if argument == "--" {
        positional += rest
        break
      }
      if argument.hasPrefix("-") && argument != "-" {
        try takeOption(argument, &rest, help)
      } else {
        positional.append(argument)
        // A repeating last argument is passed on as it is, with anything in it that looks like an option.
        if help.arguments.last?.repeats ?? false, positional.count >= help.arguments.count {
          positional += rest
          break
        }
      }
    }
    try checkArguments(help)
  }

  /// An option's value: the last, if it was given several times.
  func option(_ name: String) -> String? { options[name]?.last }

  /// Whether an option without a value was given.
  func flag(_ name: String) -> Bool { options[name] != nil }

  /// All values of an option.
  func values(_ name: String) -> [String] { options[name] ?? [] }

  /// The positional arguments from an index on.
  func positional(from index: Int) -> ArraySlice<String> { positional.dropFirst(index) }

  /// The positional argument at the index that it has in the help.
  func positional(_ index: Int) -> String { positional[index] }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ help: CommandHelp
  ) throws(CommandError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = help.options.first(where: { "--\($0.name)" == parts[0] }) else {
      let known = help.options.map { "--\($0.name)" } + ["--help"]
      throw CommandError("jackdaw: unknown option \(Wording.quoted(argument)), expected \(Wording.list(known))")
    }
    if option.value.isEmpty {
      guard parts.count == 1 else { throw CommandError("jackdaw: --\(option.name) takes no value") }
      options[option.name] = []
      return
    }
    let value = parts.count == 2 ? String(parts[1]) : rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value else { throw CommandError("jackdaw: --\(option.name) has no value, expected \(option.expected)") }
    if parts.count == 1 { rest.removeFirst() }
    if value.isEmpty { throw CommandError("jackdaw: --\(option.name) is empty, expected \(option.expected)") }
    options[option.name, default: []].append(value)
  }

  private func checkArguments(_ help: CommandHelp) throws(CommandError) {
    for (index, expected) in help.arguments.enumerated() {
      let state = positional.count <= index ? "missing" : positional[index].isEmpty ? "empty" : nil
      if let state { throw CommandError("jackdaw: <\(expected.name)> is \(state), expected \(expected.expected)") }
    }
    if positional.count > help.arguments.count, !(help.arguments.last?.repeats ?? false) {
      let extra = Wording.quoted(positional[help.arguments.count])
      throw CommandError("jackdaw: unexpected argument \(extra); see jackdaw \(help.name) --help")
    }
  }
}
