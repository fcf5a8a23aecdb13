import Board
import Files
import Glibc
import Jukebox

/// The folder that recordings go to. While one is being written, a marker beside it holds its name. A marker found at
/// power on means that a power cut interrupted that recording. If the storage does not let it be repaired, its marker
/// stays, under another name once a new recording begins, unless too many wait.
package struct RecordingFolder {
  /// The most recordings that wait for a repair while new ones begin.
  private static let mostWaiting = 8
  /// The most recordings that begin within one second of the clock and so need a number in their names.
  private static let mostOfAName = 1_000

  let path: String
  let storage: any Storage

  private var markerPath: String { FileAccess.join(path, RecordingSettings.marker) }
  /// The markers of recordings that still wait for their repair while another is written.
  private static let waiting = (1...mostWaiting).map { "\(RecordingSettings.marker)-\($0)" }

  /// Makes a new WAV named by the time, and its marker. Leaves nothing behind on failure.
  /// - Parameter isKnown: whether the clock shows the time; otherwise the name says that its date means nothing.
  func create(at time: WallTime, isKnown: Bool = true, rate: Int) throws(StorageError) -> RecordingFile {
    try setMarkerAside()
    let stem = time.fileStamp + (isKnown ? "" : Self.undated)
    for number in 1...Self.mostOfAName {
      let name = number == 1 ? "\(stem).wav" : "\(stem) \(number).wav"
      do throws(StorageError) {
        return try create(name, rate: rate)
      } catch {
        if error.code != EEXIST { throw error }
      }
    }
    throw StorageError(path: FileAccess.join(path, "\(stem).wav"), code: EEXIST)
  }

  private func create(_ name: String, rate: Int) throws(StorageError) -> RecordingFile {
    let place = FileAccess.join(path, name)
    do throws(StorageError) {
      // The marker comes first: after a power cut, a file that no marker names would never be repaired.
      try mark(name, rate: rate)
      do throws(StorageError) {
        return try begin(name, at: place, rate: rate)
      } catch {
        unmark()
        throw error
      }
    } catch {
      // The operator does not know the marker, so the error names the recording.
      throw StorageError(path: error.path == markerPath ? place : error.path, code: error.code, detail: error.detail)
    }
  }

  private func begin(_ name: String, at place: String, rate: Int) throws(StorageError) -> RecordingFile {
    let file = try storage.create(place)
    do throws(StorageError) {
      let recording = try RecordingFile(name: name, rate: rate, file: file, storage: storage)
      try storage.syncFolder(path)
      return recording
    } catch {
      storage.close(file)
      try? storage.remove(place)
      throw error
    }
  }

  /// A marker that `recover` has left belongs to a recording that is still to be repaired.
  private func setMarkerAside() throws(StorageError) {
    // By its name, because one that cannot be opened is there, too.
    let names = storage.names(in: path)
    guard names.contains(RecordingSettings.marker) else { return }
    // If all are taken, the last is overwritten, and its file stays as it is: else nothing more could be recorded.
    let aside = Self.waiting.first { !names.contains($0) } ?? Self.waiting[Self.mostWaiting - 1]
    try storage.rename(markerPath, to: FileAccess.join(path, aside))
    try storage.syncFolder(path)
  }

  private func mark(_ name: String, rate: Int) throws(StorageError) {
    let file = try storage.create(markerPath)
    defer { storage.close(file) }
    do throws(StorageError) {
      try storage.writeAll(Array("\(name)\n\(rate)\n".utf8), to: file, at: 0)
      try storage.sync(file)
    } catch {
      unmark()
      throw error
    }
  }

  private func unmark() { try? storage.remove(markerPath) }

  /// Removes the marker. Call it after `RecordingFile.finish`.
  func close() { remove(marker: markerPath) }

  private func remove(marker: String) {
    try? storage.remove(marker)
    try? storage.syncFolder(path)
  }

  /// Removes the file and the marker of a recording that never began; replaces `close`.
  func discard(_ file: RecordingFile) {
    _ = file.finish()
    try? storage.remove(FileAccess.join(path, file.name))
    close()
  }

  // MARK: - After a power cut

  /// Repairs the recordings that power cuts interrupted, so that they are valid files of whole frames. A file without a
  /// frame is removed and reported with 0 frames. If the storage refuses a call, the marker stays for another try, and
  /// the report is `unrepaired`. Files that are not recordings of ours stay as they are, and nothing is reported.
  func recover() -> [RecorderReport] { ([RecordingSettings.marker] + Self.waiting).compactMap { recover(marker: $0) } }

  private func recover(marker: String) -> RecorderReport? {
    let markerPath = FileAccess.join(path, marker)
    var name = marker
    do throws(StorageError) {
      guard let (noted, rate) = try readMarker(markerPath) else { return nil }
      name = noted
      let frames = try repair(name, rate: rate)
      remove(marker: markerPath)
      return frames.map { .recovered(file: name, frames: $0) }
    } catch {
      return .unrepaired(file: name, reason: error.description)
    }
  }

  private func readMarker(_ path: String) throws(StorageError) -> (name: String, rate: Int?)? {
    guard let file = try openIfOurs(path) else { return nil }
    defer { storage.close(file) }
    let bytes = try storage.head(of: file, bytes: 512)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let words = lines.map { String(decoding: $0, as: UTF8.self) }
    return (words.first ?? "", words.count > 1 ? Int(words[1]) : nil)
  }

  /// Returns nil where there is no such file, or something that we never make: a link, a folder, a pipe.
  func openIfOurs(_ path: String) throws(StorageError) -> StorageFile? {
    do throws(StorageError) {
      return try storage.open(path)
    } catch {
      if error.code == ENOENT || error.isForeign { return nil }
      throw error
    }
  }

  /// Returns the frames of the repaired file; nil where it is gone or not ours.
  private func repair(_ name: String, rate noted: Int?) throws(StorageError) -> Int? {
    guard Self.isOurs(name), let file = try openIfOurs(FileAccess.join(path, name)) else { return nil }
    defer { storage.close(file) }
    let (size, head) = (try storage.size(of: file), try storage.head(of: file, bytes: WAVHeader.bytes))
    let frames = min((size - WAVHeader.bytes) / WAVHeader.bytesPerFrame, WAVHeader.mostFrames)
    if frames <= 0 {
      guard size < WAVHeader.bytes || Self.rate(in: head, noted) != nil else { return nil }
      try storage.remove(file.path)
      return 0
    }
    guard let rate = Self.rate(in: head, noted) else { return nil }
    try storage.truncate(file, to: WAVHeader.bytes + frames * WAVHeader.bytesPerFrame)
    try storage.writeAll(WAVHeader.encode(rate: rate, frames: frames), to: file, at: 0)
    try storage.sync(file)
    return frames
  }

  /// The rate of a recording, Hz. A header that never reached the storage reads as zeros; then the marker has the rate.
  private static func rate(in head: [UInt8], _ noted: Int?) -> Int? {
    let isLost = head.allSatisfy { $0 == 0 }
    guard let rate = WAVHeader.rate(in: head) ?? (isLost ? noted : nil) else { return nil }
    return TrackInfo.rates.contains(rate) ? rate : nil
  }

  /// Marks the name of a recording whose date nobody knew.
  private static let undated = " undated"

  /// Whether the date in the name of one of ours is the one on which it was made.
  static func isDated(_ name: String) -> Bool { !name.utf8.dropFirst(pattern.count).starts(with: undated.utf8) }

  /// The form of the date and time that a name begins with.
  private static let pattern = Array("0000-00-00 00-00-00".utf8)

  /// Whether `create` could have made this name: `2026-11-21 14-03-22 2.wav`.
  package static func isOurs(_ name: String) -> Bool {
    let zero = UInt8(ascii: "0")
    let isDigit = { (byte: UInt8) in (zero...UInt8(ascii: "9")).contains(byte) }
    guard name.hasSuffix(".wav") else { return false }
    let stem = Array(name.utf8.dropLast(4))
    guard stem.count >= pattern.count else { return false }
    guard zip(stem, pattern).allSatisfy({ $1 == zero ? isDigit($0) : $0 == $1 }) else { return false }
    var rest = stem[pattern.count...]
    if rest.starts(with: undated.utf8) { rest = rest.dropFirst(undated.utf8.count) }
    return rest.isEmpty
      || (rest.first == UInt8(ascii: " ") && (2...5).contains(rest.count) && rest.dropFirst().allSatisfy(isDigit))
  }
}
