import Glibc

/// Which file is behind a path, and which content it has, as far as that shows without reading it.
public struct FileIdentity: Hashable, Sendable {
  /// Absolute, with links resolved, as `RawName` has it.
  public var path: String
  /// Bytes.
  public var size: Int
  /// When it was changed last, nanoseconds since 1970.
  public var modified: Int

  /// nil where there is no such file. Blocks as long as the storage does.
  public init?(path: String) {
    guard !path.utf8.contains(0) else { return nil }
    var status = stat()
    guard RawName.withPath(path, { stat($0, &status) }) == 0 else { return nil }
    guard let real = RawName.withPath(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    self.path = RawName.text(UnsafeBufferPointer(start: real, count: strlen(real)).map(UInt8.init(bitPattern:)))
    size = Int(status.st_size)
    modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
  }
}
