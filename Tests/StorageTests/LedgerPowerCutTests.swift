import Jukebox
import Simulator
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Storage

/// The ledger, and the database of version 1 that has none, with the power cut at every write.
@Suite struct LedgerPowerCutTests {
  /// As a power on finds it; nil where anything is lost.
  private func found(_ storage: JournalStorage) -> SavedLedger? {
    let store = LedgerStore(KeptDatabase(on: storage))
    guard (try? store.read()) != nil, !storage.names(in: "").contains(where: { $0.contains(".unread") }) else {
      return nil
    }
    return store.takeSaved()
  }

  /// Every disk that a cut leaves has one of these, and still has it when the power is cut again while it is recovered.
  private func check(
    _ disks: Set<PowerCuts.Disk>, _ allowed: Set<SavedLedger>, _ moment: String, _ seen: inout Set<PowerCuts.Disk>,
    cuts: Int = 1
  ) {
    for disk in disks where seen.insert(disk).inserted {
      let storage = JournalStorage(disk)
      let ledger = found(storage)
      #expect(ledger.map(allowed.contains) ?? false, "\(moment): \(String(describing: ledger))")
      guard let ledger, cuts > 1, disk[KeptDatabase.name + "-journal"]?.isEmpty == false else { continue }
      var model = PowerCuts(disk)
      for operation in storage.operations {
        model.take(operation)
        check(model.disks, [ledger], "\(moment), then after \(operation.name)", &seen, cuts: cuts - 1)
      }
    }
  }

  @Test("J4: wherever the power is cut, the ledger is the one before or the new one, whole; once kept, the new one")
  func powerCuts() {
    let storage = JournalStorage([:])
    let store = LedgerStore(KeptDatabase(on: storage))
    var (model, before, done) = (PowerCuts([:]), SavedLedger.nothing, 0)
    var disks = 0
    // Some of them take more pages than the one before, some less.
    for (number, count) in [0, 60, 61, 2].enumerated() {
      let ledger = Ledger.sample(count, more: number)
      #expect(store.write(ledger, number: number) == .kept(number))
      var seen: Set<PowerCuts.Disk> = []
      for operation in storage.operations[done...] {
        model.take(operation)
        let moment = "after \(operation.name) of \(number)"
        // While it recovers from a cut after a sync, the power is cut again.
        check(model.disks, [before, .ledger(ledger)], moment, &seen, cuts: operation.isSync ? 2 : 1)
      }
      disks += seen.count
      (done, before) = (storage.operations.count, .ledger(ledger))
      var kept: Set<PowerCuts.Disk> = []
      check(model.disks, [before], "after \(number)", &kept)
    }
    #expect(disks > 100)
  }

  @Test("J4: wherever the power is cut while ledgers are read, nothing is lost")
  func reading() {
    let storage = JournalStorage([:])
    #expect(LedgerStore(KeptDatabase(on: storage)).write(.sample(3), number: 1) == .kept(1))
    let disk = storage.content
    let again = JournalStorage(disk)
    #expect(found(again) == .ledger(.sample(3)) && again.content == disk)
  }

  // MARK: - Version 1

  private func starts(_ database: KeptDatabase) -> Int? {
    ((try? CountsStore(database).read()) ?? nil)?.current.sum.starts
  }

  /// What a firmware of version 1 has left, with something counted.
  private func version1() throws -> [UInt8] {
    let storage = JournalStorage([:])
    let database = KeptDatabase(on: storage)
    #expect(CountsStore(database).write(counts(3)) == .saved)
    try database.use { (connection) throws(DatabaseError) in
      try connection.execute("DROP TABLE ledger; DROP TABLE requests; PRAGMA user_version=1; VACUUM")
    }
    database.close()
    return try #require(storage.content[KeptDatabase.name])
  }

  private func version(_ database: KeptDatabase) throws -> Int {
    try database.use { (connection) throws(DatabaseError) in
      var version = 0
      try connection.run("PRAGMA user_version") { version = $0.integer(0) }
      return version
    }
  }

  @Test("J4: a database of version 1 gets a ledger, and loses nothing, wherever the power is cut meanwhile")
  func migration() throws {
    let disk = [KeptDatabase.name: try version1()]
    let storage = JournalStorage(disk)
    let store = LedgerStore(KeptDatabase(on: storage))
    try store.read()
    #expect(store.takeSaved() == .nothing)
    let migrated = storage.operations.count
    #expect(migrated > 0 && store.write(.sample(2), number: 1) == .kept(1))
    var (model, seen) = (PowerCuts(disk), Set<PowerCuts.Disk>())
    for (number, operation) in storage.operations.enumerated() {
      model.take(operation)
      let allowed: Set<SavedLedger> = number < migrated ? [.nothing] : [.nothing, .ledger(.sample(2))]
      for disk in model.disks {
        let database = KeptDatabase(on: JournalStorage(disk))
        #expect(starts(database) == 3, "after \(operation.name)")
        #expect(try version(database) == 2)
      }
      check(model.disks, allowed, "after \(operation.name)", &seen, cuts: operation.isSync ? 2 : 1)
    }
    #expect(found(JournalStorage(storage.content)) == .ledger(.sample(2)))
    #expect(starts(KeptDatabase(on: JournalStorage(storage.content))) == 3)
    #expect(storage.names(in: "").sorted() == [KeptDatabase.name, KeptDatabase.name + "-journal"])
  }

  @Test("J4, W3: a database of version 1 on a full storage is used as it is; it gets a ledger once there is room")
  func fullMigration() throws {
    let (folder, bench) = (try TemporaryFolder(), AwkwardStorage())
    folder.write(KeptDatabase.name, try version1())
    let database = KeptDatabase(folder: folder.path, storage: bench, system: StorageVFS(bench), pause: {})
    let store = LedgerStore(database)
    bench.room = 0
    try store.read()
    #expect(store.takeSaved() == .nothing && starts(database) == 3)
    let path = folder.path(of: KeptDatabase.name)
    #expect(store.write(.sample(2), number: 1) == .failed(1, reason: "\(path): database or disk is full"))
    #expect(starts(database) == 3)
    bench.room = .max
    #expect(store.write(.sample(2), number: 2) == .kept(2))
    #expect(try version(database) == 2 && starts(KeptDatabase(folder: folder.path)) == 3)
    #expect(folder.names.sorted() == [KeptDatabase.name, KeptDatabase.name + "-journal"])
  }

  @Test("N4: a report reads a database of version 1, and leaves it what it is")
  func reportOfVersion1() throws {
    let folder = try TemporaryFolder()
    let bytes = try version1()
    folder.write(KeptDatabase.name, bytes)
    #expect(starts(KeptDatabase(folder: folder.path, access: .recover)) == 3)
    #expect(folder.read(KeptDatabase.name) == bytes)
  }
}
