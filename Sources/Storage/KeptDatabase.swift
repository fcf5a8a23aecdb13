import CSQLite
import Files
import Glibc
import Threads

/// Where SQLite keeps its files, beside the machine's own file systems.
package protocol DatabaseSystem: AnyObject {
  /// The name of the VFS.
  var name: String { get }
}

/// What is kept beside the state, in one file of the state folder: the counters, the quarantine, the listing of the music,
/// and the ledger. Any thread may use it, one at a time; every call blocks as long as the storage does.
///
/// - The rollback journal is truncated, not removed: the end of a transaction is a sync of a file that is there, and needs
///   none of the folder, which SQLite leaves out at `FULL`. A write-ahead log would need a file of shared memory that
///   everybody who reads can write, and on flash saves nothing at one transaction per minute.
/// - `synchronous=FULL`: once a transaction is over, it survives a power cut.
/// - A file that is damaged, or that only a newer program can read, is kept under another name, and a new one begun.
/// - After an error the connection is not used again: that of a file system that was read-only, or of a disk that was
///   pulled and put back, fails forever.
package final class KeptDatabase: @unchecked Sendable {
  package static let name = "jackdaw.sqlite"
  /// One more for each change that only adds tables: an older program goes on with those it knows. If a card puts an
  /// older program back, the credits stay.
  private static let version = 2
  /// The first that an older program could not read.
  private static let firstUnreadable = 1_000
  private static let settings = """
    PRAGMA busy_timeout=2000; PRAGMA synchronous=FULL; PRAGMA cache_size=-256; PRAGMA temp_store=MEMORY;
    PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=OFF
    """

  let path: String
  private let storage: any Storage
  private let system: (any DatabaseSystem)?
  private let former: FormerFiles
  private let access: DatabaseConnection.Access
  private let onNotice: @Sendable (String) -> Void
  /// Waits before a file that could not be read is read again.
  private let pause: () -> Void
  private let lock = Locked(())
  private var connection: DatabaseConnection?
  private typealias Filler = @Sendable (DatabaseConnection) throws(DatabaseError) -> Void
  /// With a lock of its own, which nobody holds while the storage hangs.
  private let fillers = Locked<[Filler]>([])
  private let keptAside = Locked<String?>(nil)

  /// - Parameters:
  ///   - storage: has the files of earlier versions, and the database where `system` is given.
  ///   - system: has SQLite keep its files in `storage`; nil: the machine's own file systems.
  ///   - access: other than `readWrite` for another program than the firmware: nothing is begun or kept aside.
  ///   - onNotice: called with a line for the log.
  package init(
    folder: String, storage: any Storage = DiskStorage(), system: (any DatabaseSystem)? = nil,
    access: DatabaseConnection.Access = .readWrite,
    pause: @escaping () -> Void = { _ = poll(nil, 0, 200) }, onNotice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    path = FileAccess.join(folder, Self.name)
    self.access = access
    former = FormerFiles(folder: folder, storage: storage, pause: pause)
    (self.storage, self.system, self.pause, self.onNotice) = (storage, system, pause, onNotice)
  }

  // The system must outlive the connection.
  deinit { connection = nil }

  /// Runs `body` on the open database, on a new one where the old one turns out to be damaged. What was not read, or may
  /// only seem to be damaged, is tried again on a new connection first, so `body` may run several times.
  package func use<Result>(
    _ body: (DatabaseConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try lock.withLock { _ in
      Swift.Result { () throws(DatabaseError) in
        for _ in 1..<UnusableFile.mostTries {
          let wasOpen = connection != nil
          do throws(DatabaseError) {
            return try attempt(body)
          } catch {
            if error.isBusy || !(wasOpen || error.isUnread) { return try recover(from: error, body) }
            if error.isUnread { pause() }
          }
        }
        do throws(DatabaseError) {
          return try attempt(body)
        } catch {
          return try recover(from: error, body)
        }
      }
    }.get()
  }

  /// Has `body` write into every new database, in the transaction that begins it, what was kept in the one before it and
  /// is still known. It is called while the database is used: it must not wait for anybody who waits for that.
  func whenNew(_ body: @escaping @Sendable (DatabaseConnection) throws(DatabaseError) -> Void) {
    fillers.withLock { $0.append(body) }
  }

  /// Why what was kept is no longer there, once it was kept aside and a new database begun; nil: it was not.
  var replaced: String? { keptAside.withLock { $0 } }

  /// A line for the log.
  func note(_ notice: String) { onNotice(notice) }

  /// Ends its use; the next one opens it again.
  package func close() {
    lock.withLock { _ in connection = nil }
    keptAside.withLock { $0 = nil }
  }

  // MARK: - Opening

  private func attempt<Result>(
    _ body: (DatabaseConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    do throws(DatabaseError) {
      return try body(try opened())
    } catch {
      if !error.isBusy { connection = nil }
      throw error
    }
  }

  private func recover<Result>(
    from error: DatabaseError, _ body: (DatabaseConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard access == .readWrite, error.isDamage || error.isUnread, keepAside("unread", error) else { throw error }
    return try attempt(body)
  }

  private func opened() throws(DatabaseError) -> DatabaseConnection {
    if let connection, !connection.hasLostItsFile { return connection }
    connection = nil
    var new = try connect()
    if try prepare(new) >= Self.firstUnreadable {
      // No damage: where it cannot be kept aside, it stays.
      let newer = DatabaseError(file: path, code: SQLITE_CANTOPEN, message: "is of a newer version")
      guard access == .readWrite, keepAside("newer", newer) else { throw newer }
      new = try connect()
      _ = try prepare(new)
    }
    connection = new
    return new
  }

  private func connect() throws(DatabaseError) -> DatabaseConnection {
    // SQLite would let everybody read a new one. Its journal gets the permissions of the database.
    if access == .readWrite, let file = try? storage.create(path) { storage.close(file) }
    return try DatabaseConnection(path, access, system: system?.name)
  }

  /// Returns the version that the database had. It is ready where that can be read.
  private func prepare(_ new: DatabaseConnection) throws(DatabaseError) -> Int {
    try new.execute(Self.settings)
    var version = 0
    try new.run("PRAGMA user_version") { version = $0.integer(0) }
    guard access == .readWrite else {
      if version < 1 { throw DatabaseError(file: path, code: SQLITE_EMPTY, message: "holds nothing yet") }
      return version
    }
    if version >= Self.firstUnreadable { return version }
    try new.execute("PRAGMA journal_mode=TRUNCATE")
    if version == 0 {
      let left = former.read()
      try new.transaction { () throws(DatabaseError) in
        try new.execute(CountsStore.schema + QuarantineStore.schema + ListingStore.schema + LedgerStore.schema)
        try left.put(new)
        for fill in fillers.withLock({ $0 }) { try fill(new) }
        try new.execute("PRAGMA user_version=\(Self.version)")
      }
      for reason in left.reasons { onNotice(reason) }
      former.keepAside(but: left.unread)
    }
    if version == 1 { new.migrationFailure = try migrate(new) }
    return version
  }

  /// Adds the tables that version 1 does not have. Returns why that cannot be done, as on a full storage: what is kept in
  /// the others can still be read, and every write that needs the new ones tries again.
  private func migrate(_ old: DatabaseConnection) throws(DatabaseError) -> DatabaseError? {
    do throws(DatabaseError) {
      try old.transaction { () throws(DatabaseError) in
        try old.execute(LedgerStore.schema + "PRAGMA user_version=\(Self.version)")
      }
      return nil
    } catch {
      if error.isDamage || error.isUnread || error.isBusy { throw error }
      return error
    }
  }

  // MARK: - Damage

  /// Renames the file and its journal. Returns false where that cannot be done.
  private func keepAside(_ suffix: String, _ error: DatabaseError) -> Bool {
    connection = nil
    let names = UnusableFile.names(for: path, suffix)
    // If all are taken, the newest of them goes: a database that is never begun again would keep nothing more.
    guard let kept = names.first(where: storage.isFree) ?? names.last else { return false }
    do throws(StorageError) {
      try storage.rename(path, to: kept)
    } catch {
      return false
    }
    try? storage.remove(kept + "-journal")
    // A new database must not be taken back to the state before the last transaction of this one.
    try? storage.rename(path + "-journal", to: kept + "-journal")
    try? storage.syncFolder(of: path)
    let notice = "\(error), kept as \(Wording.path(kept)), and a new one is begun"
    keptAside.withLock { $0 = notice }
    onNotice(notice)
    return true
  }
}
