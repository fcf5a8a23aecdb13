import Files
import Jukebox

/// Recordings that are removed because of their age.
extension RecordingFolder {
  /// Removes our recordings whose names are before `time`, except those in `kept`, and reports each. Recordings whose date
  /// nobody knew stay, and so do other files, whatever they are called.
  func removeRecordings(before time: String, but kept: Set<String>) -> [RecorderReport] {
    let old = storage.names(in: path).filter {
      Self.isOurs($0) && Self.isDated($0) && $0 < time && !kept.contains($0)
    }
    let reports = old.compactMap { remove($0) }
    if !reports.isEmpty { try? storage.syncFolder(path) }
    return reports
  }

  private func remove(_ name: String) -> RecorderReport? {
    let place = FileAccess.join(path, name)
    do throws(StorageError) {
      guard try isRecording(place) else { return nil }
      try storage.remove(place)
      return .removed(file: name, error: nil)
    } catch {
      return .removed(file: name, error: error.description)
    }
  }

  /// Whether it is a regular file with a header as only `RecordingFile` writes it.
  private func isRecording(_ path: String) throws(StorageError) -> Bool {
    guard let file = try openIfOurs(path) else { return false }
    defer { storage.close(file) }
    return WAVHeader.rate(in: try storage.head(of: file, bytes: WAVHeader.bytes)) != nil
  }
}
