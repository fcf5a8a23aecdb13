import Files
import Glibc
import Threads

/// Keeps the quarantine beside the state, and the files that are being opened in a folder that survives a restart of the
/// firmware. That folder need not survive a power cut, which is not the file's fault, and no track may cost a write of the
/// card. Any thread may call it; calls other than `leftOut` and `report` block as long as the storage does.
public final class QuarantineStore: @unchecked Sendable {
  private static let mostBytes = 1 << 22

  private let path: String
  private let openingPath: String?
  let storage: any Storage
  private let identify: @Sendable (String) -> FileMark?
  private let quarantine = Locked(Quarantine())
  /// What is being opened. Held while the storage is used.
  private let opening = Locked<[FileMark]>([])
  /// What is open.
  let playing = Locked<[FileMark]>([])
  let reports = DeathReports()
  /// Why what was kept could not be read; nil: it was, or there was nothing.
  package private(set) var notice: String?

  /// Reads what is kept, and counts the files that the last firmware was opening when it ended. Call it before other threads start.
  /// - Parameters:
  ///   - path: the file, in the folder of the state.
  ///   - openingPath: the file for what is being opened, best in memory; nil: that is not kept.
  ///   - identify: the file behind a path, as it is now; nil where there is none.
  package init(
    path: String, openingPath: String?, storage: any Storage = DiskStorage(),
    identify: @escaping @Sendable (String) -> FileMark?
  ) {
    self.path = path
    self.openingPath = openingPath
    self.storage = storage
    self.identify = identify
    do throws(FileError) {
      let kept = try Self.read(path, storage)
      quarantine.withLock { $0 = kept }
    } catch {
      notice = error.description
    }
    // A torn one says nothing.
    guard let openingPath, let left = try? Self.read(openingPath, storage), !left.entries.isEmpty else { return }
    quarantine.withLock { for entry in left.entries { $0.endedOpening(entry.mark) } }
    opening.withLock { _ in
      save()
      note([])
    }
  }

  /// What is kept at a path; empty where there is no file.
  package static func read(_ path: String, _ storage: any Storage = DiskStorage()) throws(FileError) -> Quarantine {
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

  /// A decoder died of the file at this path, or was stopped over it. The second time, the file is left out.
  package func died(_ path: String, reason: String) {
    guard let mark = identify(path) else { return }
    changeAndSave { quarantine in
      quarantine.died(mark, reason: reason)
      return true
    }
  }

  /// - Parameter body: returns whether anything has to be saved.
  func changeAndSave(_ body: @Sendable (inout Quarantine) -> Bool) {
    opening.withLock { _ in if quarantine.withLock(body) { save() } }
  }

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
      if quarantine.withLock({ $0.opened(mark) }) { save() }
    }
  }

  /// A quarantine that cannot be kept holds all the same until the firmware ends.
  private func save() { try? storage.replace(path, with: QuarantineText.encode(quarantine.withLock { $0 })) }

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
