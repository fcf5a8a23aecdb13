import Files
import Glibc

/// The file system calls that recordings and the saved state need, so that tests can make them fail and cut the power.
/// Each user has an instance of its own, on a thread of its own; each call blocks as long as the storage does.
package protocol Storage: AnyObject {
  /// Makes the folder, but not those above it. Does nothing where it exists.
  func makeFolder(_ path: String) throws(StorageError)
  /// The bytes that this program may still use on the file system of the folder.
  func freeBytes(in folder: String) throws(StorageError) -> Int
  /// Makes a new file; fails with EEXIST where the name is taken.
  func create(_ path: String) throws(StorageError) -> StorageFile
  /// Opens an existing regular file.
  func open(_ path: String) throws(StorageError) -> StorageFile
  func size(of file: StorageFile) throws(StorageError) -> Int
  /// Returns how many bytes were read: fewer than there is room for only at the end of the file.
  func read(_ bytes: UnsafeMutableRawBufferPointer, from file: StorageFile, at offset: Int) throws(StorageError) -> Int
  /// Returns how many bytes were written, which may be fewer than given.
  func write(_ bytes: UnsafeRawBufferPointer, to file: StorageFile, at offset: Int) throws(StorageError) -> Int
  func truncate(_ file: StorageFile, to bytes: Int) throws(StorageError)
  /// Makes everything written so far survive a power cut. Fails with ENOENT for a file that somebody removed.
  func sync(_ file: StorageFile) throws(StorageError)
  func close(_ file: StorageFile)
  /// Returns all bytes of a regular file; fails with EFBIG where it has more than `limit`.
  func read(_ path: String, atMost limit: Int) throws(StorageError) -> [UInt8]
  /// Renames a closed file, replacing whatever has the new name.
  func rename(_ path: String, to new: String) throws(StorageError)
  func remove(_ path: String) throws(StorageError)
  /// The names in a folder, sorted; none where there is no such folder or it cannot be read.
  func names(in folder: String) -> [String]
  /// Makes the names in a folder survive a power cut, as `sync` does for the content of a file.
  func syncFolder(_ path: String) throws(StorageError)
}

/// An open file of a `Storage`.
package struct StorageFile: Hashable {
  package var descriptor: CInt
  package var path: String
}

/// A failed call on the storage: the path it concerned and the kernel's error.
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

  /// Whether something other than a file of ours is there: a folder, a pipe, a link, a file that is too large. Trying
  /// again does not help.
  var isForeign: Bool { [ENOTDIR, EISDIR, ELOOP, ENXIO, EINVAL, EFBIG].contains(code) }

  /// An empty path stands for recordings that are counted but not kept.
  package var description: String {
    "\(path.isEmpty ? "storage" : path): \(String(cString: strerror(code)))" + (detail.isEmpty ? "" : " (\(detail))")
  }
}

extension Storage {
  /// Returns up to `bytes` bytes from the start of the file.
  func head(of file: StorageFile, bytes: Int) throws(StorageError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: bytes)
    let result = head.withUnsafeMutableBytes { bytes in
      Result { () throws(StorageError) in try read(bytes, from: file, at: 0) }
    }
    return Array(head.prefix(try result.get()))
  }

  /// Writes all of `bytes`. Returns how many were written: fewer only together with the error that stopped it.
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

  /// Makes a new file in place of one that an interrupted save may have left, and syncs it. Leaves none on failure.
  func putFresh(_ bytes: [UInt8], _ path: String) throws(StorageError) {
    try? remove(path)
    let file = try create(path)
    do throws(StorageError) {
      defer { close(file) }
      try writeAll(bytes, to: file, at: 0)
      try sync(file)
    } catch {
      try? remove(path)
      throw error
    }
  }

  func syncFolder(of path: String) throws(StorageError) {
    let folder = FileAccess.folder(of: path)
    try syncFolder(folder.isEmpty ? "." : folder)
  }
}
