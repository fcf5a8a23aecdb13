import JSON
import TestSupport
import Testing

/// `jackdaw report` of what a fleet's boards have told their broker.
@Suite struct FleetStatsTests {
  private static func message(_ board: String, id: Int, _ period: String, starts: Int, others: String = "null")
    -> String
  {
    let counts = "\"starts\":\(starts),\"seconds\":\(60 * starts),\"left\":{\"ended\":\(starts),\"new-way\":1}"
    return "jackdaw/\(board)/stats {\"id\":\"\(id)\",\"period\":\"\(period)\",\"sum\":{\(counts)},"
      + "\"tracks\":[{\"name\":\"jazz/a b.mp3\",\(counts)}],\"others\":\(others),\"board\":{\"visits\":2,\"new\":1}}\n"
  }

  @Test("F8: the days of a fleet are added up from what its broker heard, each once however often it was told")
  func adding() throws {
    let folder = try TemporaryFolder()
    let others = "{\"starts\":5,\"seconds\":50,\"left\":{}}"
    folder.write(
      "boards/fleet.stats",
      Self.message("lobby-3", id: 7_000_000_000_001, "2026-11-22", starts: 1) + "jackdaw/lobby-3/status online\n\n"
        + Self.message("hall", id: 1, "2026-11-22", starts: 2)
        + Self.message("lobby-3", id: 7_000_000_000_001, "2026-11-22", starts: 4, others: others)
        + Self.message("lobby-3", id: 7_000_000_000_002, "power-on", starts: 8))
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    let json = try JSONValue(parsing: outcome.output.utf8)
    let boards = json["boards"]?.elements ?? []
    #expect(boards.map { $0["name"]?.string } == ["lobby-3", "hall"])
    #expect(boards.map { $0["starts"]?.integer } == [17, 2])
    #expect(boards.map { $0["seconds"]?.integer } == [12 * 60 + 50, 120])
    #expect(json["days"]?.elements.map { $0["starts"]?.integer } == [11])
    #expect(json["undated"]?["starts"]?.integer == 8)
    #expect(json["board"]?["visits"]?.integer == 6)
  }

  @Test("F8: the topic of a board that was cleared, and the line ends of Windows, hide no board")
  func cleared() throws {
    let folder = try TemporaryFolder()
    let lines =
      "jackdaw/old/stats (null)\n" + Self.message("lobby-3", id: 1, "2026-11-22", starts: 1)
      + Self.message("hall", id: 1, "2026-11-22", starts: 2)
    let windows = lines.split(separator: "\n").joined(separator: "\r\n")
    folder.write("boards/FLEET.STATS", windows + "\r\n")
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    let json = try JSONValue(parsing: outcome.output.utf8)
    #expect(json["boards"]?.elements.map { $0["starts"]?.integer } == [1, 2] && outcome.errors == "")
  }

  @Test("F8: several files may have the same board: of a day the message with most listens counts, else the last")
  func severalFiles() throws {
    let folder = try TemporaryFolder()
    let days = [(1, "2026-11-22", 4), (2, "2026-11-23", 2), (3, "2026-11-24", 1)]
    let messages = days.map { Self.message("lobby-3", id: $0.0, $0.1, starts: $0.2) }
    folder.write("boards/a.stats", messages[0] + messages[1] + messages[2])
    // Another one that listened at the same time, and ended earlier.
    folder.write("boards/b.stats", messages[0] + Self.message("lobby-3", id: 2, "2026-11-23", starts: 1))
    let more = Self.message("lobby-3", id: 3, "2026-11-24", starts: 1).replacing("\"visits\":2", with: "\"visits\":7")
    folder.write("boards/c.stats", more + Self.message("hall", id: 2, "2026-11-23", starts: 8))
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    #expect(outcome.status == 0 && outcome.errors == "")
    let json = try JSONValue(parsing: outcome.output.utf8)
    #expect(json["boards"]?.elements.map { $0["starts"]?.integer } == [7, 8])
    #expect(json["days"]?.elements.map { $0["starts"]?.integer } == [4, 10, 1])
    #expect(json["board"]?["visits"]?.integer == 2 + 2 + 7 + 2)
    // Its table beside them is still an error.
    _ = try Program.run(["report", "--boards", "boards", "--csv", "boards/x.csv"], in: folder)
    let twice = try Program.run(["report", "--boards", "boards"], in: folder)
    #expect(twice.status == 1 && twice.errors.contains("stands in x.csv and in a.stats, expected each board once"))
  }

  @Test("F8: a board that counts on from a backup uses ids again, and none of its days replaces another")
  func backup() throws {
    let folder = try TemporaryFolder()
    let told = [
      (7, "2026-11-22", 4), (8, "2026-11-23", 5),
      // It does not know the clock at once.
      (7, "power-on", 1), (7, "2026-12-05", 2), (7, "2026-12-05", 3), (8, "2026-12-06", 1),
    ]
    let messages = told.map { Self.message("hall", id: $0.0, $0.1, starts: $0.2) }
    folder.write("boards/f.stats", messages.joined())
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    let json = try JSONValue(parsing: outcome.output.utf8)
    #expect(json["days"]?.elements.map { $0["starts"]?.integer } == [4, 5, 3, 1])
    #expect(json["sum"]?["starts"]?.integer == 13)
  }

  @Test("F8: a line that was torn, also within a letter, is noted, and hides nothing else")
  func torn() throws {
    let folder = try TemporaryFolder()
    let whole = Self.message("lobby-3", id: 1, "2026-11-22", starts: 1)
    let begun = Array("jackdaw/hall/stats {\"id\":\"1\",\"period\":\"earlier\",\"tracks\":[{\"name\":\"M".utf8) + [0xC3]
    let end = Array("\"}]}\n".utf8)
    folder.write("boards/f.stats", Array(whole.utf8) + begun + end + Array(whole.utf8) + begun)
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    let notes = [2, 4].map { "jackdaw: boards/f.stats:\($0): message: no JSON; it is left out\n" }
    #expect(outcome.status == 0 && outcome.errors == notes.joined())
    #expect(try JSONValue(parsing: outcome.output.utf8)["sum"]?["starts"]?.integer == 1)
  }

  @Test(
    "F8: what is no message of a board is noted with its line and left out",
    arguments: [
      ("jackdaw/a/stats {", "1: message: no JSON"), ("jackdaw/a/stats {}", "1: id: expected a number in quotes"),
      (
        "\njackdaw/a/stats {\"id\":\"1\",\"period\":\"today\"}",
        "2: period: expected a date, a month, \"earlier\" or \"power-on\""
      ),
      (
        "jackdaw/a/stats {\"id\":\"1\",\"period\":\"earlier\",\"tracks\":[{}]}",
        "1: tracks: expected a name in each"
      ),
      (
        "jackdaw/a/stats {\"id\":\"1\",\"period\":\"earlier\",\"others\":{\"starts\":-1,\"seconds\":0}}",
        "1: others: expected starts and seconds in each"
      ),
      (
        "jackdaw/a/stats {\"id\":\"1\",\"period\":\"earlier\",\"board\":{\"visits\":\"2\"}}",
        "1: board: expected numbers"
      ),
    ])
  func leavingOut(_ text: String, _ error: String) throws {
    let folder = try TemporaryFolder()
    folder.write("boards/f.stats", text + "\n" + Self.message("a", id: 2, "2026-11-22", starts: 3))
    let outcome = try Program.run(["report", "--boards", "boards", "--json"], in: folder)
    #expect(outcome.status == 0 && outcome.errors == "jackdaw: boards/f.stats:\(error); it is left out\n")
    #expect(try JSONValue(parsing: outcome.output.utf8)["sum"]?["starts"]?.integer == 3)
  }
}
