/// Adds `count` samples to those in `output`; sums are clipped at full scale.
@_noLocks public func mixSamples(_ input: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>, count: Int) {
  var index = 0
  while index < count {
    output[index] = clipped(Int32(output[index]) &+ Int32(input[index]))
    index &+= 1
  }
}

@_noLocks @inline(__always) func clipped(_ sample: Int32) -> Int16 {
  Int16(truncatingIfNeeded: sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample)
}
