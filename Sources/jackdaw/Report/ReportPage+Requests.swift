import Jukebox

/// Requests and coins on the page, where any were counted.
extension ReportPage {
  /// Requests by day; the hint of a day has coins and credits.
  var requests: String {
    guard !report.requestCounts.isEmpty, !report.days.isEmpty else { return "" }
    let bars = ReportChart.days(of: report).map { day in
      ReportChart.Bar(
        label: day.text, value: day.board[.requests] ?? 0, hint: "\(day.text): \(counted(day.board))")
    }
    return """
      <section>
      <h2>Requests a day</h2>
      \(ReportChart(bars: bars, labels: .sparse).svg("Requests a day"))
      </section>
      """
  }

  /// Follows the listens of one board; empty for a playlist.
  func requests(of board: [BoardCount: Int]) -> String {
    board.isEmpty || report.requestCounts.isEmpty ? "" : " · \(counted(board))"
  }

  private func counted(_ board: [BoardCount: Int]) -> String {
    report.requestCounts.map { "\(Self.number(board[$0] ?? 0)) \($0.title)" }.joined(separator: ", ")
  }
}
