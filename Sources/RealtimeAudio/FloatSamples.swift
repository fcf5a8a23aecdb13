// What decoders that give other samples than S16 need for every sample of a track; here, because these loops are only
// fast where the compiler may make them longer.

/// Multiplies `count` samples with `scale`, rounds each to the nearest integer, halves to even, and clips beyond S16.
/// NaN becomes 0.
@_noLocks public func roundSamples(
  _ input: UnsafePointer<Float>, scale: Float, to output: UnsafeMutablePointer<Int16>, count: Int
) {
  var index = 0
  while index < count {
    output[index] = nearest(input[index] * scale)
    index &+= 1
  }
}

/// The same for two channels, which come to stand side by side.
@_noLocks public func roundSamples(
  _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, scale: Float, to output: UnsafeMutablePointer<Int16>,
  frames: Int
) {
  var frame = 0
  while frame < frames {
    output[2 &* frame] = nearest(left[frame] * scale)
    output[2 &* frame &+ 1] = nearest(right[frame] * scale)
    frame &+= 1
  }
}

/// The same for samples that are S16 already. `output` may be `input`.
@_noLocks public func roundSamples(
  _ input: UnsafePointer<Int16>, scale: Float, to output: UnsafeMutablePointer<Int16>, count: Int
) {
  var index = 0
  while index < count {
    output[index] = nearest(Float(input[index]) * scale)
    index &+= 1
  }
}

/// Multiplies the samples of two channels with `scale`, and puts them side by side.
@_noLocks public func interleaveSamples(
  _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, scale: Float, to output: UnsafeMutablePointer<Float>,
  frames: Int
) {
  var frame = 0
  while frame < frames {
    output[2 &* frame] = Float(left[frame]) * scale
    output[2 &* frame &+ 1] = Float(right[frame]) * scale
    frame &+= 1
  }
}

/// Puts the samples of two channels side by side.
@_noLocks public func interleaveSamples(
  _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int
) {
  var frame = 0
  while frame < frames {
    output[2 &* frame] = left[frame]
    output[2 &* frame &+ 1] = right[frame]
    frame &+= 1
  }
}

/// Puts the S16 samples of two channels side by side; those beyond S16, which only a damaged file has, are clipped.
@_noLocks public func clipSamples(
  _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, to output: UnsafeMutablePointer<Int16>, frames: Int
) {
  var frame = 0
  while frame < frames {
    output[2 &* frame] = clipped(left[frame])
    output[2 &* frame &+ 1] = clipped(right[frame])
    frame &+= 1
  }
}

/// S16 samples as floats with full scale at ±1.
@_noLocks public func floatSamples(
  _ input: UnsafePointer<Int16>, to output: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    output[index] = Float(input[index]) * (1 / 32_768)
    index &+= 1
  }
}

@_noLocks @inline(__always) private func nearest(_ sample: Float) -> Int16 {
  let low: Float = sample < -32768 ? -32768 : 0
  let inside = sample >= -32768 ? (sample <= 32767 ? sample : 32767) : low
  // Adding 1.5 · 2²³ leaves the integer in the lowest bits, without the call that rounding takes on old processors.
  return Int16(truncatingIfNeeded: (inside + 12_582_912).bitPattern)
}
