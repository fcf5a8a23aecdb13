import Glibc

/// Storage for recordings that nobody keeps: remembers how long each file is and how it begins, and has no end.
final class MemoryStorage: RecordingStorage {
  /// As much of each file as is ever read again: a header, or the name in the marker.
  private static let keptBytes = 512

  private struct Content {
    var head: [UInt8] = []
    var size = 0
  }

  private var contents: [String: Content] = [:]

  func makeFolder(_ path: String) {}

  func freeBytes(in folder: String) -> Int { .max }

  func create(_ path: String) throws(StorageError) -> StorageFile {
    guard contents[path] == nil else { throw StorageError(path: path, code: EEXIST) }
    contents[path] = Content()
    return StorageFile(descriptor: -1, path: path)
  }

  func open(_ path: String) throws(StorageError) -> StorageFile {
    guard contents[path] != nil else { throw StorageError(path: path, code: ENOENT) }
    return StorageFile(descriptor: -1, path: path)
  }

  func size(of file: StorageFile) -> Int { contents[file.path]?.size ?? 0 }

  func head(of file: StorageFile, bytes: Int) -> [UInt8] {
    Array((contents[file.path]?.head ?? []).prefix(bytes))
  }

  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) -> Int {
    guard var content = contents[file.path] else { return bytes.count }
    let kept = min(offset + bytes.count, Self.keptBytes)
    while content.head.count < kept { content.head.append(0) }
    for place in offset..<max(offset, kept) { content.head[place] = bytes[place - offset] }
    content.size = max(content.size, offset + bytes.count)
    contents[file.path] = content
    return bytes.count
  }

  func truncate(_ file: StorageFile, to bytes: Int) {
    guard var content = contents[file.path] else { return }
    content.size = bytes
    content.head = Array(content.head.prefix(bytes))
    contents[file.path] = content
  }

  func sync(_ file: StorageFile) {}
  func close(_ file: StorageFile) {}
  func remove(_ path: String) { contents[path] = nil }
  func syncFolder(_ path: String) {}
}
