import CDecoders
import Glibc
import Testing

/// What libsndfile gives for a whole file that it reads from the beginning, mono in both channels; rounded by another
/// method than the track's.
func plainSound(_ path: String) -> (rate: Int, samples: [Int16]) {
  var info = SF_INFO()
  guard let file = sf_open(path, CInt(SFM_READ), &info) else { return (0, []) }
  defer { sf_close(file) }
  var rate: CInt = 48_000
  sf_command(file, CInt(SFC_SET_ORIGINAL_SAMPLERATE), &rate, 4)
  sf_command(file, CInt(SFC_GET_CURRENT_SF_INFO), &info, CInt(MemoryLayout<SF_INFO>.size))
  let channels = Int(info.channels)
  var samples: [Int16] = []
  var block = [Double](repeating: 0, count: 1000 * channels)
  while true {
    let count = Int(sf_readf_double(file, &block, 1000))
    guard count > 0 else { return (Int(info.samplerate), samples) }
    for sample in block[..<(count * channels)] {
      let step = Int16(max(-32768, min(32767, (sample * 32768).rounded(.toNearestOrEven))))
      for _ in 0..<(channels == 1 ? 2 : 1) { samples.append(step) }
    }
  }
}

/// The bytes of a number, lowest first.
func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

/// A WAV file of `data`, whose header claims the given lengths.
func wave(
  _ data: [UInt8], format: Int = 1, channels: Int = 2, rate: Int = 44_100, bits: Int = 16, riffSize: Int? = nil,
  dataSize: Int? = nil, before: [UInt8] = []
) -> [UInt8] {
  let size = channels * bits / 8
  let numbers = joined(little(format, 2), little(channels, 2), little(rate, 4), little(rate * size, 4))
  let chunk = joined(ascii("fmt "), little(16, 4), numbers, little(size, 2), little(bits, 2))
  let body = joined(ascii("WAVE"), before, chunk, ascii("data"), little(dataSize ?? data.count, 4), data)
  return joined(ascii("RIFF"), little(riffSize ?? body.count, 4), body)
}

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// As a function, because older compilers take long over chains of `+`.
func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

/// S16 stereo that never repeats.
func noise(_ frames: Int, seed: UInt64 = 1) -> [Int16] {
  var state = seed
  return (0..<(2 * frames)).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int16(truncatingIfNeeded: state >> 40) / 2
  }
}

func bytes(_ samples: [Int16]) -> [UInt8] { samples.flatMap { little(Int($0), 2) } }

/// Frames all over a track of `count`: both ends, and a scatter that never changes.
func scatter(_ count: Int, _ places: Int) -> [Int] {
  var state: UInt64 = 7
  let middle = (0..<places).map { _ -> Int in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
  return middle + [0, 1, 53, 700, count - 1, count - 2, count - 97, count - 1000, count, 0, count / 2]
}
