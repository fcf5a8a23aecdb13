import Files
import Jukebox

/// Reads the tables that `ReportCSV` writes. The hours of the day and what the board counts beside the tracks, its requests
/// and coins excepted, are not in them.
struct ReportCSVReader {
  /// What was counted on each board, in the order of the table, by its name there.
  private(set) var boards: [(name: String, periods: [CountedPeriod])] = []
  private(set) var titles: [String: String] = [:]
  /// Indices of boards by their names, and of their periods by the text of the day.
  private var places: [String: (board: Int, days: [String: Int])] = [:]

  /// Returns no boards where the file has no line.
  /// - Parameter file: its path, for errors.
  static func read(_ bytes: [UInt8], file: String) throws(FileError) -> ReportCSVReader {
    var reader = ReportCSVReader()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(file: file, message: "not UTF-8, expected a table of `jackdaw report --csv`")
    }
    var columns: [String: Int] = [:]
    for (line, fields) in try rows(text, file: file) {
      if columns.isEmpty {
        for (index, name) in fields.enumerated() { columns[name] = index }
        if let missing = ReportCSV.columns.first(where: { columns[$0] == nil }) {
          throw FileError(
            file: file, line: line, field: missing,
            message: "no such column, expected a table of `jackdaw report --csv`")
        }
      } else {
        try reader.take(Row(file: file, line: line, fields: fields, columns: columns))
      }
    }
    return reader
  }

  private mutating func take(_ row: Row) throws(FileError) {
    let day = try row.text("day")
    let track = try row.text("track")
    var counts = TrackCounts()
    counts.starts = try row.number("starts")
    counts.milliseconds = try row.milliseconds("seconds")
    for leaving in Leaving.allCases {
      let number = try row.number(leaving.rawValue)
      if number > 0 { counts.left[leaving] = number }
    }
    counts.tenths = []
    for tenth in 1...10 { counts.tenths.append(try row.number("tenth-\(tenth)")) }
    let title = try row.text("title")
    if !title.isEmpty { titles[track] = title }
    let (board, period) = try place(row.text("board"), day, row.span(day))
    for key in BoardCount.ofRequests where row.has(key.rawValue) {
      let number = try row.number(key.rawValue)
      let former = boards[board].periods[period].board[key] ?? 0
      if number > 0 { boards[board].periods[period].board[key] = former.adding(number) }
    }
    // The row of a day's requests has no track.
    if track != CountedPeriod.others || counts != TrackCounts() { boards[board].periods[period].add(counts, of: track) }
  }

  /// The indices of a board and of its period, which are new with their first row.
  private mutating func place(_ name: String, _ day: String, _ span: CountedPeriod.Span) -> (board: Int, period: Int) {
    var (board, days) = places[name] ?? (boards.count, [:])
    if board == boards.count { boards.append((name, [])) }
    let period = days[day] ?? boards[board].periods.count
    if days[day] == nil { boards[board].periods.append(CountedPeriod(id: period, span: span)) }
    days[day] = period
    places[name] = (board, days)
    return (board, period)
  }

  /// The fields of each line that has any, with the number of the line.
  private static func rows(_ text: String, file: String) throws(FileError) -> [(line: Int, fields: [String])] {
    var rows: [(line: Int, fields: [String])] = []
    var (fields, field, line, first) = ([String](), String.UnicodeScalarView(), 1, 1)
    var (isQuoted, wasQuoted) = (false, false)
    func end() {
      fields.append(String(field))
      (field, wasQuoted) = (String.UnicodeScalarView(), false)
    }
    func endLine() {
      end()
      // A card fills its table up with lines of blanks.
      if fields.count > 1 || fields.contains(where: { $0.contains { $0 != " " } }) { rows.append((first, fields)) }
      fields = []
    }
    for scalar in text.unicodeScalars.drop(while: { $0 == "\u{FEFF}" }) {
      if scalar == "\n" { line += 1 }
      switch scalar {
      case "\"":
        // Two quotes within quotes are one.
        if wasQuoted && !isQuoted { field.append(scalar) }
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted: end()
      case "\n" where !isQuoted:
        endLine()
        first = line
      case "\r" where !isQuoted: break
      default: field.append(scalar)
      }
    }
    if isQuoted { throw FileError(file: file, line: first, message: "a quote is not closed") }
    endLine()
    return rows
  }
}

/// A line of such a table.
private struct Row {
  let file: String
  let line: Int
  let fields: [String]
  let columns: [String: Int]

  /// More than anybody counts.
  private static let most = 1 << 40

  func text(_ name: String) throws(FileError) -> String {
    guard let place = columns[name], fields.indices.contains(place) else { throw error(name, "missing") }
    let text = fields[place]
    // What looks like a formula was written with a quote before it.
    return text.hasPrefix("'") && ReportCSV.isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
  }

  /// Whether the table has such a column.
  func has(_ name: String) -> Bool { columns[name] != nil }

  func number(_ name: String) throws(FileError) -> Int {
    let text = try text(name)
    guard let number = Int(text), (0...Self.most).contains(number) else {
      throw error(name, "found \(Wording.quoted(text)), expected a number up to \(Self.most)")
    }
    return number
  }

  func milliseconds(_ name: String) throws(FileError) -> Int {
    let text = try text(name)
    guard let seconds = Double(text), (0...1e12).contains(seconds) else {
      throw error(name, "found \(Wording.quoted(text)), expected seconds")
    }
    return Int((seconds * 1_000).rounded())
  }

  func span(_ day: String) throws(FileError) -> CountedPeriod.Span {
    if let span = CountedPeriod.Span(word: day) { return span }
    throw error("day", "found \(Wording.quoted(day)), expected a date, as 2026-11-01")
  }

  private func error(_ field: String, _ message: String) -> FileError {
    FileError(file: file, line: line, field: field, message: message)
  }
}
