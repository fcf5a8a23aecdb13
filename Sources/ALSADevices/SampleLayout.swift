import CALSA

/// The sample formats of devices that we can convert to, in the order of preference: the one that needs no conversion
/// first, then the cheap ones.
public enum SampleEncoding: String, Hashable, Sendable, CaseIterable {
  case s16 = "S16"
  case s32 = "S32"
  case float = "FLOAT"
  /// Three bytes a sample.
  case s24Packed = "S24_3LE"
  /// The lower three of four bytes.
  case s24 = "S24"

  var alsaFormat: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16
    case .s32: SND_PCM_FORMAT_S32
    case .float: SND_PCM_FORMAT_FLOAT
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24
    }
  }

  var bytes: Int {
    switch self {
    case .s16: 2
    case .s24Packed: 3
    case .s32, .float, .s24: 4
    }
  }
}

/// The layout of an open device's frames.
public struct SampleLayout: Hashable, Sendable, CustomStringConvertible {
  public var encoding: SampleEncoding
  /// 2, or 1 for a device that has no more, which gets the mean of both sides.
  public var channels: Int

  public var description: String { "\(encoding.rawValue) \(channels == 2 ? "stereo" : "mono")" }

  var bytesPerFrame: Int { encoding.bytes * channels }

  /// Whether it is our own layout, stereo S16, so that frames need no conversion.
  var isOurs: Bool { encoding == .s16 && channels == 2 }

  /// A buffer for `frames` frames in this layout, which the caller deallocates; empty where no conversion is needed.
  func scratch(frames: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: isOurs ? 0 : frames * bytesPerFrame, alignment: 16)
    // Touches every page now, so that the audio thread has no page fault at its first use.
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    return memory
  }

  /// Writes `frames` interleaved stereo frames in this layout to `target`, which holds `frames * bytesPerFrame` bytes.
  func convert(_ samples: UnsafePointer<Int16>, frames: Int, into target: UnsafeMutableRawPointer) {
    let count = frames &* channels
    switch encoding {
    case .s16:
      let target = target.assumingMemoryBound(to: Int16.self)
      for i in 0..<count { target[i] = Int16(truncatingIfNeeded: sample(samples, i)) }
    case .s32:
      let target = target.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { target[i] = sample(samples, i) &<< 16 }
    case .s24:
      let target = target.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { target[i] = sample(samples, i) &<< 8 }
    case .float:
      let target = target.assumingMemoryBound(to: Float.self)
      for i in 0..<count { target[i] = Float(sample(samples, i)) * (1 / 32_768) }
    case .s24Packed:
      let target = target.assumingMemoryBound(to: UInt8.self)
      for i in 0..<count {
        let value = sample(samples, i)
        target[3 &* i] = 0
        target[3 &* i &+ 1] = UInt8(truncatingIfNeeded: value)
        target[3 &* i &+ 2] = UInt8(truncatingIfNeeded: value &>> 8)
      }
    }
  }

  @inline(__always)
  private func sample(_ samples: UnsafePointer<Int16>, _ i: Int) -> Int32 {
    channels == 2 ? Int32(samples[i]) : (Int32(samples[2 &* i]) &+ Int32(samples[2 &* i &+ 1])) &>> 1
  }
}
