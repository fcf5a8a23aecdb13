import Files

/// A WAV file as any other program would read it: every length must be right, down to the last byte.
struct ParsedWAV {
  struct MalformedWAV: Error { var reason: String }

  var rate: Int
  var samples: [Int16]
  var frames: Int { samples.count / 2 }

  init(_ path: String) throws {
    let bytes = try FileAccess.read(path, atMost: 1 << 28)
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[place..<(place + count)].reversed().reduce(0) { $0 * 256 + Int($1) }
    }
    func text(_ place: Int) -> String { String(decoding: bytes[place..<(place + 4)], as: UTF8.self) }
    guard bytes.count >= 44 else { throw MalformedWAV(reason: "\(bytes.count) bytes") }
    guard text(0) == "RIFF", text(8) == "WAVE", text(12) == "fmt ", text(36) == "data" else {
      throw MalformedWAV(reason: "not a WAV")
    }
    guard number(4, 4) == bytes.count - 8, number(40, 4) == bytes.count - 44, bytes.count % 4 == 0 else {
      throw MalformedWAV(reason: "lengths \(number(4, 4)) and \(number(40, 4)) in a file of \(bytes.count) bytes")
    }
    guard number(16, 4) == 16, number(20, 2) == 1, number(22, 2) == 2, number(32, 2) == 4, number(34, 2) == 16 else {
      throw MalformedWAV(reason: "not stereo S16")
    }
    rate = number(24, 4)
    guard number(28, 4) == 4 * rate else { throw MalformedWAV(reason: "bytes a second") }
    samples = bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count - 44) / 2).map { bytes.loadUnaligned(fromByteOffset: 44 + 2 * $0, as: Int16.self) }
    }
  }

  /// Where the numbers of the frames, as `CountingInput` gives them, jump: the frame in the file, and its number.
  var jumps: [(place: Int, number: Int)] {
    var jumps: [(place: Int, number: Int)] = []
    var next = 0
    for frame in 0..<frames {
      let number = Int(UInt16(bitPattern: samples[2 * frame])) | Int(samples[2 * frame + 1]) << 16
      if number != next { jumps.append((frame, number)) }
      next = number + 1
    }
    return jumps
  }

  /// Whether frame *n* of the file is frame *n* of the input, all the way.
  var isWhole: Bool { jumps.isEmpty }
}
