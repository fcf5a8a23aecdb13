import Files

/// The words behind a command's name, sorted into options and arguments as its help has them.
struct Arguments {
  /// Somebody asks for help.
  private(set) var wantsHelp = false
  private var options: [String: [String]] = [:]
  private var arguments: [String] = []

  init(_ words: ArraySlice<String>, for help: CommandHelp) throws(CommandError) {
    var words = words
    while let word = words.popFirst() {
      if word == "-h" || word == "--help" {
        wantsHelp = true
        return
      }
      if word == "--" {
        arguments += words
        break
      }
      if word.hasPrefix("-") && word != "-" {
        try takeOption(word, &words, help)
      } else {
        arguments.append(word)
        // What is sent on is not ours to read.
        if help.arguments.last?.repeats ?? false, arguments.count >= help.arguments.count {
          arguments += words
          break
        }
      }
    }
    try checkArguments(help)
  }

  /// An option's value: the last, if it was given several times.
  func option(_ name: String) -> String? { options[name]?.last }

  /// All values of an option.
  func all(_ name: String) -> [String] { options[name] ?? [] }

  /// What is at the place of an argument, and whatever follows it.
  func arguments(from place: Int) -> ArraySlice<String> { arguments.dropFirst(place) }

  /// The argument at a place that the help has.
  func argument(_ place: Int) -> String { arguments[place] }

  private mutating func takeOption(
    _ word: String, _ words: inout ArraySlice<String>, _ help: CommandHelp
  ) throws(CommandError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = help.options.first(where: { "--\($0.name)" == parts[0] }) else {
      let known = help.options.map { "--\($0.name)" } + ["--help"]
      throw CommandError("jackdaw: unknown option \(Wording.quoted(word)), expected \(Wording.list(known))")
    }
    let value = parts.count == 2 ? String(parts[1]) : words.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    guard let value else { throw CommandError("jackdaw: --\(option.name) has no value, expected \(option.expected)") }
    if parts.count == 1 { words.removeFirst() }
    if value.isEmpty { throw CommandError("jackdaw: --\(option.name) is empty, expected \(option.expected)") }
    options[option.name, default: []].append(value)
  }

  private func checkArguments(_ help: CommandHelp) throws(CommandError) {
    for (place, expected) in help.arguments.enumerated() {
      let state = arguments.count <= place ? "missing" : arguments[place].isEmpty ? "empty" : nil
      if let state { throw CommandError("jackdaw: <\(expected.name)> is \(state), expected \(expected.expected)") }
    }
    if arguments.count > help.arguments.count, !(help.arguments.last?.repeats ?? false) {
      let extra = Wording.quoted(arguments[help.arguments.count])
      throw CommandError("jackdaw: unexpected argument \(extra); see jackdaw \(help.name) --help")
    }
  }
}
