import Files
import Glibc
import Jukebox

/// Keeps the state, in two generations: the newest in a file, the one before it beside it in `.old`.
///
/// A new state is written to `.new` and synced. Then the newest file is renamed to `.old`, the new one takes its place,
/// and the folder is synced. Wherever the power is cut, one of the files holds the last state that `write` reported as
/// saved, or a newer one. A file that could not be read, and a state of a newer version of this program, are kept under
/// another name before a new state takes their place. One thread at a time; every call blocks as long as the storage does.
package final class StateStore {
  /// The largest file that is read. A state has some hundred bytes, and up to three paths of each of 64 playlists.
  private static let mostBytes = 1 << 22

  private let path: String
  private let storage: any Storage
  /// The bytes of the newest file; nil when it is missing, cannot be read, or may not have reached the storage.
  private var newest: [UInt8]?
  /// The bytes of the older file where it was read in place of a newest one that is to be kept.
  private var restored: [UInt8]?
  /// The names that files get before another takes their place, by path.
  private var keptAs: [String: String] = [:]
  /// Waits before a file that could not be read is read again.
  private let pause: () -> Void

  private var older: String { path + ".old" }
  private var fresh: String { path + ".new" }

  /// A store on the machine's own storage.
  package convenience init(path: String) {
    self.init(path: path, storage: DiskStorage()) { _ = poll(nil, 0, 200) }
  }

  package init(path: String, storage: any Storage, pause: @escaping () -> Void = {}) {
    self.path = path
    self.storage = storage
    self.pause = pause
  }

  // MARK: - Reading

  private enum Found {
    case missing
    case good(SavedState, [UInt8])
    case bad(FileError)
  }

  /// Reads the newest valid state, and reports why a newer one could not be used.
  package func read() -> PowerOn.Saved {
    newest = nil
    restored = nil
    keptAs = [:]
    let found = load(path)
    if case .good(let state, let bytes) = found {
      newest = bytes
      return .state(state)
    }
    let other = load(older)
    if keptAs[path] != nil, case .good(_, let bytes) = other { restored = bytes }
    switch (found, other) {
    case (.good(let state, _), _): return .state(state)
    case (.missing, .missing): return .nothing
    // The power was cut between the two renames.
    case (.missing, .good(let state, _)): return .state(state)
    case (.missing, .bad(let error)), (.bad(let error), .missing): return .unreadable(reason: error.description)
    case (.bad(let error), .good(let state, _)): return .older(state, reason: error.description)
    case (.bad(let error), .bad(let other)): return .unreadable(reason: "\(error); \(other)")
    }
  }

  private func load(_ path: String) -> Found {
    let bytes: [UInt8]
    do throws(StorageError) {
      bytes = try storage.readPatiently(path, atMost: Self.mostBytes, pause: pause)
    } catch {
      if error.code == ENOENT { return .missing }
      let found = FileError(file: path, message: String(cString: strerror(error.code)))
      return .bad(error.isForeign ? found : keep(path, "unread", found))
    }
    do throws(FileError) {
      return .good(try StateText.decode(bytes, file: path), bytes)
    } catch {
      return .bad(StateText.isOfNewerVersion(bytes) ? keep(path, "newer", error) : error)
    }
  }

  /// Notes that a file is not to be lost, and adds to the error where it will be found.
  private func keep(_ path: String, _ suffix: String, _ error: FileError) -> FileError {
    keptAs[path] = UnusableFile.names(for: path, suffix).first(where: storage.isFree)
    let place =
      keptAs[path].map { "to be kept as \(Wording.path($0))" } ?? "not kept, as \(UnusableFile.mostKept) others are"
    return FileError(file: error.file, line: error.line, field: error.field, message: "\(error.message), \(place)")
  }

  // MARK: - Writing

  /// Saves a state, unless the newest file holds it already. Once this returns `saved`, the state survives a power cut.
  package func write(_ state: SavedState) -> StorageReport {
    let bytes = StateText.encode(state)
    // A restored state that did not change must not replace a newer state that could not be read for a while.
    if bytes == newest || bytes == restored { return .unchanged }
    do throws(StorageError) {
      try storage.putFresh(bytes, fresh)
      try replace(with: bytes)
      restored = nil
      return .saved
    } catch {
      return .failed(reason: StorageError(path: path, code: error.code).description)
    }
  }

  private func replace(with bytes: [UInt8]) throws(StorageError) {
    // A broken newest file must not replace the valid older one.
    if newest != nil {
      newest = nil
      try makeWay(at: older)
      try storage.rename(path, to: older)
    } else {
      try makeWay(at: path)
    }
    try storage.rename(fresh, to: path)
    try storage.syncFolder(of: path)
    newest = bytes
  }

  private func makeWay(at path: String) throws(StorageError) {
    guard let kept = keptAs[path] else { return }
    try storage.rename(path, to: kept)
    // Otherwise a power cut could undo this and leave the new state in its place.
    try storage.syncFolder(of: path)
    keptAs[path] = nil
  }
}
