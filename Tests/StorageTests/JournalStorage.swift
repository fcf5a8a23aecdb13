import Glibc

@testable import Storage

/// A storage in memory that records every operation, so that a test can find out what a power cut would leave.
final class JournalStorage: Storage {
  /// Files are identified by number, since names can be renamed.
  enum Operation: Hashable {
    case create(String, file: Int)
    case write([UInt8], file: Int, offset: Int)
    case truncate(file: Int, to: Int)
    case sync(file: Int)
    case rename(String, to: String, file: Int)
    case remove(String)
    case syncFolder
  }

  /// A call that is left out, as by a faulty writer.
  enum Omission { case nothing, sync, syncFolder }

  private(set) var operations: [Operation] = []
  private let omission: Omission
  private var names: [String: Int] = [:]
  private var files: [[UInt8]] = []

  /// - Parameter disk: content by name. Files have the numbers of their sorted names.
  init(_ disk: [String: [UInt8]], leavingOut omission: Omission = .nothing) {
    self.omission = omission
    for (name, bytes) in disk.sorted(by: { $0.key < $1.key }) {
      names[name] = files.count
      files.append(bytes)
    }
  }

  /// What it holds, as long as the power is on.
  var content: [String: [UInt8]] { names.mapValues { files[$0] } }

  func makeFolder(_ path: String) {}
  func freeBytes(in folder: String) -> Int { .max }

  func create(_ path: String) throws(StorageError) -> StorageFile {
    if names[path] != nil { throw StorageError(path: path, code: EEXIST) }
    names[path] = files.count
    operations.append(.create(path, file: files.count))
    files.append([])
    return StorageFile(descriptor: CInt(files.count - 1), path: path)
  }

  func open(_ path: String) throws(StorageError) -> StorageFile {
    StorageFile(descriptor: CInt(try number(path)), path: path)
  }

  func size(of file: StorageFile) -> Int { files[Int(file.descriptor)].count }

  func read(_ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int) -> Int {
    let found = files[Int(file.descriptor)].dropFirst(offset).prefix(bytes.count)
    bytes.copyBytes(from: found)
    return found.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) -> Int {
    let number = Int(file.descriptor)
    operations.append(.write(Array(bytes), file: number, offset: offset))
    files[number] = files[number].overwritten(with: Array(bytes), at: offset)
    return bytes.count
  }

  func truncate(_ file: StorageFile, to bytes: Int) {
    let number = Int(file.descriptor)
    operations.append(.truncate(file: number, to: bytes))
    files[number] = files[number].truncated(to: bytes)
  }

  func sync(_ file: StorageFile) {
    if omission != .sync { operations.append(.sync(file: Int(file.descriptor))) }
  }
  func close(_ file: StorageFile) {}

  func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
    let file = files[try number(path)]
    if file.count > limit { throw StorageError(path: path, code: EFBIG) }
    return file
  }

  func rename(_ path: String, to new: String) throws(StorageError) {
    let file = try number(path)
    operations.append(.rename(path, to: new, file: file))
    names[path] = nil
    names[new] = file
  }

  func remove(_ path: String) throws(StorageError) {
    _ = try number(path)
    operations.append(.remove(path))
    names[path] = nil
  }

  func names(in folder: String) -> [String] { names.keys.sorted() }

  func syncFolder(_ path: String) {
    if omission != .syncFolder { operations.append(.syncFolder) }
  }

  private func number(_ path: String) throws(StorageError) -> Int {
    guard let number = names[path] else { throw StorageError(path: path, code: ENOENT) }
    return number
  }
}

extension [UInt8] {
  func overwritten(with bytes: [UInt8], at offset: Int) -> [UInt8] {
    var result = self
    while result.count < offset + bytes.count { result.append(0) }
    result.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return result
  }

  func truncated(to count: Int) -> [UInt8] {
    self.count < count ? self + [UInt8](repeating: 0, count: count - self.count) : Array(prefix(count))
  }
}
