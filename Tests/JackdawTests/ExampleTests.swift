import Files
import TestSupport
import Testing

/// The worked examples of the README.
@Suite struct ExampleTests {
  private static let folder = repositoryPath("board/sim/examples")
  static let names = FileAccess.names(in: folder).filter { $0.hasSuffix(".scenario") }.map { $0.dropLast(9) }

  @Test("every worked example holds with its own settings", arguments: names)
  func holds(name: Substring) throws {
    let example = "\(Self.folder)/\(name)"
    let outcome = try Program.run(
      ["simulate", "\(example).scenario", "--settings", "\(example).toml"], in: TemporaryFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains(" expectations held in "))
  }

  @Test("there are as many as the README names")
  func present() { #expect(Self.names.count == 4) }
}
