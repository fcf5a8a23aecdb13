import Synchronization

/// A queue of plain values between exactly one producer thread and one consumer thread: no lock, no allocation
/// after `init`, never blocks.
///
/// Indices are free-running and wrap as integers; each side loads its own relaxed, the other's acquiring, and publishes
/// with a releasing store (Lamport 1983; the C11 orderings after Lê, Pop, Cohen and Zappa Nardelli 2013).
/// Not under `@_noLocks`, which refuses generics before they are specialised.
public final class SPSCRing<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let storage: UnsafeMutablePointer<Element>
  private let mask: Int
  private let tail = Atomic<Int>(0)
  private let head = Atomic<Int>(0)

  /// - Parameter capacity: rounded up to a power of two.
  public init(capacity: Int, filler: Element) {
    let size = powerOfTwo(atLeast: capacity)
    mask = size - 1
    storage = .allocate(capacity: size)
    storage.initialize(repeating: filler, count: size)
  }

  deinit { storage.deallocate() }

  /// Producer: false when the ring is full.
  public func push(_ element: Element) -> Bool {
    let at = tail.load(ordering: .relaxed)
    guard at &- head.load(ordering: .acquiring) <= mask else { return false }
    storage[at & mask] = element
    tail.store(at &+ 1, ordering: .releasing)
    return true
  }

  /// Producer: whether `push` would be refused.
  public var isFull: Bool { tail.load(ordering: .relaxed) &- head.load(ordering: .acquiring) > mask }

  /// Consumer: whether there is nothing to take.
  public var isEmpty: Bool { head.load(ordering: .relaxed) == tail.load(ordering: .acquiring) }

  /// Consumer: the oldest element, or nil.
  public func pop() -> Element? {
    let at = head.load(ordering: .relaxed)
    guard at != tail.load(ordering: .acquiring) else { return nil }
    let element = storage[at & mask]
    head.store(at &+ 1, ordering: .releasing)
    return element
  }

  /// Consumer: the element behind the `index` oldest ones, which stays; nil if there are not so many.
  public func peek(_ index: Int) -> Element? {
    let at = head.load(ordering: .relaxed)
    guard index < tail.load(ordering: .acquiring) &- at else { return nil }
    return storage[(at &+ index) & mask]
  }
}

/// The smallest power of two that is not below `count`, at least 1.
func powerOfTwo(atLeast count: Int) -> Int {
  count <= 1 ? 1 : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
}
