import Board
import Files
import Glibc
import Jukebox

/// The folder that recordings go to. While one is being written, a marker beside it holds its name. A marker found
/// at power on means that a power cut interrupted that recording.
package struct RecordingFolder {
  /// The most recordings that begin within one second of the clock and so need a number in their names.
  private static let mostOfAName = 1_000
  /// The rates of files that can be recorded and played, Hz.
  private static let rates = 1_000...768_000

  let path: String
  let storage: any Storage

  private var markerPath: String { FileAccess.join(path, RecordingSettings.marker) }

  /// Makes a new WAV named by the time, and its marker. Leaves nothing behind on failure.
  func create(at time: WallTime, rate: Int) throws(StorageError) -> RecordingFile {
    for number in 1...Self.mostOfAName {
      let name = number == 1 ? "\(time.fileStamp).wav" : "\(time.fileStamp) \(number).wav"
      do throws(StorageError) {
        return try create(name, rate: rate)
      } catch {
        if error.code != EEXIST { throw error }
      }
    }
    throw StorageError(path: FileAccess.join(path, "\(time.fileStamp).wav"), code: EEXIST)
  }

  private func create(_ name: String, rate: Int) throws(StorageError) -> RecordingFile {
    let place = FileAccess.join(path, name)
    do throws(StorageError) {
      // The marker comes first: after a power cut, a file that no marker names would never be repaired.
      try mark(name, rate: rate)
      return try begin(name, at: place, rate: rate)
    } catch {
      unmark()
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

  private func mark(_ name: String, rate: Int) throws(StorageError) {
    unmark()
    let file = try storage.create(markerPath)
    defer { storage.close(file) }
    try storage.writeAll(Array("\(name)\n\(rate)\n".utf8), to: file, at: 0)
    try storage.sync(file)
  }

  private func unmark() { try? storage.remove(markerPath) }

  /// Removes the marker. Call it after `RecordingFile.finish`.
  func close() {
    unmark()
    try? storage.syncFolder(path)
  }

  /// Removes the file and the marker of a recording that never began; replaces `close`.
  func discard(_ file: RecordingFile) {
    _ = file.finish()
    try? storage.remove(FileAccess.join(path, file.name))
    close()
  }

  // MARK: - After a power cut

  /// Repairs the recording that a power cut interrupted, so that it is a valid file of whole frames. A file without a
  /// frame is removed and reported with 0 frames. Returns nil where there is nothing to repair; files that are not
  /// recordings of ours stay as they are.
  func recover() -> RecorderReport? {
    guard let (name, rate) = readMarker() else { return nil }
    let frames = repair(name, rate: rate)
    close()
    return frames.map { .recovered(file: name, frames: $0) }
  }

  private func readMarker() -> (name: String, rate: Int?)? {
    guard let file = try? storage.open(markerPath) else { return nil }
    defer { storage.close(file) }
    guard let bytes = try? storage.head(of: file, bytes: 512) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let words = lines.map { String(decoding: $0, as: UTF8.self) }
    return (words.first ?? "", words.count > 1 ? Int(words[1]) : nil)
  }

  /// Returns the frames of the repaired file; nil where the file is not ours or could not be changed.
  private func repair(_ name: String, rate noted: Int?) -> Int? {
    guard Self.isOurs(name), let file = try? storage.open(FileAccess.join(path, name)) else { return nil }
    defer { storage.close(file) }
    guard let size = try? storage.size(of: file), let head = try? storage.head(of: file, bytes: WAVHeader.bytes)
    else { return nil }
    let frames = min((size - WAVHeader.bytes) / WAVHeader.bytesPerFrame, WAVHeader.mostFrames)
    do throws(StorageError) {
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
    } catch {
      return nil
    }
  }

  /// The rate of a recording, Hz. A header that never reached the storage reads as zeros; then the marker has the rate.
  private static func rate(in head: [UInt8], _ noted: Int?) -> Int? {
    let isLost = head.allSatisfy { $0 == 0 }
    guard let rate = WAVHeader.rate(in: head) ?? (isLost ? noted : nil), rates.contains(rate) else { return nil }
    return rate
  }

  /// Whether `create` could have made this name: `2026-11-21 14-03-22 2.wav`.
  static func isOurs(_ name: String) -> Bool {
    let pattern = Array("0000-00-00 00-00-00".utf8)
    let zero = UInt8(ascii: "0")
    let isDigit = { (byte: UInt8) in (zero...UInt8(ascii: "9")).contains(byte) }
    guard name.hasSuffix(".wav") else { return false }
    let stem = Array(name.utf8.dropLast(4))
    guard stem.count >= pattern.count else { return false }
    guard zip(stem, pattern).allSatisfy({ $1 == zero ? isDigit($0) : $0 == $1 }) else { return false }
    let rest = stem[pattern.count...]
    return rest.isEmpty
      || (rest.first == UInt8(ascii: " ") && (2...5).contains(rest.count) && rest.dropFirst().allSatisfy(isDigit))
  }
}
