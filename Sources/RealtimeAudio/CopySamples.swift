/// Copies samples by the C library's memcpy, which is twice as fast as a loop; it uses raw pointers, because
/// `@_noLocks` rejects the copy of a typed one. It copies in pieces, because some C libraries use string instructions
/// beyond 2 KB, which are slow to start.
@_noLocks public func copySamples(_ from: UnsafePointer<Int16>, to: UnsafeMutablePointer<Int16>, count: Int) {
  let piece = 1_024
  var index = 0
  while index < count {
    let samples = count &- index < piece ? count &- index : piece
    UnsafeMutableRawPointer(to.advanced(by: index))
      .copyMemory(from: from.advanced(by: index), byteCount: samples &* MemoryLayout<Int16>.size)
    index &+= samples
  }
}
