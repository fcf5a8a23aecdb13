import Board

extension QuarantineStore {
  /// Opens the file at this path with `body`, unless it is left out, and notes meanwhile that it is being opened. `body` gets
  /// what is to live as long as the file is open. Blocks as long as `body` and the storage do.
  public func admit<File>(
    _ path: String, _ body: (FileUse?) throws(TrackError) -> File
  ) throws(TrackError) -> File {
    noteDeaths()
    if let reason = objection(to: path) { throw TrackError(operation: .open, path: path, reason: reason) }
    return try opening(path) { mark throws(TrackError) in try body(mark.map { FileUse($0, in: self) }) }
  }
}
