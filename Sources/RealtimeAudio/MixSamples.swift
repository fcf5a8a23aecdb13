/// Adds `count` samples to those in `output`; sums are clipped at full scale.
@_noLocks public func mixSamples(_ input: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>, count: Int) {
  var index = 0
  while index < count {
    let sum = Int32(output[index]) &+ Int32(input[index])
    output[index] = Int16(truncatingIfNeeded: sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : sum)
    index &+= 1
  }
}
