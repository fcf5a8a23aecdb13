import Glibc
import RealtimeAudio
import Testing

@Suite struct GainsTests {
  private let samples: [Int16] = [0, 1, -1, 2, 1_000, -1_000, 32_767, -32_768, 12_345, -12_345]

  private func render(_ gains: Gains, _ input: [Int16], at index: Int = 0) -> [Int16] {
    var output = [Int16](repeating: 77, count: input.count)
    gains.render(input, to: &output, frames: input.count / 2, at: index)
    return output
  }

  @Test("gain 1 leaves every sample as it is")
  func unity() { #expect(render(Gains(), samples) == samples) }

  @Test("gain 0 of any factor is exact silence")
  func silence() {
    for factor in [\Gains.volume, \Gains.duck, \Gains.fade] {
      var gains = Gains()
      gains[keyPath: factor] = GainRamp(0)
      #expect(render(gains, samples).allSatisfy { $0 == 0 })
    }
  }

  @Test("half a gain is half the sample, rounded")
  func half() {
    var gains = Gains()
    gains.volume = GainRamp(GainRamp.unity / 2)
    for (input, output) in zip(samples, render(gains, samples)) {
      #expect(abs(Double(output) - Double(input) / 2) <= 0.5)
    }
  }

  @Test("a gain that stays is rounded to the nearest, however many samples there are", arguments: 0...70)
  func rounded(count: Int) {
    for level in [0, 1, 255, 16_384, 20_001, 32_766, 32_767] as [Int32] {
      var gains = Gains()
      gains.volume = GainRamp(level)
      let input = (0..<count * 2).map { Int16(truncatingIfNeeded: $0 &* 7_919 &- 32_768) }
      let expected = input.map { Int16((Double($0) * Double(level) / 32_768 + 0.5).rounded(.down)) }
      #expect(render(gains, input) == expected)
    }
  }

  @Test("the three factors multiply")
  func product() {
    var gains = Gains()
    gains.volume = GainRamp(GainRamp.unity / 2)
    gains.duck = GainRamp(GainRamp.unity / 4)
    gains.fade = GainRamp(GainRamp.unity / 2)
    #expect(render(gains, [16_000, -16_000]) == [1_000, -1_000])
  }

  @Test("a fade-out and a fade-in of the same passage add up to the passage", arguments: [1, 7, 176, 192, 1_000])
  func complement(length: Int) {
    var out = Gains()
    out.fade.move(to: 0, at: 100, frames: length)
    var back = Gains()
    back.fade = GainRamp(0)
    back.fade.move(to: GainRamp.unity, at: 100, frames: length)
    let input = (0..<length * 2 + 20).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    for (index, (faded, risen)) in zip(render(out, input, at: 100), render(back, input, at: 100)).enumerated() {
      // Each of the two is rounded once, and each Q15 gain is cut by less than one step.
      #expect(abs(Int(faded) + Int(risen) - Int(input[index])) <= 2)
    }
  }

  @Test("P12: a ramp arrives exactly and never steps by more than its share")
  func steps() {
    var ramp = GainRamp(GainRamp.unity)
    ramp.move(to: 0, at: 0, frames: 176)
    #expect(ramp.gain(at: 175) == 0)
    #expect(ramp.gain(at: 10_000) == 0)
    for index in 0..<176 {
      let step = ramp.gain(at: index - 1) - ramp.gain(at: index)
      #expect(step >= 0 && step <= GainRamp.unity / 176 + 1)
    }
  }

  /// The largest step of a full-scale tone of this many hertz that is faded out over `length` frames, wherever in its
  /// wave.
  private func largestStep(_ hertz: Double, fading length: Int, isOut: Bool) -> Int {
    var most = 0
    for phase in 0..<64 {
      let samples = (0..<800).flatMap { frame -> [Int16] in
        let turns = hertz * Double(frame) / 44_100 + Double(phase) / 64
        let sample = Int16((32_767 * sin(2 * .pi * turns)).rounded())
        return [sample, sample]
      }
      var gains = Gains()
      if !isOut { gains.fade = GainRamp(0) }
      gains.fade.move(to: isOut ? 0 : GainRamp.unity, at: 200, frames: length)
      let heard = render(gains, samples)
      for frame in 1..<800 { most = max(most, abs(Int(heard[2 * frame]) - Int(heard[2 * frame - 2]))) }
    }
    return most
  }

  @Test(
    "P12: full-scale bass that is faded steps no further than its own step and the fade's together",
    arguments: [30.0, 40, 60, 100, 1_000], [true, false])
  func bass(hertz: Double, isOut: Bool) {
    // The two are a quarter of a wave apart: one is largest where the other is 0.
    let own = 32_767 * 2 * sin(.pi * hertz / 44_100)
    let fade = 32_767.0 / 176
    let bound = (own * own + fade * fade).squareRoot() + 3
    #expect(Double(largestStep(hertz, fading: 176, isOut: isOut)) <= bound)
    // Where the fade is what steps, one that is a little shorter would be heard here.
    if hertz < 50 { #expect(Double(largestStep(hertz, fading: 165, isOut: isOut)) > bound) }
  }

  @Test("a frame that is rendered again gets the same gain, however the passage is cut")
  func again() {
    var gains = Gains()
    gains.volume.move(to: GainRamp.unity / 3, at: 20, frames: 40)
    let input = [Int16](repeating: 20_000, count: 200)
    let whole = render(gains, input)
    for cut in [1, 19, 20, 21, 45, 60, 99] {
      let head = render(gains, Array(input[..<(cut * 2)]))
      let rest = render(gains, Array(input[(cut * 2)...]), at: cut)
      #expect(head + rest == whole)
    }
  }

  @Test("P12: frames before the origin of a ramp keep the gain that the ramp before gave them, however many followed")
  func former() {
    var ramp = GainRamp(GainRamp.unity)
    func gains(upTo end: Int) -> [Int32] { (0..<end).map { ramp.gain(at: $0) } }
    ramp.move(to: 0, at: 100, frames: 400)
    let first = gains(upTo: 300)
    ramp.move(to: GainRamp.unity, at: 300, frames: 400)
    #expect(gains(upTo: 300) == first && ramp.gain(at: 200) == first[200])
    // Frames up to 200 were rewound: nothing of the second ramp is heard.
    ramp.move(to: 0, at: 200, frames: 176)
    #expect(gains(upTo: 200) == Array(first[..<200]) && abs(ramp.gain(at: 200) - first[199]) <= GainRamp.unity / 176)
  }

  @Test("a ramp that is turned round goes on from where it was")
  func turn() {
    var ramp = GainRamp(0)
    ramp.move(to: GainRamp.unity, at: 0, frames: 100)
    let before = ramp.gain(at: 49)
    ramp.move(to: 0, at: 50, frames: 100)
    #expect(abs(ramp.gain(at: 49) - before) <= 1)
    #expect(ramp.gain(at: 50) < before)
    #expect(ramp.gain(at: 149) == 0)
  }
}
