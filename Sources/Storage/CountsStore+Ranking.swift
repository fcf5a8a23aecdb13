import Jukebox

/// Which tracks were heard most, by the rows of the last 90 days (J7).
extension CountsStore {
  /// Ranks these tracks by what is written, and by what is counted and not written yet.
  package func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport {
    do throws(DatabaseError) {
      let ranking = try database.use { (connection) throws(DatabaseError) in
        let own = unwritten(of: counts)
        return try connection.snapshot { () throws(DatabaseError) in
          try Self.ranking(own, counts.current.day, connection)
        }
      }
      return .ranked(ranking.names(among: tracks))
    } catch {
      return .failed(reason: error.description)
    }
  }

  /// - Parameter own: what counts instead of the rows of the same periods.
  private static func ranking(
    _ own: [CountedPeriod], _ today: CalendarDay?, _ connection: DatabaseConnection
  ) throws(DatabaseError) -> Ranking {
    let last = if let today { today } else { try lastDay(own, connection) }
    var ranking = Ranking(until: last)
    for period in own { ranking.add(period) }
    // Periods without a day have only their order. Without any day nothing is older than all that counts.
    let bounds = ranking.range.map { ["day \($0.lowerBound.text)", "day \($0.upperBound.text)"] } ?? ["day", "day"]
    let marks = own.map { _ in "?" }.joined(separator: ", ")
    let rows = """
      SELECT name, sum(min(max(starts, 0), 1000000000)) FROM counts WHERE name <> '' AND period IN (
        SELECT id FROM periods WHERE (span BETWEEN ?1 AND ?2 OR span = 'power-on' AND place > coalesce(
            (SELECT max(place) FROM periods
              WHERE span LIKE 'day %' AND span < ?1 OR span LIKE 'month %' OR span = 'earlier'), 0))
          AND id NOT IN (\(marks)))
      GROUP BY name
      """
    try connection.run(rows, bounds.map { .text($0) } + own.map { .integer($0.id) }) { row in
      ranking.add(row.integer(1), of: row.text(0))
    }
    return ranking
  }

  /// The newest day on which something was counted: the best guess at the date of a board that does not know it.
  private static func lastDay(
    _ own: [CountedPeriod], _ connection: DatabaseConnection
  ) throws(DatabaseError) -> CalendarDay? {
    var days = own.compactMap(\.day)
    try connection.run("SELECT max(substr(span, 5)) FROM periods WHERE span LIKE 'day %'") { row in
      if let day = CalendarDay(row.text(0)) { days.append(day) }
    }
    return days.max()
  }
}
