import RealtimeAudio
import Testing

@Suite struct StereoMatrixTests {
  private static let half = StereoMatrix.Side(left: 1 << 14, right: 1 << 14)
  private static let mono = StereoMatrix(left: half, right: half)
  private static let samples: [Int16] = [
    1, 3, -1, -3, 1, 2, -1, -2, 32_767, 32_767, -32_768, -32_768, 32_767, -32_768, 5, 5, -7, -7, 32_766, 32_767,
  ]

  private static func rendered(_ ramp: MatrixRamp, _ input: [Int16] = samples, at index: Int = 0) -> [Int16] {
    var output = [Int16](repeating: 99, count: input.count)
    ramp.render(input, to: &output, frames: input.count / 2, at: index)
    return output
  }

  @Test("M1: both sides are the mean, rounded and never clipped, and a frame that is the same on both is unchanged")
  func mono() {
    let output = Self.rendered(MatrixRamp(Self.mono))
    for frame in 0..<Self.samples.count / 2 {
      let (left, right) = (Int(Self.samples[frame * 2]), Int(Self.samples[frame * 2 + 1]))
      #expect(output[frame * 2] == output[frame * 2 + 1])
      #expect(abs(Double(output[frame * 2]) - Double(left + right) / 2) <= 0.5)
      if left == right { #expect(Int(output[frame * 2]) == left) }
    }
  }

  @Test("M2: stereo is unchanged, and known to be")
  func stereo() {
    let ramp = MatrixRamp(.stereo)
    #expect(Self.rendered(ramp) == Self.samples && ramp.isStereo(from: 0))
    #expect(!MatrixRamp(Self.mono).isStereo(from: .max))
  }

  @Test("M4: a change moves in a straight line, the same however often a frame is rendered, and in any pieces")
  func ramp() {
    var ramp = MatrixRamp(.stereo)
    ramp.move(to: Self.mono, at: 100, frames: 50)
    #expect(!ramp.isStereo(from: 0))
    let input: [Int16] = (0..<400).map { $0 % 2 == 0 ? 20_000 : -20_000 }
    let whole = Self.rendered(ramp, input)
    #expect(whole[..<200].elementsEqual(input[..<200]) && whole[300...].allSatisfy { $0 == 0 })
    let left = stride(from: 0, to: whole.count, by: 2).map { Int(whole[$0]) }
    #expect(zip(left.dropFirst(), left).allSatisfy { (0...401).contains($1 - $0) })
    for cut in [1, 99, 100, 101, 149, 150] {
      let (head, tail) = (Array(input[..<(cut * 2)]), Array(input[(cut * 2)...]))
      #expect(Self.rendered(ramp, head) + Self.rendered(ramp, tail, at: cut) == whole)
    }
  }

  @Test("M4: a change back in the middle of another starts where that was")
  func turnsBack() {
    var ramp = MatrixRamp(.stereo)
    ramp.move(to: Self.mono, at: 0, frames: 100)
    ramp.move(to: .stereo, at: 50, frames: 100)
    let input: [Int16] = (0..<400).map { $0 % 2 == 0 ? 20_000 : -20_000 }
    let left = stride(from: 0, to: 400, by: 2).map { Int(Self.rendered(ramp, input)[$0]) }
    #expect(zip(left.dropFirst(), left).allSatisfy { abs($0 - $1) <= 401 } && left.last == 20_000)
    #expect(ramp.isStereo(from: 150) && !ramp.isStereo(from: 149))
  }

  @Test("M4, P12: frames before a change are mixed again as they were, also while the change before it moved")
  func former() {
    var ramp = MatrixRamp(.stereo)
    ramp.move(to: Self.mono, at: 20, frames: 100)
    let input: [Int16] = (0..<400).map { $0 % 2 == 0 ? 20_000 : -20_000 }
    let first = Self.rendered(ramp, input)
    ramp.move(to: .stereo, at: 70, frames: 100)
    #expect(Self.rendered(ramp, input)[..<140].elementsEqual(first[..<140]))
  }
}
