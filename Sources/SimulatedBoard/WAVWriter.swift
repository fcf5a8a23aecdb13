import Board
import Glibc

/// Writes interleaved stereo S16 frames into a WAV file. One thread.
public final class WAVWriter {
  private static let headerBytes = 44
  /// What the format's 32-bit length can say: a little over six hours at 48 kHz.
  package static let mostFrames = (Int(UInt32.max) - headerBytes) / 4

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

  /// Frames past what the format can hold are left out.
  public func write(_ samples: UnsafePointer<Int16>, frames count: Int) {
    let room = min(count, Self.mostFrames - frames)
    guard room > 0 else { return }
    // Every machine this runs on is little-endian, as the format is.
    fwrite(samples, 4, room, file)
    frames += room
  }

  /// Puts the length into the header and everything onto the disk.
  public func finish() throws(FileError) {
    fseek(file, 0, SEEK_SET)
    writeHeader()
    fseek(file, 0, SEEK_END)
    guard fflush(file) == 0, ferror(file) == 0 else {
      throw FileAccess.writeFailure(path, errno)
    }
  }

  private func writeHeader() {
    var header: [UInt8] = []
    func word(_ value: Int) { withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { header += $0 } }
    func half(_ value: Int) { withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { header += $0 } }
    header += Array("RIFF".utf8)
    word(Self.headerBytes - 8 + frames * 4)
    header += Array("WAVEfmt ".utf8)
    word(16)
    half(1)
    half(2)
    word(rate)
    word(rate * 4)
    half(4)
    half(16)
    header += Array("data".utf8)
    word(frames * 4)
    fwrite(header, 1, header.count, file)
  }
}
