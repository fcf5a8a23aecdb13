import Files
import Glibc

/// A recording that is being written: a WAV file whose header is correct after every sync. The recorder's thread.
final class RecordingFile {
  let name: String
  /// Frames written to the file.
  private(set) var frames = 0
  /// Frames that survive a power cut.
  private(set) var syncedFrames = 0
  /// Why a sync failed. Linux reports sound that did not reach the storage once: a later sync of this file succeeds
  /// without it.
  private var syncFailure: StorageError?
  private let rate: Int
  private let file: StorageFile
  private let storage: any Storage

  /// Writes the header of an empty WAV into a new file.
  init(name: String, rate: Int, file: StorageFile, storage: any Storage) throws(StorageError) {
    self.name = name
    self.rate = rate
    self.file = file
    self.storage = storage
    try sync()
  }

  /// Appends interleaved stereo frames. Returns how many were written whole: fewer only with the error that stopped it.
  func append(_ samples: UnsafePointer<Int16>, frames count: Int) -> (frames: Int, error: StorageError?) {
    // Every machine this runs on is little-endian, as the format is.
    let bytes = UnsafeRawBufferPointer(start: samples, count: count * WAVHeader.bytesPerFrame)
    let (written, error) = storage.writeAll(bytes, to: file, at: end(of: frames))
    let whole = written / WAVHeader.bytesPerFrame
    frames += whole
    return (whole, error)
  }

  /// Writes the length into the header and syncs the file.
  func sync() throws(StorageError) {
    try storage.writeAll(WAVHeader.encode(rate: rate, frames: frames), to: file, at: 0)
    do throws(StorageError) {
      try storage.sync(file)
    } catch {
      syncFailure = error
      throw error
    }
    syncedFrames = frames
  }

  /// Completes and closes the file; no call may follow. When the storage refuses the last frames, keeps those that are on
  /// it and returns the error.
  func finish() -> StorageError? {
    defer { storage.close(file) }
    do throws(StorageError) {
      if let syncFailure { throw syncFailure }
      // A write that failed within a frame has left a part of that frame.
      try storage.truncate(file, to: end(of: frames))
      try sync()
      return nil
    } catch {
      frames = error.code == ENOENT ? 0 : syncedFrames
      // The header may already give a length that the storage does not hold.
      try? storage.truncate(file, to: end(of: frames))
      try? sync()
      return error
    }
  }

  private func end(of frames: Int) -> Int { WAVHeader.bytes + frames * WAVHeader.bytesPerFrame }
}
