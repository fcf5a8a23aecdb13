import Glibc

/// Storage for recordings that nobody keeps: holds the size and the first bytes of each file, and never fills up.
package final class MemoryStorage: Storage {
  private struct Content {
    var head: [UInt8] = []
    var size = 0
  }

  private let kept: Int
  private var contents: [String: Content] = [:]

  /// - Parameter kept: the bytes of each file that can be read again: the header of a recording, or the name in the
  ///   marker.
  package init(keeping kept: Int = 512) { self.kept = kept }

  package func makeFolder(_ path: String) {}

  package func freeBytes(in folder: String) -> Int { .max }

  package func create(_ path: String) throws(StorageError) -> StorageFile {
    guard contents[path] == nil else { throw StorageError(path: path, code: EEXIST) }
    contents[path] = Content()
    return StorageFile(descriptor: -1, path: path)
  }

  package func open(_ path: String) throws(StorageError) -> StorageFile {
    guard contents[path] != nil else { throw StorageError(path: path, code: ENOENT) }
    return StorageFile(descriptor: -1, path: path)
  }

  package func size(of file: StorageFile) -> Int { contents[file.path]?.size ?? 0 }

  package func read(_ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int) -> Int {
    let found = (contents[file.path]?.head ?? []).dropFirst(offset).prefix(bytes.count)
    bytes.copyBytes(from: found)
    return found.count
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) -> Int {
    guard var content = contents[file.path] else { return bytes.count }
    let kept = min(offset + bytes.count, kept)
    while content.head.count < kept { content.head.append(0) }
    for place in offset..<max(offset, kept) { content.head[place] = bytes[place - offset] }
    content.size = max(content.size, offset + bytes.count)
    contents[file.path] = content
    return bytes.count
  }

  package func truncate(_ file: StorageFile, to bytes: Int) {
    guard var content = contents[file.path] else { return }
    content.size = bytes
    content.head = Array(content.head.prefix(bytes))
    contents[file.path] = content
  }

  package func sync(_ file: StorageFile) {}
  package func close(_ file: StorageFile) {}

  package func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8] {
    guard let content = contents[path] else { throw StorageError(path: path, code: ENOENT) }
    if content.size > limit { throw StorageError(path: path, code: EFBIG) }
    return content.head
  }

  package func rename(_ path: String, to new: String) throws(StorageError) {
    guard let content = contents.removeValue(forKey: path) else { throw StorageError(path: path, code: ENOENT) }
    contents[new] = content
  }

  package func remove(_ path: String) { contents[path] = nil }
  package func names(in folder: String) -> [String] { contents.keys.sorted() }
  package func syncFolder(_ path: String) {}
}
