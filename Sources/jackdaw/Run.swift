import ArgumentParser

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the firmware.")
  @OptionGroup var kiosk: KioskOptions
  func run() throws {}
}
