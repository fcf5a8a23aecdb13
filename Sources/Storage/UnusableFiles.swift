import Glibc

/// How files of the state folder that cannot be used are read again, and what they are renamed to.
enum UnusableFile {
  /// How often one is read before it counts as unreadable.
  static let mostTries = 5
  /// The most that are kept of one name.
  static let mostKept = 9

  /// The names for one that is not to be lost, the first to be taken before the others.
  static func names(for path: String, _ suffix: String) -> [String] {
    ["\(path).\(suffix)"] + (2...mostKept).map { "\(path).\(suffix)-\($0)" }
  }
}

extension Storage {
  /// Reads a file again where the storage did not give it.
  /// - Parameter pause: waits in between.
  func readPatiently(
    _ path: String, atMost limit: Int, pause: () -> Void
  ) throws(StorageError) -> [UInt8] {
    for _ in 1..<UnusableFile.mostTries {
      do throws(StorageError) {
        return try read(path, atMost: limit)
      } catch {
        if error.code == ENOENT || error.isForeign { throw error }
      }
      pause()
    }
    return try read(path, atMost: limit)
  }

  /// Whether nothing has this name.
  func isFree(_ path: String) -> Bool {
    do throws(StorageError) {
      close(try open(path))
      return false
    } catch {
      return error.code == ENOENT
    }
  }
}
