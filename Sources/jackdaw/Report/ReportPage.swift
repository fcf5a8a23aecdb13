import Board
import Files
import Jukebox

/// The report as one page for a browser: without a script, and without anything from elsewhere, so that it opens from a
/// stick on any computer.
struct ReportPage {
  /// How many tracks are shown at once; the others are behind a line to click on.
  private static let shownTracks = 40

  let report: ListeningReport
  let made: WallTime

  var text: String {
    let parts = [header, numbers, sums, timeline, requests, weekdays, hours, tracks, board, footer]
    let body = parts.filter { !$0.isEmpty }.joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title))</title>
      <style>
      \(ReportStyle.text)
      </style>
      </head>
      <body>
      <main>
      \(body)
      </main>
      </body>
      </html>

      """
  }

  /// Text between tags, or in quotes within one.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  // MARK: - The head

  private var header: String {
    let range =
      report.range.map { range in
        range.lowerBound == range.upperBound
          ? range.lowerBound.text : "\(range.lowerBound.text) to \(range.upperBound.text)"
      } ?? report.openRange ?? (report.undated == nil ? "nothing yet" : "no dates, as the clock was not known")
    return """
      <header>
      <h1>\(Self.escaped(title))</h1>
      <p>\(range)</p>
      </header>
      """
  }

  private var title: String {
    report.name.isEmpty ? "What was listened to" : "\(Wording.oneLine(report.name)): what was listened to"
  }

  private var numbers: String {
    let sum = report.sum
    let percent = ListeningReport.percent(sum.ends, of: sum.starts).map { "\($0) %" } ?? "–"
    let busiest = report.hours.enumerated().max { ($0.element, $1.offset) < ($1.element, $0.offset) }
    var cards = [
      (Self.number(sum.starts), sum.starts == 1 ? "listen" : "listens"),
      (Self.time(sum.heard), "heard in all"),
      (percent, "heard to the end"),
    ]
    if let busiest, busiest.element > 0 { cards.append((Self.hour(busiest.offset), "the busiest hour")) }
    if let best = report.tracks.first, best.counts.starts > 0 {
      cards.append((report.titles[best.name] ?? ListeningReport.shown(best.name), "most listened to"))
    }
    let items = cards.map { value, label in
      "<div class=\"card\(value.count > 9 ? " long" : "")\"><b>\(Self.escaped(value))</b><span>\(label)</span></div>"
    }
    return "<section class=\"cards\">\(items.joined())</section>"
  }

  /// A duration as people say it: `3 h 20 min`, `12 min`, `40 s`.
  static func time(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 30) / 60
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 6_000 { return "\(minutes / 60) h \(minutes % 60) min" }
    return "\((minutes + 30) / 60) h"
  }

  /// Digits in groups of three, as `12 345`, which no language takes for a fraction.
  static func number(_ number: Int) -> String {
    let digits = Array(String(number))
    guard digits.count > 4 else { return String(digits) }
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
      text.append(digits[index])
    }
  }

  static func listens(_ count: Int) -> String { "\(number(count)) \(count == 1 ? "listen" : "listens")" }

  private static func hour(_ hour: Int) -> String { "\(hour)–\(hour + 1) h" }

  // MARK: - Boards and playlists

  private var sums: String {
    let boards = list(report.boards, "Each board", shown: Wording.oneLine)
    return boards + list(report.playlists, "Each playlist", shown: ListeningReport.shownPlaylist)
  }

  private func list(_ sums: [ListeningReport.Part], _ title: String, shown: (String) -> String) -> String {
    guard !sums.isEmpty else { return "" }
    let most = max(1, sums.map(\.sum.starts).max() ?? 1)
    let rows = sums.map { part in
      let (name, sum) = (shown(part.name), part.sum)
      let share = ReportChart.short(Double(sum.starts) * 100 / Double(most))
      let ended = ListeningReport.percent(sum.ends, of: sum.starts).map { " · \($0) % to the end" } ?? ""
      return """
        <li><b>\(Self.escaped(name))</b><div class="meter"><i style="width:\(share)%"></i></div>\
        <span>\(Self.listens(sum.starts)) · \(Self.time(sum.heard))\(ended)\(requests(of: part.board))</span></li>
        """
    }
    return """
      <section>
      <h2>\(title)</h2>
      <ul class="sums">\(rows.joined(separator: "\n"))</ul>
      </section>
      """
  }

  // MARK: - When

  private var timeline: String {
    guard !report.days.isEmpty else { return "" }
    let bars = ReportChart.days(of: report).map { bar in
      ReportChart.Bar(
        label: bar.text, value: bar.sum.starts,
        hint: "\(bar.text): \(Self.listens(bar.sum.starts)), \(Self.time(bar.sum.heard))")
    }
    let undated = report.undated.map {
      "<p class=\"note\">\(Self.number($0.starts)) more without a date, counted while the clock was not known.</p>"
    }
    return """
      <section>
      <h2>Listens a day</h2>
      \(ReportChart(bars: bars, labels: .sparse).svg("Listens a day"))\(undated ?? "")
      </section>
      """
  }

  private var weekdays: String {
    let days = report.days.filter { !$0.isMonth }
    guard days.count > 1 else { return "" }
    let bars = Weekday.allCases.map { weekday in
      let starts = days.filter { $0.first.weekday == weekday }.reduce(0) { $0.adding($1.sum.starts) }
      return ReportChart.Bar(label: weekday.title, value: starts, hint: "\(weekday.title): \(Self.listens(starts))")
    }
    return """
      <section>
      <h2>By the day of the week</h2>
      \(ReportChart(bars: bars, labels: .all).svg("Listens by the day of the week"))
      </section>
      """
  }

  private var hours: String {
    guard report.hours.contains(where: { $0 > 0 }) else { return "" }
    let bars = report.hours.enumerated().map { hour, starts in
      ReportChart.Bar(label: "\(hour)", value: starts, hint: "\(Self.hour(hour)): \(Self.listens(starts))")
    }
    return """
      <section>
      <h2>By the hour of the day</h2>
      \(ReportChart(bars: bars, labels: .all).svg("Listens by the hour of the day"))
      </section>
      """
  }

  // MARK: - Tracks

  private var tracks: String {
    let rows = ReportTracks(report).rows
    if rows.isEmpty { return "<section><p>No track was listened to.</p></section>" }
    let head = rows.prefix(Self.shownTracks).joined(separator: "\n")
    let rest = rows.dropFirst(Self.shownTracks)
    let more =
      rest.isEmpty
      ? ""
      : "<details><summary>\(rest.count) more tracks</summary>\n\(rest.joined(separator: "\n"))\n</details>"
    return """
      <section>
      <h2>Each track</h2>
      \(ReportTracks.legend)
      <div class="tracks">
      \(head)
      \(more)
      </div>
      </section>
      """
  }

  // MARK: - The board

  private var board: String {
    var rows = report.shownCounts.map { key in
      let count = report.board[key] ?? 0
      return (key.title, Self.number(count), count > 0 && key.isTrouble)
    }
    if let played = report.played { rows.insert(("played in all", Self.time(played), false), at: 1) }
    let items = rows.map { title, value, isTrouble in
      "<div class=\"card small\(isTrouble ? " trouble" : "")\"><b>\(value)</b><span>\(title)</span></div>"
    }
    return """
      <section>
      <h2>The board</h2>
      <div class="cards">\(items.joined())</div>
      </section>
      """
  }

  private var footer: String {
    let stamp = made.fileStamp.split(separator: " ")
    let left =
      report.leftOut == 0
      ? "" : " \(report.leftOut) periods without a date, or only partly in the range, are left out."
    return """
      <footer>
      <p>A listen is a track from its first sound until it is left. Pauses, interruptions and what follows a plug that
      comes back belong to the same listen, and are not heard time.\(left)</p>
      <p>Made on \(stamp.first ?? "").</p>
      </footer>
      """
  }
}
