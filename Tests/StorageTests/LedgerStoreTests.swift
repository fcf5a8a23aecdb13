import Glibc
import Jukebox
import Simulator
import TestSupport
import Testing
import Threads

@testable import KioskTestSupport
@testable import Storage

extension Ledger {
  /// One with `count` requests, each number in it another one; `more` makes another one of it.
  static func sample(_ count: Int, more: Int = 0) -> Ledger {
    let names = ["a", "1 Träume\n.mp3", "e\u{301}", "\u{e9}", "", "x\0y", "caf\u{10FEE9}.ogg", "a 'quoted\" %s", "🎷/ß"]
    let requests = (0..<count).map { index in
      let track = "\(names[index % names.count])\(index / names.count)"
      return Request(number: 7 + 2 * index + more, track: track, isPaid: index % 3 != more)
    }
    let totals = LedgerTotals(
      coins: 11 + more, pulses: 22, bought: 33 + more, given: 44, taken: 55, returned: 66, requests: 77)
    return Ledger(credits: 5 + more, pulses: 3, requests: requests, nextNumber: 8 + 2 * count + more, totals: totals)
  }
}

/// Counters of this many starts of one track.
func counts(_ starts: Int, after saved: ListeningCounts.Saved? = nil, seed: UInt64 = 4) -> ListeningCounts {
  let moment = CountingMoment(instant: .powerOn, local: nil)
  var counts = ListeningCounts(after: saved, seed: seed, at: moment)
  for _ in 0..<starts { counts.count(.start("a.mp3"), at: moment) }
  return counts
}

/// The ledger in the database: what is read is what was written.
@Suite struct LedgerStoreTests {
  private let folder: TemporaryFolder
  private let storage = AwkwardStorage()
  private var path: String { folder.path(of: KeptDatabase.name) }

  init() throws { folder = try TemporaryFolder() }

  private func open() -> KeptDatabase {
    KeptDatabase(folder: folder.path, storage: storage, system: StorageVFS(storage), pause: {})
  }

  private func saved(_ database: KeptDatabase? = nil) throws -> SavedLedger {
    let store = LedgerStore(database ?? open())
    try store.read()
    return store.takeSaved()
  }

  @Test("J4: a ledger comes back as it was, whatever names its tracks have", arguments: [0, 1, 9, 500])
  func roundTrip(count: Int) throws {
    #expect(try saved() == .nothing)
    let store = LedgerStore(open())
    for ledger in [Ledger.sample(9), .sample(count)] {
      #expect(store.write(ledger, number: count) == .kept(count))
      #expect(try saved() == .ledger(ledger))
    }
  }

  @Test("J4: a ledger of nothing is a ledger, too, and comes back")
  func empty() throws {
    #expect(LedgerStore(open()).write(Ledger(), number: 1) == .kept(1))
    #expect(try saved() == .ledger(Ledger()))
  }

  @Test("J4: on a storage that is full or takes nothing a write has failed, and the ledger before it is there")
  func failing() throws {
    let store = LedgerStore(open())
    #expect(store.write(.sample(2), number: 1) == .kept(1))
    storage.room = 10
    #expect(store.write(.sample(50), number: 2) == .failed(2, reason: "\(path): database or disk is full"))
    storage.room = .max
    #expect(try saved() == .ledger(.sample(2)))
    storage.syncFailure = EIO
    #expect(store.write(.sample(50), number: 3) == .failed(3, reason: "\(path): disk I/O error"))
    storage.syncFailure = nil
    #expect(store.write(.sample(3), number: 4) == .kept(4))
    #expect(try saved() == .ledger(.sample(3)))
  }

  @Test(
    "J4: what somebody has changed in it is an error that names field, value and what was expected, and the next replaces it",
    arguments: [
      (
        "UPDATE ledger SET number = 1000 WHERE name = 'credits'",
        "ledger.credits: 1000 is out of range, expected 0...999"
      ),
      ("UPDATE ledger SET number = -1 WHERE name = 'pulses'", "ledger.pulses: -1 is out of range, expected 0..."),
      (
        "UPDATE ledger SET number = 'x' WHERE name = 'total-coins'",
        "ledger.total-coins: found \"x\", expected a whole number"
      ),
      ("UPDATE ledger SET number = 2.5 WHERE name = 'credits'", "ledger.credits: found \"2.5\", expected a whole"),
      ("DELETE FROM ledger WHERE name = 'next-request'", "ledger.next-request: missing, expected a number"),
      ("DELETE FROM ledger", "ledger.credits: missing, expected a number"),
      ("UPDATE requests SET number = 12 WHERE place = 0", "request 1: number: 12 is out of range, expected 1..<12"),
      ("UPDATE requests SET number = 0 WHERE place = 1", "request 2: number: 0 is out of range, expected 1..<12"),
      ("UPDATE requests SET number = 7", "request 2: number: 7 stands twice, expected each once"),
      ("UPDATE requests SET number = 'x' WHERE place = 0", "request 1: number: found \"x\", expected a whole number"),
      ("UPDATE requests SET track = x'00' WHERE place = 1", "request 2: track: found no text, expected the name"),
      ("UPDATE requests SET paid = 2 WHERE place = 1", "request 2: paid: found \"2\", expected 0 or 1"),
    ])
  func badRows(change: String, expected: String) throws {
    let database = open()
    #expect(LedgerStore(database).write(.sample(2), number: 1) == .kept(1))
    #expect(CountsStore(database).write(counts(3)) == .saved)
    try database.use { (connection) throws(DatabaseError) in try connection.execute(change) }
    guard case .unreadable(let reason) = try saved() else {
      Issue.record("read")
      return
    }
    #expect(reason.hasPrefix("\(path): \(expected)"), "\(reason)")
    // The rest of what is kept must not suffer for it.
    #expect(try CountsStore(open()).read()?.current.sum.starts == 3)
    #expect(LedgerStore(open()).write(.sample(1), number: 1) == .kept(1))
    #expect(try saved() == .ledger(.sample(1)))
  }

  @Test("J4: rows that could not be read are kept in tables of their own before others take their place")
  func unreadRows() throws {
    let database = open()
    #expect(LedgerStore(database).write(.sample(2), number: 1) == .kept(1))
    try database.use { (connection) throws(DatabaseError) in
      try connection.execute("UPDATE requests SET paid = 2 WHERE place = 1")
    }
    let before = try rows("", database)
    // Whether it was read for the power on, or comes to light only at the write; the second write keeps nothing aside.
    for isRead in [true, false] {
      try database.use { (connection) throws(DatabaseError) in
        try connection.execute("UPDATE requests SET paid = 2 WHERE place = 1")
      }
      let store = LedgerStore(database)
      if isRead { try store.read() }
      #expect(store.write(.sample(2), number: 1) == .kept(1) && store.write(.sample(9), number: 2) == .kept(2))
      #expect(try rows("_unread", database) == before)
      #expect(try saved() == .ledger(.sample(9)))
      #expect(store.write(.sample(2), number: 3) == .kept(3))
    }
  }

  /// Those of the tables of a ledger whose names end so.
  private func rows(_ ending: String, _ database: KeptDatabase) throws -> [String] {
    try database.use { (connection) throws(DatabaseError) in
      var rows: [String] = []
      for (table, columns) in [("ledger", 2), ("requests", 4)] {
        try connection.run("SELECT * FROM \(table)\(ending) ORDER BY 1") { row in
          rows.append((0..<columns).map { row.text($0) }.joined(separator: " "))
        }
      }
      return rows
    }
  }

  @Test("J4: numbers and rows that this version does not know do no harm")
  func unknown() throws {
    let database = open()
    #expect(LedgerStore(database).write(.sample(2), number: 1) == .kept(1))
    try database.use { (connection) throws(DatabaseError) in
      try connection.execute("INSERT INTO ledger VALUES ('total-bills', 4); UPDATE requests SET place = place + 7")
    }
    #expect(try saved() == .ledger(.sample(2)))
  }

  @Test("J4: more requests than can be is an error, and no memory")
  func tooMany() throws {
    let database = open()
    #expect(LedgerStore(database).write(.sample(0), number: 1) == .kept(1))
    try database.use { (connection) throws(DatabaseError) in
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
        INSERT INTO requests SELECT i, i, 'a', 0 FROM n; UPDATE ledger SET number = 9000 WHERE name = 'next-request'
        """)
    }
    #expect(
      try saved() == .unreadable(reason: "\(path): requests: found more than 4096, expected no more; \(kept)"))
  }

  private var kept: String { "the next ledger leaves it in ledger_unread and requests_unread" }

  @Test("J4: a ledger that could not be read again does not take the place of the one that can")
  func unsound() throws {
    let store = LedgerStore(open())
    #expect(store.write(.sample(2), number: 1) == .kept(1))
    var (rich, twice) = (Ledger.sample(2), Ledger.sample(2))
    rich.credits = -1
    twice.requests[1].number = twice.requests[0].number
    for ledger in [rich, twice] {
      guard case .failed(2, _) = store.write(ledger, number: 2) else {
        Issue.record("written")
        continue
      }
    }
    #expect(try saved() == .ledger(.sample(2)))
  }

  // MARK: - Late and damaged storages

  @Test("J4: a ledger that was not read is not overwritten: it is added to what is written, for the next power on")
  func late() throws {
    #expect(LedgerStore(open()).write(.sample(2), number: 1) == .kept(1))
    storage.openFailure = (KeptDatabase.name, EACCES)
    let store = LedgerStore(open())
    #expect(throws: DatabaseError.self) { try store.read() }
    #expect(store.takeSaved() == .unreadable(reason: "\(path): unable to open database file"))
    storage.openFailure = nil
    for number in 1...3 { #expect(store.write(.sample(number), number: number) == .kept(number)) }
    let found = try #require(try saved().ledger)
    #expect(found.credits == 10 && found.pulses == 6 && found.totals.coins == 22 && found.totals.requests == 154)
    #expect(found.requests.prefix(3) == Ledger.sample(3).requests[...])
    #expect(found.requests.map(\.number) == [7, 9, 11, 14, 15] && found.nextNumber == 16)
    #expect(found.requests.suffix(2).map(\.isPaid) == Ledger.sample(2).requests.map(\.isPaid))
  }

  @Test("J4: what the storage gives after the power on is for the next one; credits are never more than can be")
  func afterPowerOn() throws {
    var before = Ledger.sample(0)
    before.credits = 998
    #expect(LedgerStore(open()).write(before, number: 1) == .kept(1))
    let store = LedgerStore(open())
    #expect(store.takeSaved() == .unreadable(reason: "\(path): the storage does not answer"))
    try store.read()
    #expect(store.write(.sample(1), number: 1) == .kept(1))
    #expect(try saved().ledger?.credits == Ledger.mostCredits)
  }

  @Test("J4, W3: a damaged database is unreadable, which says under which name it is kept, and the next ledger is kept")
  func damaged() throws {
    folder.write(KeptDatabase.name, String(repeating: "no database", count: 100))
    let database = open()
    let reason = "\(path): file is not a database, kept as \(path).unread, and a new one is begun"
    #expect(try saved(database) == .unreadable(reason: reason))
    #expect(LedgerStore(database).write(.sample(1), number: 1) == .kept(1))
    #expect(try saved() == .ledger(.sample(1)))
  }

  @Test(
    "J4, W3: a new database gets the ledger that was read or written last, whoever finds the damage", arguments: [0, 3])
  func refilled(written: Int) throws {
    #expect(LedgerStore(open()).write(.sample(2), number: 1) == .kept(1))
    #expect(CountsStore(open()).write(counts(3)) == .saved)
    let database = open()
    let store = LedgerStore(database)
    try store.read()
    if written > 0 { #expect(store.write(.sample(written), number: 1) == .kept(1)) }
    let spoilt = try DatabaseConnection(path, .readWrite)
    try spoilt.execute(
      """
      PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'x' WHERE name = 'periods'; PRAGMA schema_version=99
      """)
    #expect(try CountsStore(database).read() == nil)
    #expect(folder.names.contains("\(KeptDatabase.name).unread"))
    #expect(try saved() == .ledger(.sample(written > 0 ? written : 2)))
    // A write that has failed is none.
    storage.syncFailure = EIO
    _ = store.write(.sample(9), number: 2)
    storage.syncFailure = nil
    unlink(path)
    #expect(CountsStore(database).write(counts(4)) == .saved)
    #expect(try saved() == .ledger(.sample(written > 0 ? written : 2)))
  }
}
