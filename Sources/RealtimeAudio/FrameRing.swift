import Synchronization

/// Decoded stereo S16 frames between the decode thread, which writes, and the audio thread, which reads and may go
/// back: frames stay in the ring until they are released, so that those rewound from a device can be written again.
///
/// Frames are addressed by a free-running index. No lock, no allocation after `init`.
public final class FrameRing: @unchecked Sendable {
  private let storage: UnsafeMutablePointer<Int16>
  private let mask: Int
  private let end = Atomic<Int>(0)
  private let start = Atomic<Int>(0)

  /// Frames it holds.
  public var capacity: Int { mask + 1 }

  /// - Parameter capacity: frames, rounded up to a power of two.
  public init(capacity: Int) {
    let size = powerOfTwo(atLeast: capacity)
    mask = size - 1
    // Not initialised: nothing is read before it is written, and a ring that is never used takes no memory.
    storage = .allocate(capacity: size * 2)
  }

  deinit { storage.deallocate() }

  /// Index behind the last frame written. Any thread.
  public var written: Int { writtenIndex() }

  /// Producer: frames that can be written now.
  public var writable: Int { room() }

  // Functions and not properties, because swift-format cannot read an `#if` around the attribute of an accessor.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  private func writtenIndex() -> Int { end.load(ordering: .acquiring) }

  #if compiler(>=6.2)
    @_noLocks
  #endif
  private func room() -> Int {
    mask &+ 1 &- (end.load(ordering: .relaxed) &- start.load(ordering: .acquiring))
  }

  /// Producer: copies `frames` interleaved frames into the ring; the caller has checked that they are writable.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  public func write(_ samples: UnsafePointer<Int16>, frames: Int) {
    let index = end.load(ordering: .relaxed)
    let offset = index & mask
    let first = min(frames, mask &+ 1 &- offset)
    copySamples(samples, to: storage.advanced(by: offset &* 2), count: first &* 2)
    copySamples(samples.advanced(by: first &* 2), to: storage, count: (frames &- first) &* 2)
    end.store(index &+ frames, ordering: .releasing)
  }

  /// Producer: where to put `frames` frames that `publish` then hands over; nil where there is no room for them in one
  /// piece.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  public func space(for frames: Int) -> UnsafeMutablePointer<Int16>? {
    let offset = end.load(ordering: .relaxed) & mask
    guard frames <= mask &+ 1 &- offset, frames <= room() else { return nil }
    return storage.advanced(by: offset &* 2)
  }

  /// Producer: the first `frames` frames of `space` are there.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  public func publish(_ frames: Int) {
    end.store(end.load(ordering: .relaxed) &+ frames, ordering: .releasing)
  }

  /// Consumer: the longest run of frames from `index` on that lies in one piece and is written; at most `limit`.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  public func run(from index: Int, limit: Int) -> UnsafeBufferPointer<Int16> {
    let offset = index & mask
    let frames = max(0, min(limit, min(writtenIndex() &- index, mask &+ 1 &- offset)))
    return UnsafeBufferPointer(start: storage.advanced(by: offset &* 2), count: frames &* 2)
  }

  /// Consumer: frames before `index` are never read again. Going back is ignored.
  #if compiler(>=6.2)
    @_noLocks
  #endif
  public func release(upTo index: Int) {
    if index > start.load(ordering: .relaxed) { start.store(index, ordering: .releasing) }
  }
}
