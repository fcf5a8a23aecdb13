/// The formats that libsndfile decodes, with any length in their headers.
enum LengthFormat: String, CaseIterable {
  case wave, bigWave, largeWave, aiff, coreAudio, wave64

  /// A file of `samples`, stereo at 44,100 Hz.
  /// - Parameters:
  ///   - size: the bytes that the header gives for the sound; nil for the right number.
  ///   - chunks: whether other chunks follow the sound.
  func file(_ samples: [Int16], size: Int? = nil, chunks: Bool = false, tail: [UInt8] = []) -> [UInt8] {
    let little = bytes(samples)
    let size = size ?? little.count
    let sound: [UInt8]
    switch self {
    case .wave: sound = TrackDecodingTests.wave(little, dataSize: size)
    case .bigWave: sound = rifx(size, bigEndian(samples))
    case .largeWave: sound = TrackDecodingTests.largeWave(size, little)
    case .aiff: sound = form(size, bigEndian(samples))
    case .coreAudio: sound = TrackDecodingTests.coreAudio(size + 4, bigEndian(samples))
    case .wave64: sound = guids(size, little)
    }
    return sound + (chunks ? chunk("LIST", text) + chunk("mark", text + text) : []) + tail
  }

  /// Bytes that would be heard: full scale.
  private var text: [UInt8] { [UInt8](repeating: 0x7f, count: 400) }

  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    switch self {
    case .wave, .largeWave: joined(ascii(name), little(body.count, 4), body)
    case .bigWave, .aiff: joined(ascii(name), little(body.count, 4).reversed(), body)
    case .coreAudio: joined(ascii(name), little(body.count, 8).reversed(), body)
    case .wave64: joined(guid(name), little(body.count + 24, 8), body)
    }
  }

  private func guid(_ name: String) -> [UInt8] {
    ascii(name) + [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
  }

  private func guids(_ size: Int, _ data: [UInt8]) -> [UInt8] {
    let numbers = joined(little(1, 2), little(2, 2), little(44_100, 4), little(176_400, 4), little(4, 2), little(16, 2))
    let riff: [UInt8] = ascii("riff") + [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 4, 0xc1, 0, 0]
    let head = joined(guid("wave"), guid("fmt "), little(40, 8), numbers, guid("data"), little(size + 24, 8))
    return joined(riff, little(24 + head.count + data.count, 8), head, data)
  }

  private func rifx(_ size: Int, _ data: [UInt8]) -> [UInt8] {
    let numbers = [(1, 2), (2, 2), (44_100, 4), (176_400, 4), (4, 2), (16, 2)].flatMap { little($0.0, $0.1).reversed() }
    let head = joined(ascii("WAVEfmt "), little(16, 4).reversed(), numbers, ascii("data"), little(size, 4).reversed())
    return joined(ascii("RIFX"), little(head.count + data.count, 4).reversed(), head, data)
  }

  private func form(_ size: Int, _ data: [UInt8]) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
    let common = joined(little(2, 2).reversed(), little(1, 4).reversed(), little(16, 2).reversed(), rate)
    let start = joined(ascii("SSND"), little(size + 8, 4).reversed(), [UInt8](repeating: 0, count: 8))
    let head = joined(ascii("AIFFCOMM"), little(18, 4).reversed(), common, start)
    return joined(ascii("FORM"), little(head.count + data.count, 4).reversed(), head, data)
  }
}

/// S16, the higher byte first.
func bigEndian(_ samples: [Int16]) -> [UInt8] { samples.flatMap { little(Int($0), 2).reversed() } }

/// A CAF file whose header gives a length, with the four bytes before the sound.
func coreAudio(_ size: Int, _ data: [UInt8], behind: [UInt8] = []) -> [UInt8] {
  let rate: [UInt8] = [0x40, 0xe5, 0x88, 0x80, 0, 0, 0, 0]
  let numbers = [0, 4, 1, 2, 16].flatMap { little($0, 4).reversed() }
  let description = joined(ascii("desc"), little(32, 8).reversed(), rate, ascii("lpcm"), numbers)
  return joined(
    ascii("caff"), [0, 1, 0, 0], description, ascii("data"), little(size, 8).reversed(), [0, 0, 0, 0], data, behind)
}

/// An AU file whose header gives a length.
func sunAudio(_ size: Int, _ data: [UInt8]) -> [UInt8] {
  joined(ascii(".snd"), [24, size, 3, 44_100, 2].flatMap { little($0, 4).reversed() }, data)
}

/// An RF64 file whose header gives a length.
func largeWave(_ size: Int, _ data: [UInt8]) -> [UInt8] {
  let sizes = joined(ascii("ds64"), little(28, 4), little(size, 8), little(size, 8), little(0, 8), little(0, 4))
  let whole = wave(data, riffSize: 0xffff_ffff, dataSize: 0xffff_ffff, before: sizes)
  return joined(ascii("RF64"), Array(whole.dropFirst(4)))
}
