import AudioSession
import Jukebox

/// The report as a table of comma-separated values (RFC 4180) for spreadsheets and for adding up several boards: a row for
/// each track of each day on each board.
///
/// A day is `2026-11-23`; `2026-11` is a month that is long past, `` what has no date, `earlier` what is older than all
/// dates. An empty track stands for all that were counted together.
///
/// If a board has counted requests or coins, there are columns for them after all others, and a row without a track
/// for each day on which it has.
struct ReportCSV {
  /// The columns, in their order. New ones come at the end.
  static let columns =
    ["board", "day", "playlist", "track", "title", "starts", "seconds"] + Leaving.allCases.map(\.rawValue)
    + (1...10).map { "tenth-\($0)" }

  /// Without the one that names the columns.
  let rows: [[String]]

  /// The columns of requests and coins; none where there are none.
  let counts: [BoardCount]

  init(_ report: ListeningReport) {
    let counts = report.requestCounts
    self.counts = counts
    rows = report.periods.flatMap { board, period in
      let head = [board, Self.day(period.span)]
      let tracks = period.names.sorted().compactMap { track in
        let titles = [ListeningReport.playlist(of: track), track, report.titles[track] ?? ""]
        return period.tracks[FileName(track)].map { head + titles + Self.numbers($0) + counts.map { _ in "0" } }
      }
      let counted = counts.map { period.board[$0] ?? 0 }
      guard counted.contains(where: { $0 > 0 }) else { return tracks }
      return tracks + [head + ["", "", ""] + Self.numbers(TrackCounts()) + counted.map { String($0) }]
    }
  }

  var text: String {
    // The mark of UTF-8: some spreadsheets take the text for another encoding without it.
    "\u{FEFF}" + ([Self.columns + counts.map(\.rawValue)] + rows).map(Self.line).joined()
  }

  /// Whether a spreadsheet would take a name for a formula. In quotes it still would, so it gets a `'` in front, as
  /// spreadsheets themselves have it.
  static func isFormula(_ text: some StringProtocol) -> Bool { text.first.map { "=+-@\t".contains($0) } ?? false }

  private static func numbers(_ counts: TrackCounts) -> [String] {
    let seconds = "\(counts.milliseconds / 1_000).\(String(counts.milliseconds % 1_000).zeroPadded(to: 3))"
    return [String(counts.starts), seconds] + Leaving.allCases.map { String(counts.left[$0] ?? 0) }
      + counts.tenths.map { String($0) }
  }

  private static func day(_ span: CountedPeriod.Span) -> String {
    switch span {
    case .powerOn: ""
    case .day(let day): day.text
    case .month(let day): String(day.text.dropLast(3))
    case .earlier: "earlier"
    }
  }

  private static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    let text = isFormula(field) ? "'" + field : field
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
