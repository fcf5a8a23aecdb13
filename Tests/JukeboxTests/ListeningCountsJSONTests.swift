import AudioSession
import JSON
import Testing

@testable import Jukebox

@Suite struct ListeningCountsJSONTests {
  private func at(_ second: Int, _ day: Int) -> CountingMoment {
    CountingMoment(
      instant: .powerOn + .seconds(second),
      local: .init(day: CalendarDay(year: 2026, month: 3, day: day), second: 12 * 3_600))
  }

  @Test("F8: stats --json has the period that is over and the current one, each with its sum, whatever the tracks are")
  func machineForm() throws {
    func lines(_ counts: ListeningCounts) throws -> [JSONValue] {
      try counts.json.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
    }
    var counts = ListeningCounts(after: nil, seed: 9, at: at(0, 1))
    counts.count(.board(.powerOns), at: at(0, 1))
    counts.count(.start("a \"b\"\nü.mp3"), at: at(1, 1))
    counts.count(.heard("a \"b\"\nü.mp3", milliseconds: 2_500), at: at(1, 1))
    counts.count(.left("a \"b\"\nü.mp3", .ended, tenth: 9), at: at(1, 1))
    let one = try lines(counts)
    #expect(one.count == 1 && one[0]["period"]?.string == "2026-03-01" && one[0]["others"] == .null)
    #expect(one[0]["id"]?.string == String(counts.current.id) && one[0]["board"]?["power-ons"]?.integer == 1)
    let track = try #require(one[0]["tracks"]?.elements.first)
    #expect(track["name"]?.string == "a \"b\"\nü.mp3" && track["seconds"]?.integer == 2)
    #expect(track["left"] == ["ended": .integer(1)] && one[0]["sum"]?["starts"]?.integer == 1)
    // Finished, and in the history already; or saved before a power off.
    counts.count(.start("b"), at: at(2, 2))
    counts.forget([counts.finished[0].id])
    #expect(try lines(counts).map { $0["period"]?.string } == ["2026-03-01", "2026-03-02"])
    #expect(try lines(counts)[0] == one[0])
    let next = ListeningCounts(after: counts.saved, seed: 1, at: at(0, 3))
    #expect(try lines(next).map { $0["period"]?.string } == ["2026-03-01", "2026-03-02", "2026-03-03"])
    // Switched off before anybody has asked: on the same day, and after a day on which nothing was counted.
    let sameDay = ListeningCounts(after: counts.saved, seed: 1, at: at(0, 2))
    #expect(try lines(sameDay).map { $0["period"]?.string } == ["2026-03-01", "2026-03-02"])
    #expect(try lines(sameDay)[0] == one[0])
    // And after boots that nobody asked in.
    var boots = counts
    for day in 3...4 {
      boots = ListeningCounts(after: boots.saved, seed: 1, at: at(0, day))
      boots.count(.board(.powerOns), at: at(0, day))
    }
    let days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    #expect(try lines(boots).map { $0["period"]?.string } == days)
  }

  @Test("F8: periods with more tracks than a reply holds are bounded, and their sums are whole")
  func bounded() throws {
    var counts = ListeningCounts(after: nil, seed: 9, at: at(0, 1))
    for day in 1...5 {
      for index in 0..<500 {
        let name = "\(index) " + String(repeating: "\u{7}", count: 60)
        counts.count(.start(name), at: at(day, day))
        counts.count(.heard(name, milliseconds: 1_000 * index), at: at(day, day))
      }
    }
    #expect(counts.json.utf8.count < 16_000)
    for line in counts.json.split(separator: "\n") {
      let json = try JSONValue(parsing: line.utf8)
      let shown = json["tracks"]?.elements ?? []
      #expect(json["sum"]?["starts"]?.integer == 500 && shown.first?["seconds"]?.integer == 499 && shown.count > 3)
      #expect(json["others"]?["starts"]?.integer == 500 - shown.count)
    }
  }
}
