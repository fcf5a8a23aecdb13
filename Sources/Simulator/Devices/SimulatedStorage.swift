import Glibc
import Storage

/// The storage of a simulated board: can be full or read-only, and loses at a power cut what was not synced. Otherwise
/// its free space is unlimited, so that a simulation does not depend on the machine.
final class SimulatedStorage: Storage {
  var state = StorageState.good
  private let base: any Storage
  /// The writes that were not synced yet, by file, in order.
  private var unsynced: [StorageFile: [(offset: Int, bytes: [UInt8])]] = [:]
  private var sizes: [StorageFile: Int] = [:]
  /// The renames since the folder was last synced, with the content that each replaced.
  private var unsyncedNames: [(old: String, new: String, replaced: [UInt8]?)] = []

  /// - Parameter base: the storage that synced data is written to.
  init(on base: any Storage) { self.base = base }

  /// Keeps what was synced, drops the rest, and closes the open files.
  func cutPower() {
    for file in sizes.keys { base.close(file) }
    unsynced = [:]
    sizes = [:]
    for (old, new, replaced) in unsyncedNames.reversed() {
      try? base.rename(new, to: old)
      if let replaced { try? put(replaced, new) }
    }
    unsyncedNames = []
  }

  private func put(_ bytes: [UInt8], _ path: String) throws(StorageError) {
    let file = try base.create(path)
    defer { base.close(file) }
    try base.writeAll(bytes, to: file, at: 0)
  }

  func makeFolder(_ path: String) throws(StorageError) { try base.makeFolder(path) }

  func freeBytes(in folder: String) throws(StorageError) -> Int {
    _ = try base.freeBytes(in: folder)
    return state == .full ? 0 : .max
  }

  func create(_ path: String) throws(StorageError) -> StorageFile {
    try change(path)
    return try adopt(base.create(path))
  }

  func open(_ path: String) throws(StorageError) -> StorageFile { try adopt(base.open(path)) }

  func size(of file: StorageFile) -> Int { sizes[file] ?? 0 }

  func read(_ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int) throws(StorageError) -> Int
  {
    for place in bytes.indices { bytes[place] = 0 }
    _ = try base.read(bytes, from: file, at: offset)
    for (start, written) in unsynced[file] ?? [] {
      let both = max(start, offset)..<max(max(start, offset), min(start + written.count, offset + bytes.count))
      for place in both { bytes[place - offset] = written[place - start] }
    }
    return max(0, min(bytes.count, size(of: file) - offset))
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int {
    try change(file.path)
    let size = size(of: file)
    if state == .full && offset + bytes.count > size { throw StorageError(path: file.path, code: ENOSPC) }
    unsynced[file, default: []].append((offset, Array(bytes)))
    sizes[file] = max(size, offset + bytes.count)
    return bytes.count
  }

  func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError) {
    try change(file.path)
    try flush(file)
    try base.truncate(file, to: bytes)
    sizes[file] = bytes
  }

  /// Does not sync the machine's disk: the simulated power cut is the only one that matters.
  func sync(_ file: StorageFile) throws(StorageError) {
    try change(file.path)
    try flush(file)
  }

  func close(_ file: StorageFile) {
    base.close(file)
    unsynced[file] = nil
    sizes[file] = nil
  }

  func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
    try base.read(path, atMost: limit)
  }

  func rename(_ path: String, to new: String) throws(StorageError) {
    try change(path)
    let replaced = try? base.read(new, atMost: .max)
    try base.rename(path, to: new)
    unsyncedNames.append((path, new, replaced))
  }

  func remove(_ path: String) throws(StorageError) {
    try change(path)
    try base.remove(path)
  }

  func names(in folder: String) -> [String] { base.names(in: folder) }
  func syncFolder(_ path: String) { unsyncedNames = [] }

  private func change(_ path: String) throws(StorageError) {
    if state == .readOnly { throw StorageError(path: path, code: EROFS) }
  }

  private func adopt(_ file: StorageFile) throws(StorageError) -> StorageFile {
    sizes[file] = try base.size(of: file)
    return file
  }

  private func flush(_ file: StorageFile) throws(StorageError) {
    for (offset, bytes) in unsynced.removeValue(forKey: file) ?? [] {
      try base.writeAll(bytes, to: file, at: offset)
    }
  }
}
