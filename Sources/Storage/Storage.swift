import Glibc

/// The calls on storage that recordings and the state need. Each user has one of its own, on a thread of its own; each
/// call blocks as long as the storage does.
package protocol Storage: AnyObject {
  /// Makes the folder, not those above it; nothing to do where it is there.
  func makeFolder(_ path: String) throws(StorageError)
  /// Bytes that are free to this program on the storage that the folder is on.
  func freeBytes(in folder: String) throws(StorageError) -> Int
  /// Makes a new file; EEXIST where the name is taken.
  func create(_ path: String) throws(StorageError) -> StorageFile
  /// Opens a regular file that is there.
  func open(_ path: String) throws(StorageError) -> StorageFile
  func size(of file: StorageFile) throws(StorageError) -> Int
  /// Up to `bytes` bytes from its beginning.
  func head(of file: StorageFile, bytes: Int) throws(StorageError) -> [UInt8]
  /// Answers how many bytes were taken, which may be fewer.
  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int
  func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError)
  /// What was written survives a power cut from now on. ENOENT for a file that somebody removed.
  func sync(_ file: StorageFile) throws(StorageError)
  func close(_ file: StorageFile)
  /// All bytes of a regular file; EFBIG where it has more than `limit`.
  func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8]
  /// Gives a file another name, in the place of whatever has it. For one that is closed.
  func rename(_ path: String, to new: String) throws(StorageError)
  func remove(_ path: String) throws(StorageError)
  /// The same for the names in a folder.
  func syncFolder(_ path: String) throws(StorageError)
}

/// A file that is open.
package struct StorageFile: Hashable {
  package var descriptor: CInt
  package var path: String
}

/// A failed call on the storage: on what, and the kernel's answer.
package struct StorageError: Error, Hashable, CustomStringConvertible {
  package var path: String
  /// Positive `errno`.
  package var code: CInt
  var detail = ""

  package init(path: String, code: CInt, detail: String = "") {
    self.path = path
    self.code = code
    self.detail = detail
  }

  var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Without a path it is the folder of recordings that nobody keeps.
  package var description: String {
    "\(path.isEmpty ? "storage" : path): \(String(cString: strerror(code)))" + (detail.isEmpty ? "" : " (\(detail))")
  }
}

extension Storage {
  /// Writes all of it; answers how many bytes were taken, fewer only with the error that stopped it.
  package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int
  ) -> (written: Int, error: StorageError?) {
    var done = 0
    while done < bytes.count {
      do throws(StorageError) {
        let count = try write(UnsafeRawBufferPointer(rebasing: bytes[done...]), to: file, at: offset + done)
        if count == 0 { return (done, StorageError(path: file.path, code: ENOSPC)) }
        done += count
      } catch {
        return (done, error)
      }
    }
    return (done, nil)
  }

  package func writeAll(_ bytes: [UInt8], to file: StorageFile, at offset: Int) throws(StorageError) {
    let result = bytes.withUnsafeBytes { writeAll($0, to: file, at: offset) }
    if let error = result.error { throw error }
  }
}
