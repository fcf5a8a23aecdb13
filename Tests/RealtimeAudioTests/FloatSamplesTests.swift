import RealtimeAudio
import Testing

@Suite struct FloatSamplesTests {
  /// Counts that no vector divides, too.
  private static let counts = [0, 1, 7, 64, 1_003]

  private func rounded(_ input: [Float], scale: Float) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: input.count) { target, count in
      count = input.count
      guard let output = target.baseAddress else { return }
      roundSamples(input, scale: scale, to: output, count: count)
    }
  }

  @Test("every S16 value comes back, whatever is rounded beside it")
  func identity() {
    let samples = Array(Int16.min...Int16.max)
    #expect(rounded(samples.map { Float($0) / 32_768 }, scale: 32_768) == samples)
  }

  @Test("halves go to even, what is too loud is clipped, NaN is 0")
  func rounding() {
    let halves: [Float] = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49, -0.51]
    #expect(rounded(halves, scale: 1) == [0, 2, 2, 0, -2, 0, -1])
    let loud: [Float] = [40_000, -40_000, .infinity, -.infinity, .nan, 32_767.4, -32_768.4]
    #expect(rounded(loud, scale: 1) == [32_767, -32_768, 32_767, -32_768, 0, 32_767, -32_768])
  }

  @Test("S16 is scaled and rounded as floats are", arguments: counts)
  func scaled(count: Int) {
    let input = (0..<count).map { Int16(truncatingIfNeeded: $0 * 7_919) }
    let output = [Int16](unsafeUninitializedCapacity: count) { target, filled in
      filled = count
      guard let output = target.baseAddress else { return }
      roundSamples(input, scale: 0.3, to: output, count: count)
    }
    #expect(output == rounded(input.map(Float.init), scale: 0.3))
  }

  @Test("two channels stand side by side, each sample multiplied", arguments: counts)
  func interleaving(frames: Int) {
    let left: [Int32] = (0..<Int32(frames)).map { $0 * 31 }
    let right: [Int32] = (0..<Int32(frames)).map { -17 * $0 - 1 }
    let output = [Float](unsafeUninitializedCapacity: 2 * frames) { target, count in
      count = 2 * frames
      guard let output = target.baseAddress else { return }
      interleaveSamples(left, right, scale: 0.25, to: output, frames: frames)
    }
    let expected: [Float] = zip(left, right).flatMap { pair -> [Float] in [Float(pair.0) / 4, Float(pair.1) / 4] }
    #expect(output == expected)
  }
}
