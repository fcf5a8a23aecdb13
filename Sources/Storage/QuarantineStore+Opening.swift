import Board

extension QuarantineStore {
  /// Opens the file at this path with `body`, unless it is left out, and notes meanwhile that it is being opened. Blocks as
  /// long as `body` and the storage do.
  public func admit<File>(
    _ path: String, _ body: () throws(TrackError) -> File
  ) throws(TrackError) -> File {
    noteDeaths()
    if let reason = objection(to: path) { throw TrackError(operation: .open, path: path, reason: reason) }
    return try opening(path, body)
  }
}
