import Files
import Glibc

/// Writes interleaved stereo S16 frames into a WAV file. One thread at a time.
public final class WAVWriter {
  private let file: UnsafeMutablePointer<FILE>
  private let path: String
  private let rate: Int
  public private(set) var frames = 0

  public init(path: String, rate: Int) throws(FileError) {
    guard let file = fopen(path, "wb") else {
      throw FileAccess.writeFailure(path, errno)
    }
    self.file = file
    self.path = path
    self.rate = rate
    writeHeader()
  }

  deinit { fclose(file) }

  /// Appends frames; those past what the format can hold are dropped.
  public func write(_ samples: UnsafePointer<Int16>, frames count: Int) {
    let room = min(count, WAVHeader.mostFrames - frames)
    guard room > 0 else { return }
    // Every machine this runs on is little-endian, as the format is.
    fwrite(samples, 4, room, file)
    frames += room
  }

  /// Writes the length into the header and flushes the file; fails where anything could not be written.
  public func finish() throws(FileError) {
    fseek(file, 0, SEEK_SET)
    writeHeader()
    fseek(file, 0, SEEK_END)
    guard fflush(file) == 0, ferror(file) == 0 else {
      throw FileAccess.writeFailure(path, errno)
    }
  }

  private func writeHeader() {
    let header = WAVHeader.encode(rate: rate, frames: frames)
    fwrite(header, 1, header.count, file)
  }
}
