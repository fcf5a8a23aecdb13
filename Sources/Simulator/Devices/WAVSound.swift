import Files

/// A WAV file in memory: S16, one channel or two.
public struct WAVSound: Hashable, Sendable {
  /// In Hz.
  public var rate: Int
  /// Interleaved stereo; a mono file is on both channels.
  public var samples: [Int16]
  public var frames: Int { samples.count / 2 }

  /// The largest file that is read: some three hours of stereo at 44.1 kHz.
  private static let mostBytes = 1 << 31

  /// Reads a WAV file. Any other file, or another kind of WAV, fails with what it is. Blocks on the disk.
  public static func read(_ path: String) throws(FileError) -> WAVSound {
    let reader = WAVReader(bytes: try FileAccess.read(path, atMost: mostBytes), path: path)
    return try reader.sound()
  }
}

private struct WAVReader {
  let bytes: [UInt8]
  let path: String

  private struct Format {
    var code: Int
    var channels: Int
    var rate: Int
    var bits: Int
  }

  func sound() throws(FileError) -> WAVSound {
    guard text(0) == "RIFF", text(8) == "WAVE" else { throw wrong("is not a WAV file") }
    var format: Format?
    var place = 12
    while place + 8 <= bytes.count {
      let size = number(place + 4, 4)
      let body = place + 8
      switch text(place) {
      case "fmt ": format = try self.format(body, size)
      case "data":
        guard let format else { throw wrong("has its samples before their format") }
        // A writer that was interrupted leaves a length of 0, or the longest possible.
        let end = size == 0 ? bytes.count : min(bytes.count, body + size)
        return WAVSound(rate: format.rate, samples: samples(body..<end, channels: format.channels))
      // Titles, cue points and padding are skipped.
      default: break
      }
      place = body + size + size % 2
    }
    throw wrong(format == nil ? "has no format" : "has no samples")
  }

  private func format(_ place: Int, _ size: Int) throws(FileError) -> Format {
    guard size >= 16, place + size <= bytes.count else { throw wrong("breaks off in its format") }
    var format = Format(
      code: number(place, 2), channels: number(place + 2, 2), rate: number(place + 4, 4), bits: number(place + 14, 2))
    // WAVE_FORMAT_EXTENSIBLE: the code is the first part of a GUID.
    if format.code == 0xFFFE && size >= 40 { format.code = number(place + 24, 2) }
    guard format.code == 1, format.bits == 16, (1...2).contains(format.channels) else {
      let kind = format.code == 1 ? "PCM" : format.code == 3 ? "floating point" : "format \(format.code)"
      throw wrong("has \(format.bits) bit \(kind) on \(format.channels) channels")
    }
    guard (1_000...768_000).contains(format.rate) else { throw wrong("runs at \(format.rate) Hz") }
    return format
  }

  private func samples(_ range: Range<Int>, channels: Int) -> [Int16] {
    let frames = range.count / (2 * channels)
    return bytes.withUnsafeBytes { bytes in
      [Int16](unsafeUninitializedCapacity: 2 * frames) { samples, count in
        for index in 0..<(2 * frames) {
          let place = range.lowerBound &+ 2 &* (channels == 2 ? index : index / 2)
          samples[index] = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self))
        }
        count = 2 * frames
      }
    }
  }

  private func text(_ place: Int) -> String {
    guard place + 4 <= bytes.count else { return "" }
    return String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    guard place + count <= bytes.count else { return 0 }
    return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func wrong(_ found: String) -> FileError {
    FileError(file: path, message: "\(found), expected a WAV of 16 bit PCM, mono or stereo")
  }
}
