import BoardFiles
import Files
import Jukebox

/// What earlier versions counted, as a TOML text sealed with a checksum as `StateText` is: a table for each period, and in
/// it one line for each track. The line holds starts, milliseconds, how its listens ended in the order of `endings`, and how
/// far they came by tenths.
package enum CountsText {
  /// Version 2 counts visits; of version 1 everything else is read.
  private static let version = 2
  private static let periodKeys = ["id", "recent", "day", "month", "earlier", "hours", "board", "tracks"]
  /// The endings in their order in a line, which must not change.
  private static let endings: [Leaving] = [
    .ended, .skipped, .chosen, .stopped, .unplugged, .idle, .failed,
  ]

  /// Returns those that were over last apart (`recent`): in the file of the current period they are before that one, and
  /// in the history behind all others.
  static func decode(
    _ bytes: [UInt8], file: String
  ) throws(FileError) -> (periods: [CountedPeriod], recent: [CountedPeriod]) {
    if bytes.isEmpty { throw FileError(file: file, message: "is empty, expected counters") }
    guard try StateText.checkSum(bytes, file) else {
      throw FileError(file: file, message: "has no checksum: the file is damaged")
    }
    let table = try TOMLTable(parsing: bytes, file: file)
    try table.allowOnly(["version", "periods"])
    _ = try table.required("version", .integer(in: 1...version))
    var (periods, recent): ([CountedPeriod], [CountedPeriod]) = ([], [])
    for table in try table.tables(of: "periods") {
      let period = try read(table)
      if try table.optional("recent", .boolean) ?? false { recent.append(period) } else { periods.append(period) }
    }
    return (periods, recent)
  }

  private static func read(_ table: TOMLTable) throws(FileError) -> CountedPeriod {
    try table.allowOnly(periodKeys)
    let count: ClosedRange<Int> = 0...Int.max
    var span = CountedPeriod.Span.powerOn
    if let day = try table.optional("day", .anyText) { span = .day(try parse(day, "day", table)) }
    if let day = try table.optional("month", .anyText) { span = .month(try parse(day, "month", table)) }
    if try table.optional("earlier", .boolean) ?? false { span = .earlier }
    var period = CountedPeriod(id: try table.required("id", .integer(in: count)), span: span)
    if let hours = try table.optional("hours", .integers(in: count)) {
      guard hours.count == 24 else { throw table.error("hours", "found \(hours.count) numbers, expected 24") }
      period.hours = hours
    }
    if let board = try table.table("board") {
      try board.allowOnly(BoardCount.allCases.map(\.rawValue))
      for key in BoardCount.allCases {
        let number = try board.optional(key.rawValue, .integer(in: count)) ?? 0
        if number > 0 { period.board[key] = number }
      }
    }
    if let tracks = try table.table("tracks") { try read(tracks, into: &period) }
    return period
  }

  private static func read(_ tracks: TOMLTable, into period: inout CountedPeriod) throws(FileError) {
    for entry in tracks.entries {
      guard case .string(let text) = entry.value.kind, let counts = parse(text) else {
        throw tracks.error(
          entry.key, "expected \(2 + endings.count + 10) whole numbers in quotes", line: entry.value.line)
      }
      period.add(counts, of: entry.key)
    }
  }

  private static func parse(_ day: String, _ field: String, _ table: TOMLTable) throws(FileError) -> CalendarDay {
    if let day = CalendarDay(day) { return day }
    throw table.error(field, "found \(Wording.quoted(day)), expected a day as 2026-11-23")
  }

  private static func parse(_ line: String) -> TrackCounts? {
    let numbers = line.split(separator: " ").map { Int($0) }
    let found = numbers.compactMap { $0 }.filter { $0 >= 0 }
    guard found.count == numbers.count, found.count == 2 + endings.count + 10 else { return nil }
    var counts = TrackCounts()
    counts.starts = found[0]
    counts.milliseconds = found[1]
    for (ending, number) in zip(endings, found[2...]) where number > 0 { counts.left[ending] = number }
    counts.tenths = Array(found.suffix(10))
    return counts
  }
}
