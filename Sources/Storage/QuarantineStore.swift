import Files
import Glibc
import Threads

/// Keeps the quarantine in the database, and the files that are being opened in a folder that survives a restart of the
/// firmware. That folder need not survive a power cut, which is not the file's fault, and no track may cost a write of the
/// card. Any thread may call it. `takeKept` blocks as long as the database does; `admit` and `objection` as long as the storage
/// of the file does, and while another thread looks at a file of which a decoder has died.
public final class QuarantineStore: @unchecked Sendable {
  private static let mostBytes = 1 << 22
  /// The largest number of a file that is taken from the database.
  private static let most = 1 << 40
  static let schema = """
    CREATE TABLE quarantine (path TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      died INTEGER NOT NULL, unopened INTEGER NOT NULL, crashed INTEGER NOT NULL, reason TEXT NOT NULL);
    """

  private let database: KeptDatabase
  private let openingPath: String?
  let storage: any Storage
  let identify: @Sendable (String) -> FileMark?
  private let quarantine = Locked(Quarantine())
  /// Whether `quarantine` has what the database had before this start.
  private let isRead = Locked(false)
  private let onNotice: @Sendable (String) -> Void
  /// What is being opened. Held while that is noted, and never while the database is used.
  private let opening = Locked<[FileMark]>([])
  /// What is open.
  let playing = Locked<[FileMark]>([])
  let reports = DeathReports()

  /// Counts the files that the last firmware was opening when it ended. Does not use the database: `takeKept` does.
  /// - Parameters:
  ///   - openingPath: the file for what is being opened, best in memory; nil: that is not kept.
  ///   - onNotice: called with a line for the log.
  ///   - identify: the file behind a path, as it is now; nil where there is none.
  package init(
    _ database: KeptDatabase, openingPath: String?, storage: any Storage = DiskStorage(),
    onNotice: @escaping @Sendable (String) -> Void = { _ in },
    identify: @escaping @Sendable (String) -> FileMark?
  ) {
    self.database = database
    self.openingPath = openingPath
    self.storage = storage
    self.identify = identify
    self.onNotice = onNotice
    database.whenNew { [quarantine, isRead] (connection) throws(DatabaseError) in
      // Until it is read, the first save adds it.
      if isRead.withLock({ $0 }) { try Self.put(quarantine.withLock { $0 }, connection) }
    }
    // A torn one says nothing.
    guard let openingPath, let left = try? Self.read(openingPath, storage) else { return }
    quarantine.withLock { for entry in left.entries { $0.endedOpening(entry.mark) } }
  }

  /// Adds what is kept, and saves what was added to it meanwhile. If it is not read, the next save tries again: none
  /// takes the place of what was not read.
  package func takeKept() throws(DatabaseError) {
    // Without the lock of what is being opened: music starts while the storage hangs.
    changeToSave { !$0.entries.isEmpty }
    try read()
    saveChanges()
    opening.withLock { note($0) }
  }

  private func read() throws(DatabaseError) {
    if isRead.withLock({ $0 }) { return }
    let kept = try Self.read(database)
    isRead.withLock { isRead in
      if isRead { return }
      quarantine.withLock { quarantine in
        var all = kept
        all.add(quarantine)
        quarantine = all
      }
      isRead = true
    }
  }

  /// What is kept in a database.
  package static func read(_ database: KeptDatabase) throws(DatabaseError) -> Quarantine {
    var entries: [Quarantine.Entry] = []
    try database.use { (connection) throws(DatabaseError) in
      entries = []
      let newest = """
        SELECT path, size, modified, died, unopened, crashed, reason FROM quarantine
        ORDER BY rowid DESC LIMIT \(Quarantine.mostFiles)
        """
      try connection.run(newest) { row in
        let numbers = (3...5).map { max(0, min(row.integer($0), most)) }
        entries.append(
          Quarantine.Entry(
            mark: FileMark(path: row.text(0), size: row.integer(1), modified: row.integer(2)), died: numbers[0],
            unopened: numbers[1], crashed: numbers[2], reason: row.text(6)))
      }
    }
    return Quarantine(entries.reversed())
  }

  /// Writes all of it, in place of what there is.
  static func put(_ quarantine: Quarantine, _ connection: DatabaseConnection) throws(DatabaseError) {
    try connection.execute("DELETE FROM quarantine")
    for entry in quarantine.entries {
      let mark = entry.mark
      let numbers = [mark.size, mark.modified, entry.died, entry.unopened, entry.crashed]
      try connection.run(
        "INSERT INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
        [.text(mark.path)] + numbers.map { .integer($0) } + [.text(entry.reason)])
    }
  }

  /// What is noted at a path; empty where there is no file.
  static func read(_ path: String, _ storage: any Storage = DiskStorage()) throws(FileError) -> Quarantine {
    let bytes: [UInt8]
    do throws(StorageError) {
      bytes = try storage.read(path, atMost: mostBytes)
    } catch {
      if error.code == ENOENT { return Quarantine() }
      throw FileError(file: path, message: String(cString: strerror(error.code)))
    }
    return try QuarantineText.decode(bytes, file: path)
  }

  /// The files that are left out.
  package var leftOut: [FileMark] { quarantine.withLock { $0.leftOut } }

  /// Why the file at this path is left out; nil where it may be opened.
  package func objection(to path: String) -> String? {
    identify(path).flatMap { mark in quarantine.withLock { $0.objection(to: mark) } }
  }

  /// Changes what is known without saving it.
  func change(_ body: @Sendable (inout Quarantine) -> Void) { quarantine.withLock(body) }

  /// Changes what is known, for `saveChanges` to save it. Returns whether anything has to be saved.
  /// - Parameter body: returns the same.
  @discardableResult
  func changeToSave(_ body: @Sendable (inout Quarantine) -> Bool) -> Bool {
    guard quarantine.withLock(body) else { return false }
    reports.isUnsaved.withLock { $0 = true }
    return true
  }

  /// Saves what was changed and is not saved yet. Blocks as long as the database does.
  func saveChanges() {
    let isUnsaved = reports.isUnsaved.withLock { isUnsaved in
      defer { isUnsaved = false }
      return isUnsaved
    }
    if isUnsaved { save() }
  }

  var remembersDeaths: Bool { quarantine.withLock { $0.remembersDeaths } }

  func remembersCrash(of mark: FileMark) -> Bool { quarantine.withLock { $0.remembersCrash(of: mark) } }

  /// Runs `body`, which opens the file at this path. A file over which the firmware ends twice in a row is left out.
  package func opening<Result, Failure: Error>(
    _ path: String, _ body: (FileMark?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let found = identify(path)
    guard openingPath != nil, let mark = found else { return try body(found) }
    opening.withLock { opening in
      opening.append(mark)
      note(opening)
    }
    defer { endOpening(mark) }
    return try body(mark)
  }

  private func endOpening(_ mark: FileMark) {
    opening.withLock { opening in
      if let index = opening.firstIndex(of: mark) { opening.remove(at: index) }
      note(opening)
    }
    if changeToSave({ $0.opened(mark) }) { wakeThread() }
  }

  /// A quarantine that cannot be kept still holds until the firmware ends.
  private func save() {
    do throws(DatabaseError) {
      try read()
      try database.use { (connection) throws(DatabaseError) in
        // Taken here, so that whoever saves last saves the newest.
        let kept = quarantine.withLock { $0 }
        try connection.transaction { () throws(DatabaseError) in try Self.put(kept, connection) }
      }
    } catch {
      // The next change tries again, and so does the end.
      reports.isUnsaved.withLock { $0 = true }
      onNotice("\(error): the files that did harm are not kept")
    }
  }

  /// It is not synced: it has to survive the firmware, not the machine.
  private func note(_ opening: [FileMark]) {
    guard let openingPath else { return }
    let text = QuarantineText.encode(Quarantine(opening.map { Quarantine.Entry(mark: $0) }))
    guard let file = (try? storage.open(openingPath)) ?? (try? storage.create(openingPath)) else { return }
    defer { storage.close(file) }
    try? storage.truncate(file, to: 0)
    if !opening.isEmpty { try? storage.writeAll(text, to: file, at: 0) }
  }
}
