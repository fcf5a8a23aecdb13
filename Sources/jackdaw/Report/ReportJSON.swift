import AudioSession
import JSON
import Jukebox

/// The report for programs, on one line. New keys may come; those that are there keep their meaning.
struct ReportJSON {
  let report: ListeningReport

  var value: JSONValue {
    let days = report.days.map { JSONValue.object([.init("date", .string($0.text))] + Self.members($0.sum)) }
    let tracks = report.tracks.map { name, counts in
      let key = name == CountedPeriod.others ? JSONValue.Member("others", .bool(true)) : .init("name", .string(name))
      let title = report.titles[name].map { [JSONValue.Member("title", .string($0))] } ?? []
      return JSONValue.object([key] + title + Self.members(counts) + [.init("tenths", Self.integers(counts.tenths))])
    }
    let played = report.played.map { Int($0.components.seconds) }
    let board = BoardCount.allCases.map { JSONValue.Member($0.rawValue, .integer(report.board[$0] ?? 0)) }
    return .object([
      .init("version", .integer(1)),
      .init("from", .optional(report.range?.lowerBound.text)), .init("to", .optional(report.range?.upperBound.text)),
      .init("sum", .object(Self.members(report.sum))),
      .init("boards", Self.sums(report.boards)), .init("playlists", Self.sums(report.playlists)),
      .init("tracks", .array(tracks)), .init("days", .array(days)), .init("hours", Self.integers(report.hours)),
      .init("undated", report.undated.map { .object(Self.members($0)) } ?? .null),
      .init("periods-left-out", .integer(report.leftOut)),
      .init("board", .object(board + [.init("seconds-played", .optional(played))])),
    ])
  }

  private static func members(_ counts: TrackCounts) -> [JSONValue.Member] {
    let left = Leaving.allCases.map { JSONValue.Member($0.rawValue, .integer(counts.left[$0] ?? 0)) }
    return [
      .init("starts", .integer(counts.starts)), .init("seconds", .integer(counts.milliseconds / 1_000)),
      .init("milliseconds", .integer(counts.milliseconds)), .init("left", .object(left)),
    ]
  }

  private static func sums(_ sums: [(name: String, sum: TrackCounts)]) -> JSONValue {
    .array(sums.map { .object([.init("name", .string($0.name))] + members($0.sum)) })
  }

  private static func integers(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer($0) }) }
}
