extension SampleLayout {
  /// Converts `frames` frames of this layout into interleaved stereo S16. Lower bits are cut off; a single channel goes
  /// to both sides.
  func convert(_ source: UnsafeRawPointer, frames: Int, into samples: UnsafeMutablePointer<Int16>) {
    for frame in 0..<frames {
      for side in 0..<2 {
        let index = channels == 2 ? 2 &* frame &+ side : frame
        samples[2 &* frame &+ side] = sample(source, index)
      }
    }
  }

  @inline(__always)
  private func sample(_ source: UnsafeRawPointer, _ index: Int) -> Int16 {
    let place = source + index &* encoding.bytes
    switch encoding {
    case .s16: return place.load(as: Int16.self)
    case .s32: return Int16(truncatingIfNeeded: place.load(as: Int32.self) &>> 16)
    // The fourth byte may hold anything.
    case .s24: return Int16(truncatingIfNeeded: place.load(as: Int32.self) &>> 8)
    case .s24Packed: return place.loadUnaligned(fromByteOffset: 1, as: Int16.self)
    case .float:
      let value = (place.load(as: Float.self) * 32_768).rounded()
      return value.isNaN ? 0 : Int16(max(-32_768, min(32_767, value)))
    }
  }
}
