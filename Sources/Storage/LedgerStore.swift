import Jukebox
import Threads

/// Keeps the ledger in the database (J4): its numbers in one table, its requests in another. Every write replaces all of it
/// but the numbers that only a newer program knows, in one transaction, so that a power cut leaves the ledger before it or the
/// new one, and a repeated write does no harm. Rows that could not be read are kept in two tables more, whose names end in
/// `_unread`.
///
/// No ledger that the brain has not seen is overwritten: where the storage answers too late for the power on, what it
/// holds is added to whatever is written from then on, for the next power on.
///
/// Any thread may use it; calls other than `takeSaved` block as long as the storage does.
package final class LedgerStore: @unchecked Sendable {
  static let schema = """
    CREATE TABLE ledger (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE requests (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, track TEXT NOT NULL,
      paid INTEGER NOT NULL);
    """

  /// Somebody paid for what could not be read, and may still look at it.
  private static let keepRowsAside = ["ledger", "requests"].map { table in
    "DROP TABLE IF EXISTS \(table)_unread; CREATE TABLE \(table)_unread AS SELECT * FROM \(table);"
  }.joined()

  private struct Known {
    /// What the database held; nil: it was not read yet.
    var saved: SavedLedger?
    /// Why not.
    var failure: String?
    /// The brain has what it gets of it.
    var isTaken = false
    /// What the database held, and the brain does not know.
    var unseen: Ledger?
    /// What the database holds.
    var kept: Ledger?
    /// It holds rows that were not understood.
    var isUnread = false
  }

  private let database: KeptDatabase
  /// Nobody holds it while the storage is used.
  private let known = Locked(Known())

  package init(_ database: KeptDatabase) {
    self.database = database
    database.whenNew { [weak known] (connection) throws(DatabaseError) in
      if let kept = known?.withLock({ $0.kept }) { try Self.put(kept, connection) }
    }
  }

  /// Reads what `takeSaved` returns.
  package func read() throws(DatabaseError) {
    do throws(DatabaseError) {
      try database.use { (connection) throws(DatabaseError) in note(try LedgerRows.read(connection)) }
    } catch {
      known.withLock { $0.failure = error.description }
      throw error
    }
  }

  /// What was read, for the power on, which does not wait for the storage. What is read later is for the next one.
  package func takeSaved() -> SavedLedger {
    known.withLock { known in
      known.isTaken = true
      return known.saved ?? .unreadable(reason: known.failure ?? "\(database.path): the storage does not answer")
    }
  }

  /// Replaces the ledger. Once this returns `kept`, it survives a power cut.
  package func write(_ ledger: Ledger, number: Int) -> LedgerReport {
    // What could not be read again must not take the place of what can.
    if let fault = ledger.fault { return .failed(number, reason: "\(database.path): \(fault)") }
    do throws(DatabaseError) {
      try database.use { (connection) throws(DatabaseError) in
        if known.withLock({ $0.saved == nil }) { note(try LedgerRows.read(connection), isUnseen: true) }
        let unseen = known.withLock { $0.unseen }
        let whole = unseen.map { ledger.adding($0) } ?? ledger
        if let failure = connection.migrationFailure { throw failure }
        let isUnread = known.withLock { $0.isUnread }
        try connection.transaction { () throws(DatabaseError) in
          if isUnread { try connection.execute(Self.keepRowsAside) }
          try Self.put(whole, connection)
        }
        known.withLock { ($0.kept, $0.isUnread) = (whole, false) }
      }
      return .kept(number)
    } catch {
      return .failed(number, reason: error.description)
    }
  }

  private func note(_ found: SavedLedger, isUnseen: Bool = false) {
    let replaced = database.replaced
    known.withLock { known in
      // Another thread has read it, and may have written since.
      guard known.saved == nil else { return }
      known.kept = found.ledger
      if case .unreadable = found { known.isUnread = true }
      if isUnseen || known.isTaken { known.unseen = found.ledger }
      known.saved = found == .nothing ? replaced.map { .unreadable(reason: $0) } ?? found : found
    }
  }

  private static func put(_ ledger: Ledger, _ connection: DatabaseConnection) throws(DatabaseError) {
    try connection.execute("DELETE FROM requests")
    for number in Ledger.numbers {
      try connection.run(
        "INSERT OR REPLACE INTO ledger VALUES (?, ?)", [.text(number.name), .integer(ledger[keyPath: number.path])])
    }
    for (place, request) in ledger.requests.enumerated() {
      try connection.run(
        "INSERT INTO requests VALUES (?, ?, ?, ?)",
        [.integer(place), .integer(request.number), .text(request.track), .integer(request.isPaid ? 1 : 0)])
    }
  }
}
