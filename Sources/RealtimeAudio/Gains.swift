import CSamples

/// The three factors between a decoded sample and the device, each with an owner of its own: the listener's volume, the
/// duck of a cue and the fade of the transport. Only their product is used.
public struct Gains: Hashable, Sendable {
  public var volume = GainRamp(GainRamp.unity)
  public var duck = GainRamp(GainRamp.unity)
  public var fade = GainRamp(GainRamp.unity)

  public init() {}

  /// Multiplies stereo S16 frames, the first of which has the stream's index `index`, by the product of the factors.
  /// At gain 1 the samples come out identical, at gain 0 they are exactly 0. `output` may be `input`.
  @_noLocks public func render(
    _ input: UnsafePointer<Int16>, to output: UnsafeMutablePointer<Int16>, frames: Int, at index: Int
  ) {
    var frame = 0
    let moving = latest(volume.steady(), duck.steady(), fade.steady()) &- index
    let ramped = moving < frames ? moving : frames
    while frame < ramped {
      scale(input, output, frame, gain(at: index &+ frame))
      frame &+= 1
    }
    let gain = gain(at: index &+ frame)
    if gain == GainRamp.unity {
      copySamples(input.advanced(by: frame &* 2), to: output.advanced(by: frame &* 2), count: (frames &- frame) &* 2)
      return
    }
    let done = frame &* 2
    scale_samples(
      input.advanced(by: done), output.advanced(by: done), frames &* 2 &- done, Int16(truncatingIfNeeded: gain))
  }

  /// Whether all frames from the stream's index `index` on come out identical.
  @_noLocks public func isUnity(from index: Int) -> Bool {
    latest(volume.steady(), duck.steady(), fade.steady()) <= index && gain(at: index) == GainRamp.unity
  }

  @_noLocks private func latest(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let pair = a > b ? a : b
    return pair > c ? pair : c
  }

  @_noLocks private func gain(at index: Int) -> Int32 {
    let product = (volume.gain(at: index) &* duck.gain(at: index)) >> 15
    return (product &* fade.gain(at: index)) >> 15
  }

  @_noLocks @inline(__always) private func scale(
    _ input: UnsafePointer<Int16>, _ output: UnsafeMutablePointer<Int16>, _ frame: Int, _ gain: Int32
  ) {
    let left = frame &* 2
    output[left] = Int16(truncatingIfNeeded: (Int32(input[left]) &* gain &+ 16_384) >> 15)
    output[left &+ 1] = Int16(truncatingIfNeeded: (Int32(input[left &+ 1]) &* gain &+ 16_384) >> 15)
  }
}
