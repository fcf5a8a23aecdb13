import AudioSession
import Files
import Jukebox

/// The report as text for a terminal.
struct ReportTable {
  /// More days than this are shown by month.
  private static let mostDays = 62
  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  let report: ListeningReport
  /// Whether characters beyond ASCII are shown.
  let isUnicode: Bool

  var text: String {
    var parts = [head]
    if !report.boards.isEmpty {
      parts.append(sums(report.boards, "BOARD", report.requestCounts, shown: Wording.oneLine))
    }
    if !report.playlists.isEmpty {
      parts.append(sums(report.playlists, "PLAYLIST", shown: ListeningReport.shownPlaylist))
    }
    if !report.tracks.isEmpty { parts.append(tracks) }
    if !report.days.isEmpty { parts.append(days) }
    if report.hours.contains(where: { $0 > 0 }) { parts.append(hours) }
    parts.append(board)
    if report.leftOut > 0 {
      parts.append("Left out: \(report.leftOut) periods that have no date, or are only partly in the range.")
    }
    return parts.joined(separator: "\n\n")
  }

  private var head: String {
    let range =
      report.range.map { "from \($0.lowerBound.text) to \($0.upperBound.text)" } ?? report.openRange
      ?? (report.undated == nil ? "so far" : "without dates")
    let place = report.name.isEmpty ? "" : " at \(ascii(Wording.oneLine(report.name)))"
    let ended = ListeningReport.percent(report.sum.ends, of: report.sum.starts).map { ", \($0) % of them to the end" }
    return "Listened to\(place) \(range): \(report.sum.starts) times, \(report.sum.heard.clock)\(ended ?? "")"
  }

  // MARK: - Tracks

  private var tracks: String {
    let endings: [Leaving] = [.ended, .skipped, .chosen, .stopped, .unplugged, .idle, .failed]
    var rows = [["TRACK", "STARTS", "HEARD", "END", "SKIP", "CHOICE", "STOP", "UNPLUG", "IDLE", "FAIL"]]
    if isUnicode { rows[0].append("HOW FAR") }
    for (name, counts) in report.tracks {
      var row = [shown(name), String(counts.starts), counts.heard.clock]
      row += endings.map { String(counts.left[$0] ?? 0) }
      if isUnicode { row.append(curve(counts.reach)) }
      rows.append(row)
    }
    return Self.columns(rows)
  }

  private func sums(
    _ sums: [ListeningReport.Part], _ title: String, _ counts: [BoardCount] = [], shown: (String) -> String
  ) -> String {
    let rows = sums.map { part in
      [ascii(shown(part.name))] + Self.cells(part.sum) + Self.cells(part.board, counts)
    }
    return Self.columns([[title] + Self.headings(counts)] + rows)
  }

  private static func headings(_ counts: [BoardCount]) -> [String] {
    ["STARTS", "HEARD", "END"] + counts.map(\.heading)
  }

  private static func cells(_ sum: TrackCounts) -> [String] {
    [String(sum.starts), sum.heard.clock, String(sum.ends)]
  }

  private static func cells(_ board: [BoardCount: Int], _ counts: [BoardCount]) -> [String] {
    counts.map { String(board[$0] ?? 0) }
  }

  private func shown(_ name: String) -> String { ascii(ListeningReport.shown(name)) }

  private func ascii(_ name: String) -> String {
    if isUnicode { return name }
    return name.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
  }

  /// The share of listens that came as far as each tenth, as a row of columns.
  private func curve(_ reach: [Double]) -> String {
    String(reach.map { Self.steps[min(Self.steps.count - 1, Int($0 * Double(Self.steps.count)))] })
  }

  // MARK: - Time and board

  private var days: String {
    let counts = report.requestCounts
    var sums: [(text: String, day: ListeningReport.Day)] = []
    for day in report.days {
      let text = report.days.count > Self.mostDays ? String(day.first.text.dropLast(3)) : day.text
      if sums.last?.text == text { sums[sums.count - 1].day.add(day) } else { sums.append((text, day)) }
    }
    var rows = sums.map { [$0.text] + Self.cells($0.day.sum) + Self.cells($0.day.board, counts) }
    if let undated = report.undated {
      rows.append(["no date"] + Self.cells(undated) + Self.cells(report.undatedBoard, counts))
    }
    return Self.columns([["DAY"] + Self.headings(counts)] + rows)
  }

  private var hours: String {
    let rows = report.hours.enumerated().filter { $0.element > 0 }.map { hour, starts in
      ["\(hour.twoDigits):00", String(starts)]
    }
    return Self.columns([["HOUR", "STARTS"]] + rows)
  }

  private var board: String {
    var rows = report.shownCounts.map { [$0.title, String(report.board[$0] ?? 0)] }
    if let played = report.played { rows.append(["hours played in all", String(played.components.seconds / 3_600)]) }
    return Self.columns([["BOARD", "COUNT"]] + rows)
  }

  /// Rows of equal length, the first column to the left and the others to the right.
  private static func columns(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].unicodeScalars.count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let gap = String(repeating: " ", count: cell.1 - cell.0.unicodeScalars.count)
        return column == 0 ? cell.0 + gap : gap + cell.0
      }
      return cells.joined(separator: "  ")
    }
    return lines.joined(separator: "\n")
  }
}
