import RealtimeAudio
import Testing

@Suite struct FloatSamplesTests {
  /// Counts that no vector divides, too.
  private static let counts = [0, 1, 7, 64, 1_003]

  private func rounded(_ input: [Float], scale: Float) -> [Int16] {
    filled(input.count) { roundSamples(input, scale: scale, to: $0, count: input.count) }
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
    let output = filled(count) { roundSamples(input, scale: 0.3, to: $0, count: count) }
    #expect(output == rounded(input.map(Float.init), scale: 0.3))
  }

  @Test("two channels are rounded as one is, and stand side by side", arguments: counts)
  func roundedPlanes(frames: Int) {
    let left = (0..<frames).map { Float($0) * 1.37 - 200 }
    let right = (0..<frames).map { $0 % 5 == 0 ? .nan : Float($0 * $0) * -0.61 }
    let output = filled(2 * frames) { roundSamples(left, right, scale: 0.7, to: $0, frames: frames) }
    #expect(output == rounded(side(left, right), scale: 0.7))
  }

  @Test("two channels of floats come to stand side by side", arguments: counts)
  func interleavedFloats(frames: Int) {
    let left = (0..<frames).map { Float($0) / 7 }
    let right = left.map { -$0 - 1 }
    #expect(filled(2 * frames) { interleaveSamples(left, right, to: $0, frames: frames) } == side(left, right))
  }

  @Test("two channels of integers come to stand side by side, clipped where they are beyond S16", arguments: counts)
  func clippedIntegers(frames: Int) {
    let beyond: [Int32] = [.min, -32_769, -32_768, 0, 32_767, 32_768, .max]
    let left = (0..<frames).map { beyond[$0 % beyond.count] }
    let right = (0..<frames).map { Int32($0) - 500 }
    let output = filled(2 * frames) { clipSamples(left, right, to: $0, frames: frames) }
    #expect(output == side(left, right).map { Int16(clamping: $0) })
  }

  @Test("every S16 value as a float comes back from it")
  func floats() {
    let samples = Array(Int16.min...Int16.max)
    let output: [Float] = filled(samples.count) { floatSamples(samples, to: $0, count: samples.count) }
    #expect(output == samples.map { Float($0) / 32_768 })
  }

  private func side<Sample>(_ left: [Sample], _ right: [Sample]) -> [Sample] {
    zip(left, right).flatMap { [$0.0, $0.1] }
  }

  private func filled<Sample: Numeric>(_ count: Int, _ fill: (UnsafeMutablePointer<Sample>) -> Void) -> [Sample] {
    // Not without values at first: of no samples that writes to the empty array, which all threads have in common.
    var samples = [Sample](repeating: 0, count: count)
    samples.withUnsafeMutableBufferPointer { if let output = $0.baseAddress { fill(output) } }
    return samples
  }

  @Test("two channels stand side by side, each sample multiplied", arguments: counts)
  func interleaving(frames: Int) {
    let left: [Int32] = (0..<Int32(frames)).map { $0 * 31 }
    let right: [Int32] = (0..<Int32(frames)).map { -17 * $0 - 1 }
    let output = filled(2 * frames) { interleaveSamples(left, right, scale: 0.25, to: $0, frames: frames) }
    #expect(output == side(left, right).map { Float($0) / 4 })
  }
}
