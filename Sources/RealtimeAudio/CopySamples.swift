/// A plain loop, which the optimiser turns into a block copy; the standard library's own is not open to `@_noLocks`.
@_noLocks func copySamples(_ from: UnsafePointer<Int16>, to: UnsafeMutablePointer<Int16>, count: Int) {
  var index = 0
  while index < count {
    to[index] = from[index]
    index &+= 1
  }
}
