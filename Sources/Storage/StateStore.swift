import Files
import Glibc
import Jukebox

/// Keeps what survives a power cut, in two generations: the newest in a file, the one before it beside it in `.old`.
///
/// A new state is written to `.new` and synced. Then the newest file is renamed to `.old`, the new one takes its place,
/// and the folder is synced. Wherever the power is cut, one of the files holds the last state that `write` reported as
/// saved, or a newer one. One thread at a time; every call blocks as long as the storage does.
package final class StateStore {
  /// The largest file that is read. A state has some hundred bytes, and the name of a track.
  private static let mostBytes = 1 << 16

  private let path: String
  private let storage: any Storage
  /// The bytes of the newest file; nil when it is missing, cannot be read, or may not have reached the storage.
  private var newest: [UInt8]?

  private var older: String { path + ".old" }
  private var fresh: String { path + ".new" }

  /// On the machine's own storage.
  package convenience init(path: String) { self.init(path: path, storage: DiskStorage()) }

  package init(path: String, storage: any Storage) {
    self.path = path
    self.storage = storage
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
    let found = load(path)
    if case .good(let state, let bytes) = found {
      newest = bytes
      return .state(state)
    }
    switch (found, load(older)) {
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
      bytes = try storage.read(path, atMost: Self.mostBytes)
    } catch {
      if error.code == ENOENT { return .missing }
      return .bad(FileError(file: path, message: String(cString: strerror(error.code))))
    }
    do throws(FileError) {
      return .good(try StateText.decode(bytes, file: path), bytes)
    } catch {
      return .bad(error)
    }
  }

  // MARK: - Writing

  /// Saves a state, unless the newest file holds it already. Once this returns `saved`, the state survives a power cut.
  package func write(_ state: SavedState) -> StorageReport {
    let bytes = StateText.encode(state)
    if bytes == newest { return .unchanged }
    do throws(StorageError) {
      try putFresh(bytes)
      try replace(with: bytes)
      return .saved
    } catch {
      return .failed(reason: StorageError(path: path, code: error.code).description)
    }
  }

  private func putFresh(_ bytes: [UInt8]) throws(StorageError) {
    // An interrupted save may have left one.
    try? storage.remove(fresh)
    let file = try storage.create(fresh)
    do throws(StorageError) {
      defer { storage.close(file) }
      try storage.writeAll(bytes, to: file, at: 0)
      try storage.sync(file)
    } catch {
      try? storage.remove(fresh)
      throw error
    }
  }

  private func replace(with bytes: [UInt8]) throws(StorageError) {
    // A broken newest file must not replace the valid older one.
    if newest != nil {
      newest = nil
      try storage.rename(path, to: older)
    }
    try storage.rename(fresh, to: path)
    let folder = FileAccess.folder(of: path)
    try storage.syncFolder(folder.isEmpty ? "." : folder)
    newest = bytes
  }
}
