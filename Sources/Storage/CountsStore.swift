import AudioSession
import Files
import Jukebox
import Threads

/// Keeps the counters in the database: a row for each period, for each track in it, and for each count of the board, so
/// that a version that counts more needs no other tables. A save writes the rows that have changed. One thread at a time may
/// use it; every call blocks as long as the storage does.
package final class CountsStore {
  /// The endings in the order of their columns.
  private static let endings: [Leaving] = [.ended, .skipped, .chosen, .stopped, .unplugged, .idle, .failed]
  private static let trackNumbers =
    ["starts", "milliseconds"] + endings.map(\.rawValue) + (0..<10).map { "tenth\($0)" }
  private static let periodNumbers = (0..<24).map { "hour\($0)" }

  /// Periods are in the order of `place`, in which they began: the first id of a firmware that could not read what was
  /// counted before is a random one, which may be below all others.
  static let schema = """
    CREATE TABLE periods (place INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, span TEXT NOT NULL, \(columns(periodNumbers, " INTEGER NOT NULL")));
    CREATE TABLE counts (period INTEGER NOT NULL, name TEXT NOT NULL, heard INTEGER NOT NULL,
      \(columns(trackNumbers, " INTEGER NOT NULL")), PRIMARY KEY (period, name)) WITHOUT ROWID;
    CREATE TABLE board (period INTEGER NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
      PRIMARY KEY (period, name)) WITHOUT ROWID;
    """
  private static let putPeriod = """
    INSERT INTO periods (id, span, \(columns(periodNumbers))) VALUES (?, ?\(marks(periodNumbers)))
    ON CONFLICT (id) DO UPDATE SET span = excluded.span, \(excluded(periodNumbers))
    """
  private static let putTrack = """
    INSERT OR REPLACE INTO counts (period, name, heard, \(columns(trackNumbers))) VALUES
      (?1, ?2, coalesce(?3, (SELECT heard FROM counts WHERE period = ?1 AND name = ?2), 0)\(marks(trackNumbers)))
    """

  private static func columns(_ names: [String], _ type: String = "") -> String {
    names.map { "\"\($0)\"\(type)" }.joined(separator: ", ")
  }

  private static func excluded(_ names: [String]) -> String {
    names.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
  }

  private static func marks(_ names: [String]) -> String { String(repeating: ", ?", count: names.count) }

  private struct Written {
    /// The current period as it was written last.
    var period: CountedPeriod
    weak var connection: DatabaseConnection?
    /// The greatest number in the column `heard`.
    var heard: Int
  }

  let database: KeptDatabase
  private var written: Written?
  /// Periods that are over, and whose last count is written.
  private var added: Set<Int> = []
  /// The database was begun since the last save. Used by whoever uses the database.
  private let isNew = Locked(false)

  package init(_ database: KeptDatabase) {
    self.database = database
    database.whenNew { [isNew] _ in isNew.withLock { $0 = true } }
  }

  /// The place of the newest period; and those of the ones that were over last, in which something was counted.
  private static let newest = "(SELECT max(place) FROM periods)"
  private static let earlier = """
    SELECT place FROM periods WHERE place < \(newest) AND span NOT LIKE 'month%' AND span <> 'earlier'
      AND (EXISTS (SELECT 1 FROM board WHERE period = periods.id)
        OR EXISTS (SELECT 1 FROM counts WHERE period = periods.id))
    ORDER BY place DESC LIMIT \(ListeningCounts.mostEarlier)
    """

  /// Reads the period that was counted last, and those that were over last.
  package func read() throws(DatabaseError) -> ListeningCounts.Saved? {
    let unknown = try database.use { (connection) throws(DatabaseError) in try Self.unknown(connection) }
    if unknown.count > 0 {
      database.note("\(unknown.count) of the periods counted are of a kind that this version does not know: left out")
    }
    // The next id would be that of a period which is not ours to replace.
    if unknown.isNewest { return nil }
    var found = try all(where: "place = \(Self.newest) OR place IN (\(Self.earlier))")
    return found.popLast().map { ListeningCounts.Saved($0, earlier: found) }
  }

  /// Reads everything that was counted, the newest period last.
  package func all(where condition: String = "true") throws(DatabaseError) -> [CountedPeriod] {
    try database.use { (connection) throws(DatabaseError) in
      try connection.snapshot { () throws(DatabaseError) in try Self.all(connection, where: condition) }
    }
  }

  /// Saves the counters. Once this returns `saved` or `unchanged`, they survive a power cut.
  package func write(_ counts: ListeningCounts) -> StorageReport {
    let new = counts.finished.filter { !added.contains($0.id) }
    do throws(DatabaseError) {
      let isChanged = try database.use { (connection) throws(DatabaseError) in
        if written?.connection !== connection { written = nil }
        if new.isEmpty, written?.period == counts.current { return false }
        var heard = 0
        // A new database does not have the periods that were over last, which are known.
        let earlier = isNew.withLock { $0 } ? counts.earlier : []
        try connection.transaction { () throws(DatabaseError) in
          for period in earlier + new + [counts.current] { heard = try put(period, connection) }
          if !new.isEmpty { try Self.fold(counts.earlier + new, before: counts.current.id, connection) }
        }
        written = Written(period: counts.current, connection: connection, heard: heard)
        isNew.withLock { $0 = false }
        return true
      }
      added = Set(counts.finished.map(\.id))
      return isChanged ? .saved : .unchanged
    } catch {
      return .failed(reason: error.description)
    }
  }

  /// The periods that a save would write: the current one, and those whose last count the database may not have.
  func unwritten(of counts: ListeningCounts) -> [CountedPeriod] {
    let earlier = isNew.withLock { $0 } ? counts.earlier : []
    let finished = counts.finished.filter { period in
      !added.contains(period.id) && !earlier.contains { $0.id == period.id }
    }
    return earlier + finished + [counts.current]
  }

  /// The periods that no longer need to be given to `write`.
  package var forgettable: Set<Int> { added }
}

// MARK: - Rows

extension CountsStore {
  /// Writes a period in place of what there is of it.
  static func put(_ period: CountedPeriod, _ connection: DatabaseConnection) throws(DatabaseError) {
    try removeRows(of: period.id, connection)
    try putHead(period, connection)
    for (index, name) in period.names.enumerated() { try put(name, heard: index, period, connection) }
  }

  /// Writes what has changed of a period since it was written last. Returns the greatest number in its column `heard`.
  private func put(_ period: CountedPeriod, _ connection: DatabaseConnection) throws(DatabaseError) -> Int {
    guard let written, written.period.id == period.id else {
      try Self.put(period, connection)
      return period.names.count
    }
    try Self.putHead(period, connection)
    for name in written.period.names where period.tracks[FileName(name)] == nil {
      try connection.run("DELETE FROM counts WHERE period = ? AND name = ?", [.integer(period.id), .text(name)])
    }
    // What was heard since then is at the end, and all else in its former order.
    var (before, heard) = (written.period.names[...], written.heard)
    for name in period.names {
      let isChanged = written.period.tracks[FileName(name)] != period.tracks[FileName(name)]
      if name != CountedPeriod.others { before = before.drop { FileName($0) != FileName(name) } }
      if before.isEmpty, name != CountedPeriod.others {
        heard += 1
        try Self.put(name, heard: heard, period, connection)
      } else if isChanged {
        try Self.put(name, heard: nil, period, connection)
      }
    }
    return heard
  }

  private static func putHead(_ period: CountedPeriod, _ connection: DatabaseConnection) throws(DatabaseError) {
    let values: [DatabaseValue] = [.integer(period.id), .text(text(period.span))]
    try connection.run(putPeriod, values + period.hours.map { .integer($0) })
    for key in BoardCount.allCases {
      guard let number = period.board[key] else { continue }
      try connection.run(
        "INSERT OR REPLACE INTO board VALUES (?, ?, ?)", [.integer(period.id), .text(key.rawValue), .integer(number)])
    }
  }

  /// - Parameter heard: where it stands among the tracks of the period; nil: where it stood, or before all others.
  private static func put(
    _ name: String, heard: Int?, _ period: CountedPeriod, _ connection: DatabaseConnection
  ) throws(DatabaseError) {
    let counts = period.tracks[FileName(name)] ?? TrackCounts()
    let numbers = [counts.starts, counts.milliseconds] + endings.map { counts.left[$0] ?? 0 } + counts.tenths
    let place = heard.map { DatabaseValue.integer($0) } ?? .null
    try connection.run(putTrack, [.integer(period.id), .text(name), place] + numbers.map { .integer($0) })
  }

  private static func remove(_ id: Int, _ connection: DatabaseConnection) throws(DatabaseError) {
    try removeRows(of: id, connection)
    try connection.run("DELETE FROM periods WHERE id = ?", [.integer(id)])
  }

  private static func removeRows(of id: Int, _ connection: DatabaseConnection) throws(DatabaseError) {
    for table in ["counts", "board"] {
      try connection.run("DELETE FROM \(table) WHERE period = ?", [.integer(id)])
    }
  }

  /// Keeps the history within its bounds (N3) when periods are over.
  ///
  /// - Parameter young: those that are over and may still be published to the fleet by their ids: they keep their
  ///   numbers (F8.1).
  private static func fold(
    _ young: [CountedPeriod], before current: Int, _ connection: DatabaseConnection
  ) throws(DatabaseError) {
    let ids = Set(young.map(\.id) + [current])
    let before = try all(connection, where: "true").filter { !ids.contains($0.id) }
    var history = CountedHistory(before)
    history.fold()
    let kept = Dictionary(history.periods.map { ($0.id, $0) }) { first, _ in first }
    for period in before where kept[period.id] != period {
      if let folded = kept[period.id] {
        try put(folded, connection)
      } else {
        try remove(period.id, connection)
      }
    }
  }

  /// How many periods a newer version has counted over another span of time. Their rows stay as they are.
  private static func unknown(
    _ connection: DatabaseConnection
  ) throws(DatabaseError) -> (count: Int, isNewest: Bool) {
    var (count, isNewest) = (0, false)
    try connection.run("SELECT span FROM periods ORDER BY place") { row in
      isNewest = span(row.text(0)) == nil
      if isNewest { count += 1 }
    }
    return (count, isNewest)
  }

  private static func all(
    _ connection: DatabaseConnection, where condition: String
  ) throws(DatabaseError) -> [CountedPeriod] {
    var (periods, places): ([CountedPeriod], [Int: Int]) = ([], [:])
    try connection.run("SELECT id, span, \(columns(periodNumbers)) FROM periods WHERE \(condition) ORDER BY place") {
      row in
      guard let span = span(row.text(1)) else { return }
      var period = CountedPeriod(id: row.integer(0), span: span)
      period.hours = (0..<24).map { max(0, row.integer(2 + $0)) }
      places[period.id] = periods.count
      periods.append(period)
    }
    let these = "WHERE period IN (SELECT id FROM periods WHERE \(condition))"
    try connection.run("SELECT period, name, number FROM board \(these)") { row in
      // A version that counts more may have been put back.
      guard let place = places[row.integer(0)], let key = BoardCount(rawValue: row.text(1)) else { return }
      if row.integer(2) > 0 { periods[place].board[key] = row.integer(2) }
    }
    let tracks = """
      SELECT period, name, \(columns(trackNumbers)) FROM counts \(these) ORDER BY period, heard
      """
    try connection.run(tracks) { row in
      guard let place = places[row.integer(0)] else { return }
      periods[place].add(counts(row, from: 2), of: row.text(1))
    }
    return periods
  }

  private static func counts(_ row: DatabaseRow, from first: Int) -> TrackCounts {
    let numbers = trackNumbers.indices.map { max(0, row.integer(first + $0)) }
    var counts = TrackCounts()
    (counts.starts, counts.milliseconds) = (numbers[0], numbers[1])
    for (ending, number) in zip(endings, numbers[2...]) where number > 0 { counts.left[ending] = number }
    counts.tenths = Array(numbers.suffix(10))
    return counts
  }

  private static func text(_ span: CountedPeriod.Span) -> String {
    switch span {
    case .powerOn: "power-on"
    case .day(let day): "day \(day.text)"
    case .month(let day): "month \(day.text)"
    case .earlier: "earlier"
    }
  }

  private static func span(_ text: String) -> CountedPeriod.Span? {
    switch text {
    case "power-on": return .powerOn
    case "earlier": return .earlier
    default:
      let words = text.split(separator: " ")
      guard words.count == 2, let day = CalendarDay(String(words[1])) else { return nil }
      return words[0] == "day" ? .day(day) : words[0] == "month" ? .month(day) : nil
    }
  }
}

extension StorageReport {
  /// What became of two things that are saved together.
  package func and(_ other: StorageReport) -> StorageReport {
    switch (self, other) {
    case (.failed, _), (_, .unchanged): self
    case (_, .failed), (.unchanged, _), (_, .saved): other
    }
  }
}
