import Files
import Jukebox

/// The rows of a report's page that show one track each: how often, how long, how far, and how it was left.
struct ReportTracks {
  private static let (width, height) = (200.0, 44.0)

  let rows: [String]

  init(_ report: ListeningReport) {
    let most = report.tracks.map(\.counts.starts).max() ?? 1
    rows = report.tracks.map { Self.row($0.name, title: report.titles[$0.name], $0.counts, most: max(1, most)) }
  }

  static var legend: String {
    let items = Leaving.allCases.map { "<li><i class=\"\($0.rawValue)\"></i>\($0.title)</li>" }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  private static func row(_ name: String, title: String?, _ counts: TrackCounts, most: Int) -> String {
    let share = ReportChart.short(Double(counts.starts) * 100 / Double(most))
    let percent = ListeningReport.percent(counts.ends, of: counts.starts).map { "\($0) % to the end" } ?? ""
    let shown = ReportPage.escaped(ListeningReport.shown(name))
    let head = title.map { "<h3>\(ReportPage.escaped(Wording.oneLine($0)))</h3><p class=\"file\">\(shown)</p>" }
    return """
      <article>
      <div class="title">\(head ?? "<h3>\(shown)</h3>")</div>
      <div class="count"><div class="meter"><i style="width:\(share)%"></i></div>
      <b>\(ReportPage.number(counts.starts))</b> \(counts.starts == 1 ? "listen" : "listens") · \(ReportPage.time(counts.heard)) · \(percent)</div>
      <figure><figcaption>how many listen so far, of all</figcaption>\(curve(counts))</figure>
      <figure><figcaption>how it ended</figcaption>\(endings(counts))</figure>
      </article>
      """
  }

  /// The share of listens that came as far as each tenth of the track, as a falling staircase.
  private static func curve(_ counts: TrackCounts) -> String {
    let reach = counts.reach
    guard !reach.isEmpty else { return "<p class=\"none\">not known</p>" }
    let step = width / Double(reach.count)
    var path = "M0 \(ReportChart.short(height))"
    for (tenth, share) in reach.enumerated() {
      let y = ReportChart.short(2 + (height - 2) * (1 - share))
      path += "L\(ReportChart.short(Double(tenth) * step)) \(y)L\(ReportChart.short(Double(tenth + 1) * step)) \(y)"
    }
    path += "L\(ReportChart.short(width)) \(ReportChart.short(height))Z"
    let half = ListeningReport.percent(Int(reach[5] * 1_000), of: 1_000) ?? 0
    let last = ListeningReport.percent(Int(reach[9] * 1_000), of: 1_000) ?? 0
    let title = "\(half) % come as far as the middle, \(last) % as far as the last tenth"
    return """
      <svg class="curve" viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img" aria-label="\(title)">\
      <title>\(title)</title><path d="\(path)"/>\
      <line x1="\(width / 2)" x2="\(width / 2)" y1="0" y2="\(height)"/></svg>\
      <p class="axis"><span>begin</span><span>middle</span><span>end</span></p>
      """
  }

  private static func endings(_ counts: TrackCounts) -> String {
    let all = Leaving.allCases.reduce(0) { $0.adding(counts.left[$1] ?? 0) }
    guard all > 0 else { return "<p class=\"none\">not yet</p>" }
    let parts = Leaving.allCases.compactMap { leaving -> String? in
      guard let count = counts.left[leaving], count > 0 else { return nil }
      let share = ReportChart.short(Double(count) * 100 / Double(all))
      return "<i class=\"\(leaving.rawValue)\" style=\"width:\(share)%\" title=\"\(leaving.title): \(count)\"></i>"
    }
    let words = Leaving.allCases.compactMap { leaving in
      counts.left[leaving].flatMap { $0 > 0 ? "<span>\(leaving.title) \($0)</span>" : nil }
    }
    return "<div class=\"stack\">\(parts.joined())</div><p class=\"words\">\(words.joined(separator: ", "))</p>"
  }
}
