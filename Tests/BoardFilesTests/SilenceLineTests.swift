import BoardFiles
import Files
import Jukebox
import TestSupport
import Testing

/// Lines of role `silence` in a board file.
@Suite struct SilenceLineTests {
  private func role(_ keys: String) throws(FileError) -> Line.Role? {
    let sim = String(decoding: try FileAccess.read(repositoryPath("board/sim.toml")), as: UTF8.self)
    let board = try BoardFile.parse(Array("\(sim)\n[lines.QUIET]\nrole = \"silence\"\n\(keys)\n".utf8), file: "b.toml")
    return board.lines.first { $0.name == "QUIET" }?.role
  }

  @Test("H1.10: for ever, or for so long at most")
  func roles() throws {
    #expect(try role("") == .silence(backAfter: .zero))
    #expect(try role("back_after = \"1h\"") == .silence(backAfter: .seconds(3_600)))
  }

  @Test("H1.10: a time out of range, and one of another line, are named")
  func faults() {
    func errors(_ text: String) -> [String] {
      errorTexts { () throws(FileError) in _ = try role(text) }.map { String($0.drop { $0 != " " }) }
    }
    #expect(
      errors("back_after = \"2d\"")
        == [" lines.QUIET.back_after: \"2d\" is out of range, expected 0 or 1s...24h"])
    #expect(
      errors("[lines.CALL]\nrole = \"track\"\ntrack = 1\nback_after = \"1h\"")
        == [" lines.CALL.back_after: expected only with role = \"silence\""])
    let second = errors("[lines.DESK]\nrole = \"silence\"\nback_after = \"1h\"")
    #expect(second.count == 1 && second[0].contains("expected one line of this role"))
  }
}
