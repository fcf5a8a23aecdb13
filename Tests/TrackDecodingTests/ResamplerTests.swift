import Board
import CDecoders
import Glibc
import Testing

@testable import TrackDecoding

func sine(_ angle: Double) -> Double { sin(angle) }

private func resample(_ input: [Int16], from: Int, to: Int, block: Int = 777) throws -> [Int16] {
  let resampler = try #require(Resampler(from: from, to: to))
  var output: [Int16] = []
  var chunk = [Int16](repeating: 0, count: 2 * block)
  var position = 0
  while position < input.count / 2 {
    let (taken, given) = try input.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return (0, 0) }
      return try resampler.process(base + 2 * position, min(block, input.count / 2 - position), into: &chunk, block)
    }
    position += taken
    output += chunk[..<(2 * given)]
  }
  while true {
    let given = try resampler.finish(into: &chunk, block)
    if given == 0 { return output }
    output += chunk[..<(2 * given)]
  }
}

/// The level of the sine of `frequency` that starts at frame 0, and its power against that of everything else in dB. A
/// delay of a hundredth of a frame already makes the latter fail.
private func purity(_ samples: [Int16], side: Int, frequency: Double, rate: Int) -> (gain: Double, decibels: Double) {
  let edge = rate / 20
  let frames = edge..<(samples.count / 2 - edge)
  let sines = frames.map { 29000 * sin(2 * Double.pi * frequency * Double($0) / Double(rate)) }
  let heard = frames.map { Double(samples[2 * $0 + side]) }
  let power = sines.reduce(0) { $0 + $1 * $1 }
  let gain = zip(sines, heard).reduce(0) { $0 + $1.0 * $1.1 } / power
  let noise = zip(sines, heard).reduce(0) { $0 + ($1.1 - gain * $1.0) * ($1.1 - gain * $1.0) }
  return (gain, 10 * log10(gain * gain * power / noise))
}

@Suite("The resampler")
struct ResamplerTests {
  init() { DecoderLibraries.soxr.load() }

  static let pairs =
    [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
    .flatMap { rate in [44100, 48000].filter { $0 != rate }.map { (rate, $0) } }
    + [(48000, 22050), (44100, 96000), (37800, 44100), (37800, 48000), (47999, 44100), (47999, 48000)]
    + [(88200, 48000), (96000, 44100), (176_400, 44100), (192_000, 44100), (192_000, 48000)]

  @Test("keeps a sine in pitch, place and purity, channel by channel", arguments: pairs)
  func sine(from: Int, to: Int) throws {
    let frames = from + 13
    let (left, right) = (1000.0, 0.4 * Double(min(from, to)))
    var input: [Int16] = []
    for frame in 0..<frames {
      for frequency in [left, right] {
        let angle = 2 * Double.pi * frequency * Double(frame) / Double(from)
        input.append(Int16((29000 * sin(angle)).rounded()))
      }
    }
    let output = try resample(input, from: from, to: to)
    #expect(output.count == 2 * Resampler.length(frames, from: from, to: to))
    for (side, frequency) in [left, right].enumerated() {
      let (gain, decibels) = purity(output, side: side, frequency: frequency, rate: to)
      #expect(abs(gain - 1) < 0.001)
      #expect(decibels > 92)
    }
  }

  @Test("takes floats, and a gain, without rounding in between")
  func floats() throws {
    let plain = try #require(Resampler(from: 44100, to: 48000, isFloat: true, gain: 0.5))
    let input = (0..<20_000).map { Float(sin(Double($0 / 2) * 0.1)) * 0.9 }
    let steps = input.map { Int16(($0 * 32768).rounded()) }
    var output = [Int16](repeating: 0, count: 40_000)
    let (taken, given) = try plain.process(input, 10_000, into: &output, 20_000)
    #expect(taken == 10_000)
    let whole = try resample(steps, from: 44100, to: 48000)
    #expect(given > 9000)
    for index in 0..<(2 * given) { #expect(abs(Int(output[index]) * 2 - Int(whole[index])) <= 3) }
  }

  @Test("clips what is too loud")
  func clips() throws {
    let loud = try #require(Resampler(from: 44100, to: 48000, isFloat: true, gain: 4))
    let input = [Float](repeating: 0.9, count: 20_000)
    var output = [Int16](repeating: 0, count: 40_000)
    let (_, given) = try loud.process(input, 10_000, into: &output, 20_000)
    #expect(output[2000..<(2 * given)].allSatisfy { $0 == 32767 })
  }

  @Test("says so where it fails, instead of taking the rest of a track for nothing")
  func fails() throws {
    let resampler = try #require(Resampler(from: 44100, to: 48000, path: "a"))
    let input = [Int16](repeating: 1, count: 2000)
    var output = [Int16](repeating: 0, count: 2000)
    _ = try resampler.process(input, 1000, into: &output, 1000)
    // Nowhere to write: what soxr has failed at once it fails at forever.
    _ = soxr.process(resampler.handle, input, 1000, nil, nil, 1000, nil)
    let reason = "cannot convert 44100 to 48000 Hz: null output buffer pointer"
    let error = TrackError(operation: .read, path: "a", reason: reason)
    #expect(throws: error) { try resampler.process(input, 1000, into: &output, 1000) }
    #expect(throws: error) { try resampler.finish(into: &output, 1000) }
  }

  @Test("gives the same twice, whatever the blocks")
  func deterministic() throws {
    let input = (0..<40_000).map { Int16(truncatingIfNeeded: $0 &* $0 &* 31) }
    let first = try resample(input, from: 44100, to: 48000)
    #expect(try parting(resample(input, from: 44100, to: 48000), first) == nil)
    #expect(try parting(resample(input, from: 44100, to: 48000, block: 101), first) == nil)
  }

  @Test("gives as many frames as the ratio says, rounded", arguments: [1, 2, 3, 10, 441, 1000, 12345])
  func length(frames: Int) throws {
    for (from, to) in Self.pairs {
      let output = try resample([Int16](repeating: 100, count: 2 * frames), from: from, to: to)
      #expect(output.count / 2 == Int((Double(frames) * Double(to) / Double(from)).rounded()))
    }
  }

  @Test("refuses rates that are none")
  func none() {
    #expect(Resampler(from: 0, to: 48000) == nil)
    #expect(Resampler(from: 44100, to: -1) == nil)
  }
}
