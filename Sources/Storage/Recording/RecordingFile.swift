import Files
import Glibc

/// One recording on its way to the storage: a WAV whose header is right after every sync, and whose file holds whole
/// frames only.
final class RecordingFile {
  let name: String
  /// Frames in the file.
  private(set) var frames = 0
  /// Frames that survive a power cut.
  private(set) var syncedFrames = 0
  private let rate: Int
  private let file: StorageFile
  private let storage: any Storage

  /// Puts an empty WAV into a file that was just made.
  init(name: String, rate: Int, file: StorageFile, storage: any Storage) throws(StorageError) {
    self.name = name
    self.rate = rate
    self.file = file
    self.storage = storage
    try sync()
  }

  /// Appends interleaved stereo frames. Answers how many the file holds now, fewer only with the error that stopped it.
  func append(_ samples: UnsafePointer<Int16>, frames count: Int) -> (frames: Int, error: StorageError?) {
    // Every machine this runs on is little-endian, as the format is.
    let bytes = UnsafeRawBufferPointer(start: samples, count: count * WAVHeader.bytesPerFrame)
    let (written, error) = storage.writeAll(bytes, to: file, at: end(of: frames))
    let whole = written / WAVHeader.bytesPerFrame
    frames += whole
    return (whole, error)
  }

  /// Puts the length into the header, and everything onto the storage.
  func sync() throws(StorageError) {
    try storage.writeAll(WAVHeader.encode(rate: rate, frames: frames), to: file, at: 0)
    try storage.sync(file)
    syncedFrames = frames
  }

  /// Makes it complete and closes it; no call may follow. When the storage does not take the last frames, those that it
  /// has are kept, and the error is the answer.
  func finish() -> StorageError? {
    defer { storage.close(file) }
    do throws(StorageError) {
      // A write that stopped within a frame has left a part of it.
      try storage.truncate(file, to: end(of: frames))
      try sync()
      return nil
    } catch {
      frames = error.code == ENOENT ? 0 : syncedFrames
      // The header may say more already than the storage has taken.
      try? storage.truncate(file, to: end(of: frames))
      try? sync()
      return error
    }
  }

  private func end(of frames: Int) -> Int { WAVHeader.bytes + frames * WAVHeader.bytesPerFrame }
}
