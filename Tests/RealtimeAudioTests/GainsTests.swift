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
