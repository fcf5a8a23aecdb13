import Glibc
import JSON
import TestSupport
import Testing

@testable import Storage

/// `jackdaw report` of several boards, and the table that carries a board's counters to it.
@Suite struct BoardsReportTests {
  /// Names of tracks as TOML strings.
  private static let names = [#""jazz/a, \"b\".mp3""#, #""=SUM(x)""#, #""jazz/c\r\nd.mp3""#, #""""#]

  /// A board's state folder: some tracks on each day.
  private func board(_ name: String, days: [String], in folder: TemporaryFolder) throws {
    var past = "version = 1\n"
    for (id, day) in days.enumerated() {
      past += "[[periods]]\nid = \(id)\n\(day)\nboard = { power-ons = 1 }\n[periods.tracks]\n"
      for (index, name) in Self.names.enumerated() {
        past += "\(name) = \"\(3 + id) 61\(index)07 1 1 0 0 1 0 0 0 1 0 0 1 0 0 0 0 1\"\n"
      }
    }
    folder.write("\(name)/counters-past.toml", StateText.sealed(Array(past.utf8)))
  }

  private func json(_ arguments: String..., in folder: TemporaryFolder) throws -> JSONValue {
    let outcome = try Program.run(["report", "--json"] + arguments, in: folder)
    #expect(outcome.status == 0 && outcome.errors == "")
    return try JSONValue(parsing: outcome.output.utf8)
  }

  private let days = ["earlier = true", "month = \"2025-01-01\"", "day = \"2026-11-22\"", "day = \"2026-11-23\""]

  @Test("N4: boards are added up by board, playlist and day")
  func boards() throws {
    let folder = try TemporaryFolder()
    try board("boards/hall", days: days, in: folder)
    try board("boards/lobby", days: ["day = \"2026-11-23\"", "day = \"2026-11-24\""], in: folder)
    let json = try json("--boards", "boards", in: folder)
    let boards = json["boards"]?.elements ?? []
    #expect(boards.map { $0["name"]?.string } == ["hall", "lobby"])
    #expect(boards.map { $0["starts"]?.integer } == [4 * (3 + 4 + 5 + 6), 4 * (3 + 4)])
    #expect(json["sum"]?["starts"]?.integer == 4 * 25)
    let playlists = json["playlists"]?.elements ?? []
    #expect(playlists.map { $0["name"]?.string } == ["", "jazz"])
    #expect(playlists.map { $0["starts"]?.integer } == [2 * 25, 2 * 25])
    let sums = json["days"]?.elements.map { ($0["date"]?.string ?? "", $0["starts"]?.integer ?? 0) } ?? []
    #expect(sums.map(\.0) == ["2025-01", "2026-11-22", "2026-11-23", "2026-11-24"])
    #expect(sums.map(\.1) == [16, 20, 24 + 12, 16])
    #expect(json["board"]?["power-ons"]?.integer == 6)
    let table = try Program.run(["report", "--boards", "boards"], in: folder)
    #expect(table.output.hasPrefix("Listened to at hall, lobby from 2025-01-01 to 2026-11-24: 100 times"))
  }

  @Test("N4: a table has the same numbers as the state folder that it was made of, whatever the names are")
  func table() throws {
    let folder = try TemporaryFolder()
    try board("s", days: days, in: folder)
    folder.write("boards/notes.txt", [])
    let outcome = try Program.run(
      ["report", "--state", "s", "--name", "Hall, \"2\"", "--csv", "boards/x.csv"], in: folder)
    #expect(outcome.output == "boards/x.csv: 16 rows\n")
    let text = String(decoding: try #require(folder.read("boards/x.csv")), as: UTF8.self)
    #expect(text.hasPrefix("\u{FEFF}board,day,playlist,track,title,starts,seconds,ended,"))
    #expect(text.contains("\"Hall, \"\"2\"\"\",2025-01,jazz,\"jazz/a, \"\"b\"\".mp3\",,4,61.007,1,1,0,0,1,"))
    // A spreadsheet would take it for a formula.
    #expect(text.contains(",2026-11-22,,'=SUM(x),,5,"))
    // As a card fills it up.
    folder.write("boards/x.csv", text + String(repeating: String(repeating: " ", count: 4_095) + "\n", count: 2))
    let (direct, carried) = (try json("--state", "s", in: folder), try json("--boards", "boards", in: folder))
    for key in ["sum", "tracks", "days", "undated", "playlists", "from", "to"] {
      #expect(direct[key]?.text == carried[key]?.text, "\(key)")
    }
    let page = try Program.run(["report", "--boards", "boards", "--html", "p.html"], in: folder)
    #expect(page.output == "p.html: 72 listens, 4 tracks\n")
    let html = String(decoding: try #require(folder.read("p.html")), as: UTF8.self)
    #expect(html.contains("<title>Hall, &quot;2&quot;: what was listened to</title>"))
    for part in ["Each playlist", "By the day of the week"] { #expect(html.contains("<h2>\(part)</h2>"), "\(part)") }
  }

  @Test(
    "N4: a mistake in a table is reported with line and column",
    arguments: [
      ("board,day\n", "b/x.csv:1: playlist: no such column, expected a table of `jackdaw report --csv`"),
      (
        "HEAD\nx,2026-02-30,,a,,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n",
        "b/x.csv:2: day: found \"2026-02-30\", expected a date, as 2026-11-01"
      ),
      ("HEAD\n\nx,,,a,,1,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n", "b/x.csv:3: seconds: found \"-1\", expected seconds"),
      (
        "HEAD\nx,,,a,,one,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n",
        "b/x.csv:2: starts: found \"one\", expected a number up to 1099511627776"
      ),
      ("HEAD\nx,,,a,,1\n", "b/x.csv:2: seconds: missing"),
      ("HEAD\n\"x,,\n", "b/x.csv:2: a quote is not closed"),
    ])
  func mistakes(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let head = "board,day,playlist,track,title,starts,seconds,ended,skipped,chosen,stopped,unplugged,idle,failed"
    let tenths = (1...10).map { ",tenth-\($0)" }.joined()
    folder.write("b/x.csv", text.replacing("HEAD", with: head + tenths).utf8)
    let outcome = try Program.run(["report", "--boards", "b"], in: folder)
    #expect(outcome.status == 2 && outcome.errors == "jackdaw: \(message)\n")
  }

  @Test("N4: a board that stands in two files is not counted twice; a table without a line is left out")
  func twice() throws {
    let folder = try TemporaryFolder()
    try board("b/hall", days: ["day = \"2026-11-23\""], in: folder)
    folder.write("b/empty.csv", "\n\n".utf8)
    let once = try Program.run(["report", "--boards", "b", "--csv", "b/all.csv"], in: folder)
    #expect(once.status == 0 && once.errors == "jackdaw: b/empty.csv: a table without a board; it is left out\n")
    let twice = try Program.run(["report", "--boards", "b"], in: folder)
    let expected = "board \"hall\" stands in all.csv and in hall, expected each board once"
    #expect(twice.status == 1 && twice.errors.hasSuffix("jackdaw: b: \(expected)\n"))
  }

  @Test("N4: numbers that nobody can have counted are no crash")
  func large() throws {
    let folder = try TemporaryFolder()
    try board("b/hall", days: ["day = \"2026-11-23\""], in: folder)
    folder.write("c/readme", [])
    _ = try Program.run(["report", "--boards", "b", "--csv", "c/x.csv"], in: folder)
    let text = String(decoding: try #require(folder.read("c/x.csv")), as: UTF8.self)
    let most = "1099511627776"
    let large = text.replacing(",3,61.", with: ",1,999999999999.").replacing(",1,1,0,", with: ",\(most),\(most),0,")
    #expect(large.contains(",1,999999999999.007,\(most),\(most),0,"))
    folder.write("c/x.csv", large)
    for form in [["--json"], ["--html", "p.html"], []] {
      #expect(try Program.run(["report", "--boards", "c"] + form, in: folder).status == 0)
    }
  }

  @Test("N4: a folder without a board is no report")
  func none() throws {
    let folder = try TemporaryFolder()
    folder.write("b/readme.txt", [])
    folder.makeFolder("b/System Volume Information")
    symlink("nowhere", folder.path(of: "b/lobby"))
    let outcome = try Program.run(["report", "--boards", "b"], in: folder)
    #expect(outcome.status == 1)
    let leftOut = """
      jackdaw: b/System Volume Information: no state of a board; it is left out
      jackdaw: b/lobby: No such file or directory; it is left out

      """
    let expected = "no board, expected a copy of its state folder or a .csv of each, or a .stats"
    #expect(outcome.errors == leftOut + "jackdaw: b: \(expected)\n")
    // Nor is it one among boards.
    for name in ["hall", "stairs"] { try board("b/\(name)", days: ["day = \"2026-11-23\""], in: folder) }
    let report = try Program.run(["report", "--boards", "b", "--json"], in: folder)
    #expect(report.status == 0 && report.errors == leftOut)
    let names = try JSONValue(parsing: report.output.utf8)["boards"]?.elements.compactMap { $0["name"]?.string }
    #expect(names.map(Set.init) == ["hall", "stairs"])
  }

  @Test("N4: tracks have the titles of their tags, and the board the name of the settings")
  func titles() throws {
    let folder = try TemporaryFolder()
    folder.write(
      "k.toml", "music = [\"\(Sources.fixtures)\"]\nstate = \"\(folder.path)/s\"\n[fleet]\nname = \"Lobby\"\n".utf8)
    let past = """
      version = 1
      [[periods]]
      id = 1
      day = "2026-11-23"
      [periods.tracks]
      "tag-id3v1.mp3" = "3 61000 1 1 0 0 1 0 0 0 1 0 0 1 0 0 0 0 1"
      "gone.mp3" = "3 61000 1 1 0 0 1 0 0 0 1 0 0 1 0 0 0 0 1"

      """
    folder.write("s/counters-past.toml", StateText.sealed(Array(past.utf8)))
    let json = try json("--board", "sim", "--settings", "k.toml", in: folder)
    let titles = json["tracks"]?.elements.map { ($0["name"]?.string ?? "", $0["title"]?.string) } ?? []
    #expect(titles.first { $0.0 == "gone.mp3" }?.1 == nil)
    #expect(titles.first { $0.0 == "tag-id3v1.mp3" }?.1?.isEmpty == false)
    let table = try Program.run(["report", "--board", "sim", "--settings", "k.toml"], in: folder)
    #expect(table.output.hasPrefix("Listened to at Lobby from 2026-11-23"))
    // What is left out is not opened.
    var (status, quarantine) = (stat(), Quarantine())
    let path = "\(Sources.fixtures)/tag-id3v1.mp3"
    #expect(stat(path, &status) == 0)
    let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    let mark = FileMark(path: path, size: Int(status.st_size), modified: modified)
    for _ in 0..<2 { quarantine.died(mark, reason: "signal 11") }
    folder.write("s/quarantine.toml", QuarantineText.encode(quarantine))
    let left = try self.json("--board", "sim", "--settings", "k.toml", in: folder)
    #expect(left["tracks"]?.elements.first { $0["name"]?.string == "tag-id3v1.mp3" }?["title"]?.string == nil)
  }
}
