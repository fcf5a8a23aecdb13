import AudioSession
import JSON
import Jukebox
import Storage
import TestSupport
import Testing

/// What `jackdaw report` says of requests and coins, where there were any.
@Suite struct RequestReportTests {
  private func moment(_ day: Int) -> CountingMoment {
    CountingMoment(instant: .powerOn, local: .init(day: CalendarDay(year: 2026, month: 11, day: day), second: 43_200))
  }

  /// A board's state folder: on the first day a listen and nothing else, on the second five coins, on the third requests.
  private func board(_ name: String, coins: Int = 5, in folder: TemporaryFolder) throws {
    folder.write("\(name)/notes.txt", [])
    let store = CountsStore(KeptDatabase(folder: folder.path(of: name)))
    var counts = ListeningCounts(after: nil, seed: 5, at: moment(20))
    counts.count(.start("a.mp3"), at: moment(20))
    counts.count(.board(.coins, by: coins), at: moment(21))
    counts.count(.board(.creditsBought, by: coins + 1), at: moment(21))
    counts.count(.start("b.mp3"), at: moment(22))
    for key in [BoardCount.requests, .requests, .requests, .freeRequests, .creditsTaken, .creditsTaken] {
      counts.count(.board(key), at: moment(22))
    }
    counts.count(.board(.creditsGiven, by: 3), at: moment(22))
    counts.count(.board(.creditsReturned), at: moment(22))
    #expect(store.write(counts) == .saved)
  }

  private func report(_ arguments: String..., in folder: TemporaryFolder) throws -> String {
    let outcome = try Program.run(["report"] + arguments, in: folder)
    #expect(outcome.status == 0 && outcome.errors == "")
    return outcome.output
  }

  /// The cells of the row that begins so.
  private func row(_ head: String, _ text: String) -> [Substring] {
    let row = text.split(separator: "\n").first { $0.hasPrefix(head) } ?? ""
    return row.dropFirst(head.count).split(separator: " ")
  }

  @Test("J7: the table has requests, coins and credits by day and in all")
  func table() throws {
    let folder = try TemporaryFolder()
    try board("s", in: folder)
    let text = try report("--state", "s", in: folder)
    #expect(
      row("DAY", text) == [
        "STARTS", "HEARD", "END", "REQUESTS", "FREE", "COINS", "BOUGHT", "GIVEN", "TAKEN", "RETURNED",
      ])
    #expect(row("2026-11-20", text) == ["1", "0:00", "0", "0", "0", "0", "0", "0", "0", "0"])
    #expect(row("2026-11-21", text) == ["0", "0:00", "0", "0", "0", "5", "6", "0", "0", "0"])
    #expect(row("2026-11-22", text) == ["1", "0:00", "0", "3", "1", "0", "0", "3", "2", "1"])
    for (title, count) in [
      ("requests  ", "3"), ("requests without a credit", "1"), ("coins", "5"), ("credits bought", "6"),
      ("credits given by staff", "3"), ("credits taken", "2"), ("credits returned", "1"),
    ] { #expect(row(title, text) == [Substring(count)], "\(title)") }
    #expect(row("coins", try report("--state", "s", "--from", "2026-11-22", in: folder)) == ["0"])
    // A day without any of it is a board without requests.
    let plain = try report("--state", "s", "--to", "2026-11-20", in: folder)
    #expect(!plain.contains("coins") && row("DAY", plain) == ["STARTS", "HEARD", "END"])
  }

  @Test("J7: the JSON has them for the board, each board and each day, and none of them where nothing was counted")
  func json() throws {
    let folder = try TemporaryFolder()
    try board("boards/bar", in: folder)
    try board("boards/club", coins: 2, in: folder)
    let json = try JSONValue(parsing: report("--boards", "boards", "--json", in: folder).utf8)
    #expect(json["board"]?["coins"]?.integer == 7 && json["board"]?["free-requests"]?.integer == 2)
    #expect(json["boards"]?.elements.map { $0["board"]?["coins"]?.integer } == [5, 2])
    #expect(json["days"]?.elements.map { $0["board"]?["credits-bought"]?.integer } == [nil, 9, 0])
    let plain = try JSONValue(parsing: report("--boards", "boards", "--to", "2026-11-20", "--json", in: folder).utf8)
    #expect(plain["board"]?["visits"]?.integer == 0 && plain["board"]?["coins"] == nil)
    #expect(plain["boards"]?.elements.contains { $0["board"] != nil } == false)
    let text = try report("--boards", "boards", in: folder)
    #expect(row("club", text) == ["2", "0:00", "0", "3", "1", "2", "3", "3", "2", "1"])
  }

  @Test("J7: a spreadsheet has them in a row without a track, and carries them to a report of several boards")
  func spreadsheet() throws {
    let folder = try TemporaryFolder()
    try board("s", in: folder)
    folder.write("boards/notes.txt", [])
    #expect(try report("--state", "s", "--name", "bar", "--csv", "boards/a.csv", in: folder).hasSuffix(": 4 rows\n"))
    let lines = try text("boards/a.csv", folder).split(separator: "\r\n")
    let names = "requests,free-requests,coins,credits-bought,credits-given,credits-taken,credits-returned"
    #expect(lines.first?.hasSuffix(",tenth-10,\(names)") == true)
    let none = String(repeating: ",0", count: 17)
    #expect(
      lines.dropFirst() == [
        "bar,2026-11-20,,a.mp3,,1,0.000\(none),0,0,0,0,0,0,0"[...],
        "bar,2026-11-21,,,,0,0.000\(none),0,0,5,6,0,0,0", "bar,2026-11-22,,b.mp3,,1,0.000\(none),0,0,0,0,0,0,0",
        "bar,2026-11-22,,,,0,0.000\(none),3,1,0,0,3,2,1",
      ])
    let carried = try JSONValue(parsing: report("--boards", "boards", "--json", in: folder).utf8)
    let direct = try JSONValue(parsing: report("--state", "s", "--json", in: folder).utf8)
    for key in ["sum", "tracks", "days", "from", "to"] {
      #expect(direct[key]?.text == carried[key]?.text, "\(key)")
    }
    #expect(carried["board"]?["credits-bought"]?.integer == 6)
    // A table of a board without any has no columns for them, and is read beside one that has.
    let plain = try report("--state", "s", "--to", "2026-11-20", "--csv", "boards/b.csv", in: folder)
    #expect(plain == "boards/b.csv: 1 rows\n")
    #expect(try !text("boards/b.csv", folder).contains("coins"))
    let both = try JSONValue(parsing: report("--boards", "boards", "--json", in: folder).utf8)
    #expect(both["board"]?["coins"]?.integer == 5 && both["sum"]?["starts"]?.integer == 3)
    folder.write("boards/b.csv", Array(try text("boards/a.csv", folder).replacing("5,6,0", with: "5,six,0").utf8))
    let broken = try Program.run(["report", "--boards", "boards"], in: folder)
    #expect(broken.errors.contains("b.csv:3: credits-bought: found \"six\", expected a number"))
  }

  @Test("J7: the page has a chart of requests, with coins and credits of each day")
  func page() throws {
    let folder = try TemporaryFolder()
    try board("boards/bar", in: folder)
    try board("boards/club", in: folder)
    _ = try report("--boards", "boards", "--html", "p.html", in: folder)
    let page = try text("p.html", folder)
    #expect(page.contains("<h2>Requests a day</h2>") && page.contains("<b>10</b><span>coins</span>"))
    #expect(page.contains("2026-11-21: 0 requests, 0 requests without a credit, 10 coins, 12 credits bought"))
    _ = try report("--boards", "boards", "--to", "2026-11-20", "--html", "p.html", in: folder)
    #expect(try !text("p.html", folder).contains("coins"))
  }

  private func text(_ path: String, _ folder: TemporaryFolder) throws -> String {
    String(decoding: try #require(folder.read(path)), as: UTF8.self)
  }
}
