import Jukebox

/// A chart of columns, as SVG.
struct ReportChart {
  struct Bar {
    var label: String
    var value: Int
    /// Shown when the pointer rests on it.
    var hint: String
  }

  enum Labels {
    /// A label under each column.
    case all
    /// As many labels as there is room for.
    case sparse
  }

  private static let (width, height) = (720.0, 210.0)
  private static let (left, bottom, top) = (72.0, 30.0, 14.0)
  /// More columns than this would be thinner than a line.
  private static let mostBars = 400

  let bars: [Bar]
  let labels: Labels

  /// The days of a report, those between them without a listen too; months where there would be too many.
  static func days(of report: ListeningReport) -> [ListeningReport.Day] {
    var days: [ListeningReport.Day] = []
    for day in report.days {
      while let last = days.last?.last, last.next < day.first, days.count <= mostBars {
        days.append(ListeningReport.Day(isMonth: false, first: last.next, sum: TrackCounts()))
      }
      days.append(day)
    }
    // Days beside months would be columns of different meaning.
    guard days.count > mostBars || days.contains(where: \.isMonth) else { return days }
    var months: [ListeningReport.Day] = []
    for day in report.days {
      let month = CalendarDay(year: day.first.year, month: day.first.month, day: 1)
      if months.last?.first == month {
        months[months.count - 1].add(day)
      } else {
        months.append(ListeningReport.Day(isMonth: true, first: month, sum: day.sum, board: day.board))
      }
    }
    return months
  }

  /// - Parameter title: for those who do not see it.
  func svg(_ title: String) -> String {
    let ticks = Self.ticks(bars.map(\.value).max() ?? 0)
    let most = Double(ticks.last ?? 1)
    let lines = ticks.map { tick in
      let y = Self.y(Double(tick) / most)
      return "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        + "<text class=\"tick\" x=\"\(Self.left - 6)\" y=\"\(y + 4)\">\(ReportPage.number(tick))</text>"
    }
    let step = (Self.width - Self.left) / Double(max(1, bars.count))
    let columns = bars.enumerated().map { index, bar in column(bar, at: index, step: step, most: most) }
    return """
      <svg class="chart" viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-label="\(title)">
      \(lines.joined(separator: "\n"))
      \(columns.joined(separator: "\n"))
      </svg>
      """
  }

  private func column(_ bar: Bar, at index: Int, step: Double, most: Double) -> String {
    let share = Double(bar.value) / most
    let gap = step > 6 ? step * 0.2 : step > 3 ? 1 : 0
    // One column alone would be as wide as the chart.
    let width = min(step - gap, 48)
    let x = Self.left + Double(index) * step + (step - width) / 2
    let y = Self.y(share)
    var text = "<g class=\"bar\"><title>\(ReportPage.escaped(bar.hint))</title>"
    // The whole height answers the pointer.
    text +=
      "<rect class=\"room\" x=\"\(Self.short(x - gap / 2))\" y=\"\(Self.top)\" width=\"\(Self.short(width + gap))\" "
    text += "height=\"\(Self.height - Self.bottom - Self.top)\"/>"
    text += "<rect x=\"\(Self.short(x))\" y=\"\(Self.short(y))\" width=\"\(Self.short(width))\" "
    text += "height=\"\(Self.short(Self.height - Self.bottom - y))\" rx=\"\(Self.short(min(3, width / 4)))\"/></g>"
    let middle = x + width / 2
    // A long label of the last columns would stand out of the chart.
    let isInside = middle + Double(bar.label.count) * 3 <= Self.width
    if isLabelled(index) && (isInside || bars.count == 1) {
      text +=
        "<text class=\"label\(isMinor(index) ? " minor" : "")\" x=\"\(Self.short(middle))\" y=\"\(Self.height - 6)\">"
      text += "\(ReportPage.escaped(bar.label))</text>"
    }
    return text
  }

  private func isLabelled(_ index: Int) -> Bool {
    switch labels {
    case .all: return true
    case .sparse:
      let every = max(1, (bars.count + 7) / 8)
      return index % every == every / 2
    }
  }

  /// Whether there is no room for its label where the page is narrow.
  private func isMinor(_ index: Int) -> Bool {
    switch labels {
    case .all: return bars.count > 12 && index % 3 != 0
    case .sparse:
      let every = max(1, (bars.count + 7) / 8)
      return index / every % 3 != 1
    }
  }

  private static func y(_ share: Double) -> Double { top + (height - bottom - top) * (1 - share) }

  /// Zero and up to five round numbers, the last at least as large as `most`.
  static func ticks(_ most: Int) -> [Int] {
    let most = max(1, most)
    var unit = 1
    while true {
      for factor in [1, 2, 5] where unit * factor * 5 >= most {
        let step = unit * factor
        return Array(stride(from: 0, through: (most + step - 1) / step * step, by: step))
      }
      guard unit < Int.max / 100 else { return [0, most] }
      unit *= 10
    }
  }

  static func short(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
