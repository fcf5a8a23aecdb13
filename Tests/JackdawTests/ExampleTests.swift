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
    // Most of them need no board but the simulated one.
    let board = "\(example).board.toml"
    let options = FileAccess.names(in: Self.folder).contains("\(name).board.toml") ? ["--board", board] : []
    let outcome = try Program.run(
      ["simulate", "\(example).scenario", "--settings", "\(example).toml"] + options, in: TemporaryFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains(" expectations held in "))
  }

  @Test(
    "a board with pins is one of a Raspberry Pi 4 without its line `simulated`",
    arguments: ["bar", "button-post", "childs-box", "handset"])
  func real(name: String) throws {
    let board = try FileAccess.read("\(Self.folder)/\(name).board.toml").split(separator: UInt8(ascii: "\n"))
    let real = board.filter { !$0.elementsEqual("simulated = true".utf8) }.joined(separator: [UInt8(ascii: "\n")])
    let folder = try TemporaryFolder()
    folder.write("board.toml", Array(real))
    let output = try Program.run(["check", "--board", "board.toml"], in: folder).output
    #expect(output.contains("ok    board ") && !output.contains("simulated"))
  }

  @Test("there are as many as the README names")
  func present() { #expect(Self.names.count == 11) }
}
