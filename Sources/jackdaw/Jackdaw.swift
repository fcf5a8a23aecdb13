import ArgumentParser

@main
enum Main {
  static func main() {
    do {
      var command = try Jackdaw.parseAsRoot()
      try command.run()
    } catch {
      end(error)
    }
  }

  /// 0: help was asked for; 1: something was found; 2: bad usage or input, told in one line.
  private static func end(_ error: any Error) -> Never {
    if let verdict = error as? ExitCode { Jackdaw.exit(withError: verdict) }
    if let complaint = error as? Complaint {
      Console.complain(complaint.description)
      Jackdaw.exit(withError: ExitCode(2))
    }
    let text = Jackdaw.fullMessage(for: error)
    guard Jackdaw.exitCode(for: error) == .success else {
      Console.complain(text)
      Jackdaw.exit(withError: ExitCode(2))
    }
    print(text)
    Jackdaw.exit()
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
