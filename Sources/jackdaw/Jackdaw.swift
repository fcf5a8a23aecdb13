import ArgumentParser

@main
struct Jackdaw: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "jackdaw", abstract: "Jukebox firmware.")
}
