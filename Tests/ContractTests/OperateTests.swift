import Testing

@testable import Jukebox

/// The operator's page has all that an operator meets.
@Suite struct OperateTests {
  private static let page = String(decoding: Repository.read("deploy/operate.md") ?? [], as: UTF8.self)

  @Test("every event of the log is explained", arguments: EventName.allCases)
  func events(name: EventName) {
    #expect(Self.page.contains("| `\(name.rawValue)`") || Self.page.contains(", `\(name.rawValue)` | "))
  }

  @Test("every command of the console's help is listed")
  func commands() {
    let verbs = ConsoleCommand.helpText.split(separator: "\n").compactMap { line in
      line.hasPrefix(" ") ? nil : line.split(separator: " ").first
    }
    #expect(verbs.count > 10)
    for verb in verbs { #expect(Self.page.contains("| `\(verb)") || Self.page.contains(", `\(verb)"), "\(verb)") }
  }
}
