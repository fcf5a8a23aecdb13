import AudioSession
import Glibc
import Jukebox
import Simulator
import TestSupport
import Testing
import Threads

@testable import KioskTestSupport
@testable import Storage

/// Storages that fail for a while, and databases that are taken away: nothing that could be kept is lost.
@Suite struct DatabaseFaultTests {
  private let folder: TemporaryFolder
  private let storage = AwkwardStorage()
  private let notices = Locked<[String]>([])
  private var path: String { folder.path(of: KeptDatabase.name) }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ access: DatabaseConnection.Access = .readWrite) -> KeptDatabase {
    KeptDatabase(
      folder: folder.path, storage: storage, system: StorageVFS(storage), access: access, pause: {},
      onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
  }

  private func quarantine(_ database: KeptDatabase) -> QuarantineStore {
    QuarantineStore(
      database, openingPath: nil, onNotice: { [notices] notice in notices.withLock { $0.append(notice) } },
      identify: { FileMark(path: $0, size: 1, modified: 1) })
  }

  @Test("W3: a connection that has failed is not used again, as it may be that of a disk that was pulled or read-only")
  func newConnection() throws {
    let database = open()
    func connection() throws -> ObjectIdentifier {
      try database.use { (connection) throws(DatabaseError) in ObjectIdentifier(connection) }
    }
    var failed: [DatabaseConnection] = []
    for code in [CInt(8), 10, 13] {
      let before = try connection()
      #expect(throws: DatabaseError.self) {
        try database.use { (connection) throws(DatabaseError) in
          failed.append(connection)
          throw DatabaseError(file: path, code: code, message: "")
        }
      }
      #expect(try connection() != before)
    }
    let before = try connection()
    #expect(throws: DatabaseError.self) {
      try database.use { (_) throws(DatabaseError) in throw DatabaseError(file: path, code: 5, message: "") }
    }
    #expect(try connection() == before)
    withExtendedLifetime(failed) {}
  }

  @Test("W3: one error of the storage in the midst of reading sets no database aside")
  func readError() throws {
    let database = open()
    #expect(CountsStore(database).write(counts(3)) == .saved)
    for failures in 1...4 {
      database.close()
      storage.readFailuresLeft = failures
      #expect(try CountsStore(database).read()?.current.sum.starts == 3)
    }
    #expect(notices.withLock { $0 } == [] && !folder.names.contains { $0.contains("unread") })
  }

  @Test("P13, W3: a quarantine that was not read is not overwritten by the next save, which is said")
  func unreadQuarantine() throws {
    let first = quarantine(open())
    try first.takeKept()
    for _ in 0..<2 { first.died("a", reason: "signal 11") }
    first.died("b", reason: "signal 11")
    storage.openFailure = (KeptDatabase.name, EACCES)
    let second = quarantine(open())
    #expect(throws: DatabaseError.self) { try second.takeKept() }
    second.died("c", reason: "signal 6")
    #expect(notices.withLock { $0 }.contains { $0.contains("the files that did harm are not kept") })
    storage.openFailure = nil
    second.died("b", reason: "signal 6")
    #expect(second.leftOut.map(\.path) == ["a", "b"])
    let kept = try QuarantineStore.read(open())
    #expect(kept.leftOut.map(\.path) == ["a", "b"] && kept.entries.map(\.died) == [2, 1, 2])
  }

  @Test("P13, X6, F8: a new database gets what is still known: quarantine, listing, the period that was over")
  func refilled() throws {
    let database = open()
    let (store, listing, counting) = (quarantine(database), ListingStore(database), CountsStore(database))
    try store.takeKept()
    for _ in 0..<2 { store.died("a", reason: "signal 11") }
    let music = KeptListing([KeptListing.Folder(path: "/m", number: 1, modified: 2)])
    listing.write(music)
    #expect(counting.write(counts(2)) == .saved)
    let next = counts(3, after: try counting.read(), seed: 9)
    #expect(counting.write(next) == .saved && !next.earlier.isEmpty)
    unlink(path)
    var later = next
    later.forget(counting.forgettable)
    later.count(.start("b.mp3"), at: CountingMoment(instant: .powerOn, local: nil))
    #expect(counting.write(later) == .saved)
    listing.write(music)
    #expect(try QuarantineStore.read(open()).leftOut.map(\.path) == ["a"])
    #expect(try ListingStore(open()).read() == music)
    #expect(try CountsStore(open()).read() == later.saved)
  }

  @Test("W3: where nine are kept aside already, the last of them goes, and a new database is begun", arguments: [1, 2])
  func tenth(version: Int) throws {
    let names = ["unread", "newer"][version - 1]
    for number in 1...9 {
      folder.write("\(KeptDatabase.name).\(names)" + (number == 1 ? "" : "-\(number)"), "\(number)")
    }
    if version == 1 {
      folder.write(KeptDatabase.name, String(repeating: "no database", count: 100))
    } else {
      try open().use { (connection) throws(DatabaseError) in try connection.execute("PRAGMA user_version=1000") }
    }
    #expect(CountsStore(open()).write(counts(3)) == .saved)
    #expect(folder.read("\(KeptDatabase.name).\(names)-8") == Array("8".utf8))
    #expect(folder.read("\(KeptDatabase.name).\(names)-9")?.count ?? 0 > 1)
    #expect(version == 1 || !folder.names.contains { $0.contains("unread") })
  }

  @Test("N4: a report of a copy takes back what a power cut left half done; an empty database is told")
  func copied() throws {
    let journal = JournalStorage([:])
    let store = CountsStore(KeptDatabase(on: journal))
    #expect(store.write(counts(3)) == .saved)
    // Until the transaction is over, the journal is what takes it back.
    var (model, hot) = (PowerCuts([:]), PowerCuts.Disk?.none)
    let done = journal.operations.count
    #expect(store.write(counts(4)) == .saved)
    for (number, operation) in journal.operations.enumerated() {
      model.take(operation)
      let torn = model.disks.first { $0[KeptDatabase.name + "-journal"]?.isEmpty == false }
      if number >= done, case .sync = operation, let torn { hot = torn }
    }
    for (name, bytes) in try #require(hot) { folder.write(name, bytes) }
    #expect(try CountsStore(KeptDatabase(folder: folder.path, access: .recover)).all().map(\.sum.starts) == [3])
    folder.write(KeptDatabase.name, "")
    unlink(path + "-journal")
    do throws(DatabaseError) {
      _ = try CountsStore(KeptDatabase(folder: folder.path, access: .recover)).all()
      Issue.record("read")
    } catch {
      #expect(error.isUnbegun)
    }
  }

  @Test("N2: a file of an earlier version is read again, stays where the storage does not give it, and replaces none")
  func formerErrors() throws {
    var former = Quarantine()
    former.died(FileMark(path: "/m/a.mp3", size: 5, modified: -9), reason: "signal 11")
    let bytes = QuarantineText.encode(former)
    folder.write("quarantine.toml", bytes)
    folder.write("quarantine.toml.imported", "mine")
    let name = folder.path(of: "quarantine.toml")
    storage.readFailures[name] = 5
    #expect(try QuarantineStore.read(open()) == Quarantine())
    #expect(folder.read("quarantine.toml") == bytes && folder.read("quarantine.toml.imported") == Array("mine".utf8))
    #expect(notices.withLock { $0 } == ["\(name): Input/output error"])
    unlink(path)
    storage.readFailures[name] = 4
    #expect(try QuarantineStore.read(open()) == former)
    #expect(folder.read("quarantine.toml.imported-2") == bytes && folder.read("quarantine.toml") == nil)
    #expect(folder.read("quarantine.toml.imported") == Array("mine".utf8))
  }

  @Test("P13: numbers of the quarantine that somebody has changed are taken within bounds, and the newest files alone")
  func bounds() throws {
    let database = open()
    try database.use { (connection) throws(DatabaseError) in
      for number in 0..<300 {
        try connection.run(
          "INSERT INTO quarantine VALUES (?, 1, 1, ?, -5, ?, '')",
          [.text("\(number)"), .integer(.max), .integer(.min)])
      }
    }
    let store = quarantine(database)
    try store.takeKept()
    #expect(store.leftOut.count == Quarantine.mostFiles && store.leftOut.last?.path == "299")
    store.died("299", reason: "x")
    #expect(try QuarantineStore.read(database).entries.allSatisfy { $0.unopened == 0 && $0.crashed == 0 })
  }

  @Test("N4: what a report reads is of one moment: nobody writes between its two parts")
  func snapshot() throws {
    #expect(CountsStore(KeptDatabase(folder: folder.path)).write(counts(3)) == .saved)
    let reader = KeptDatabase(folder: folder.path, access: .recover)
    let writer = try DatabaseConnection(path, .readWrite)
    try reader.use { (connection) throws(DatabaseError) in
      try connection.snapshot { () throws(DatabaseError) in
        try connection.run("SELECT id FROM periods")
        #expect(throws: DatabaseError.self) { try writer.execute("DELETE FROM periods") }
      }
    }
    try writer.execute("DELETE FROM periods")
  }

  @Test("N1: a period that begins with an id below all others, as nothing was read before, is the newest all the same")
  func lowId() throws {
    #expect(CountsStore(open()).write(counts(3, seed: .max)) == .saved)
    let second = counts(2, seed: 8)
    #expect(CountsStore(open()).write(second) == .saved)
    let found = try CountsStore(open()).read()
    #expect(found?.current == second.current && found?.earlier.map(\.sum.starts) == [3])
    #expect(try CountsStore(open()).all().map(\.sum.starts) == [3, 2])
  }
}
