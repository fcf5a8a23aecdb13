import Testing

@testable import TrackDecoding

@Suite("A decoder's block") struct DecodedBlockTests {
  private static let samples: [Int16] = [0, 1, -1, 300, 32_767, -32_768, 12_345, -4_567, 2, -31_000, 77, 5]
  private static let floats = samples.map { Float($0) / 32_768 }
  private static let left = stride(from: 0, to: floats.count, by: 2).map { floats[$0] }
  private static let right = stride(from: 1, to: floats.count, by: 2).map { floats[$0] }

  /// The same frames in each form.
  private func withForms(_ body: (DecodedBlock) -> Void) {
    let frames = Self.samples.count / 2
    func give(_ samples: DecodedBlock.Samples) { body(DecodedBlock(samples: samples, start: 0, frames: frames)) }
    Self.floats.withUnsafeBufferPointer { if let base = $0.baseAddress { give(.interleaved(base)) } }
    Self.samples.withUnsafeBufferPointer { if let base = $0.baseAddress { give(.integers(base)) } }
    Self.left.withUnsafeBufferPointer { left in
      Self.right.withUnsafeBufferPointer { right in
        if let left = left.baseAddress, let right = right.baseAddress { give(.planes(left: left, right: right)) }
      }
    }
  }

  @Test("gives the same floats in each form, from any of its frames on", arguments: [0, 2])
  func copies(first: Int) {
    var forms = 0
    withForms { block in
      var output = [Float](repeating: 9, count: 6)
      output.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { block.copy(from: first, 3, into: base) } }
      #expect(output == Array(Self.floats[2 * first..<2 * first + 6]))
      forms += 1
    }
    #expect(forms == 3)
  }

  @Test("gives the same S16 in each form, from any of its frames on", arguments: [0, 2], [1, 0.5, 1.5] as [Float])
  func rounds(first: Int, gain: Float) {
    let expected = Self.samples[2 * first..<2 * first + 6].map {
      Int16(min(max((Float($0) * gain).rounded(.toNearestOrEven), -32_768), 32_767))
    }
    withForms { block in
      var output = [Int16](repeating: 9, count: 6)
      output.withUnsafeMutableBufferPointer {
        if let base = $0.baseAddress { block.round(from: first, 3, gain: gain, into: base) }
      }
      #expect(output == expected)
    }
  }
}
