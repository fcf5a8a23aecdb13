import Files
import Jukebox
import Testing

@testable import BoardFiles

/// Manners of contacts in a board file.
@Suite struct ContactFileTests {
  private static func text(_ table: String) -> String {
    BoardFaults.base.replacing("[ports.headphones]", with: "[lines.A]\n\(table)\n[ports.headphones]")
  }

  @Test("O1, O5: all manners are read, and a line without any of them is a button")
  func manners() throws {
    let table = """
      role = "playlist"
      playlist = "jokes"
      mode = "random"
      rearm = "100ms"
      inhibit = "1min"
      delay = 2
      ignore_at_boot = "90s"
      limit = "1h"
      """
    let board = try BoardFile.parse(Array(Self.text(table).utf8), file: "b.toml")
    let expected = Manners(
      .random, rearm: .milliseconds(100), inhibit: .seconds(60), delay: .seconds(2), ignoreAtBoot: .seconds(90),
      limit: .seconds(3_600))
    #expect(board.lines.first { $0.name == "A" }?.manners == expected)
    let lines = board.configuration(settings: Settings()).lines
    #expect(lines.first { $0.name == "A" }?.manners == expected)
    #expect(lines.filter { $0.name != "A" }.allSatisfy { $0.manners == nil })
    let plain = try BoardFile.parse(Array(Self.text("role = \"track\"\ntrack = 1").utf8), file: "b.toml")
    #expect(plain.lines.allSatisfy { $0.manners == nil })
    let timed = try BoardFile.parse(Array(Self.text("role = \"cue\"\ninhibit = 0").utf8), file: "b.toml")
    #expect(timed.lines.first { $0.name == "A" }?.manners == Manners())
  }

  @Test("O1.1: a line of the role cue may name one, and there is any number of those that do")
  func cues() throws {
    let table = """
      role = "cue"
      cue = "ring"
      mode = "while"
      [lines.B]
      role = "cue"
      cue = "bell"
      [lines.C]
      role = "cue"
      """
    let board = try BoardFile.parse(Array(Self.text(table).utf8), file: "b.toml")
    let roles = board.lines.filter { ["A", "B", "C"].contains($0.name) }.map(\.role)
    #expect(roles == [.button(.choose(.cue("ring"))), .button(.choose(.cue("bell"))), .button(.cue)])
  }

  @Test(
    "O1: what is no manner of such a line is named with its line",
    arguments: [
      (
        "role = \"track\"\ntrack = 1\nmode = \"next\"",
        "mode: \"next\" is unknown, expected once, finish or while"
      ),
      ("role = \"cue\"\nmode = \"always\"", "mode: \"always\" is unknown, expected once, finish or while"),
      ("role = \"stop\"\ninhibit = \"1s\"", "inhibit: expected only with role = \"track\", \"playlist\" or \"cue\""),
      ("role = \"mute\"\nmode = \"while\"", "mode: expected only with role = \"track\", \"playlist\" or \"cue\""),
      ("role = \"track\"\ntrack = 1\ncue = \"ring\"", "cue: expected only with role = \"cue\""),
      ("role = \"cue\"\ncue = 3", "cue: found 3, expected a text in quotes"),
      ("role = \"cue\"\ncue = \"\"", "cue: found an empty text, expected a text in quotes"),
      (
        "role = \"cue\"\ncue = \"a\"\n[lines.A2]\nrole = \"cue\"\ncue = \"a\"",
        "cue: is taken by lines.A on line"
      ),
      ("role = \"cue\"\ndelay = \"25h\"", "delay: \"25h\" is out of range, expected 0 or 1ms...24h"),
    ])
  func faults(table: String, error: String) {
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(Self.text(table).utf8), file: "b.toml") }
    #expect(found.contains { $0.contains(": lines.A.\(error)") || $0.contains(": lines.A2.\(error)") }, "\(found)")
  }
}
