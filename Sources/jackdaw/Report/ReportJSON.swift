import JSON
import Jukebox

/// The report for programs, on one line. New keys may come; those that are there keep their meaning.
struct ReportJSON {
  let report: ListeningReport

  var value: JSONValue {
    let days = report.days.map { day in
      JSONValue.object([.init("date", .string(day.text))] + Self.members(day.sum) + requests(day.board))
    }
    let tracks = report.tracks.map { name, counts in
      let key = name == CountedPeriod.others ? JSONValue.Member("others", .bool(true)) : .init("name", .string(name))
      let title = report.titles[name].map { [JSONValue.Member("title", .string($0))] } ?? []
      return JSONValue.object([key] + title + Self.members(counts) + [.init("tenths", Self.integers(counts.tenths))])
    }
    let played = report.played.map { Int($0.components.seconds) }
    let board = Self.members(report.board, report.shownCounts)
    return .object([
      .init("version", .integer(1)),
      .init("from", .optional(report.range?.lowerBound.text)), .init("to", .optional(report.range?.upperBound.text)),
      .init("sum", .object(Self.members(report.sum))),
      .init("boards", sums(report.boards)), .init("playlists", sums(report.playlists)),
      .init("tracks", .array(tracks)), .init("days", .array(days)), .init("hours", Self.integers(report.hours)),
      .init("undated", report.undated.map { .object(Self.members($0) + requests(report.undatedBoard)) } ?? .null),
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

  private static func members(_ board: [BoardCount: Int], _ counts: [BoardCount]) -> [JSONValue.Member] {
    counts.map { .init($0.rawValue, .integer(board[$0] ?? 0)) }
  }

  /// What was counted of requests and coins, where any was.
  private func requests(_ board: [BoardCount: Int]) -> [JSONValue.Member] {
    let isCounted = report.requestCounts.contains { board[$0, default: 0] > 0 }
    return isCounted ? [.init("board", .object(Self.members(board, report.requestCounts)))] : []
  }

  private func sums(_ sums: [ListeningReport.Part]) -> JSONValue {
    .array(
      sums.map { .object([.init("name", .string($0.name))] + Self.members($0.sum) + requests($0.board)) })
  }

  private static func integers(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer($0) }) }
}
