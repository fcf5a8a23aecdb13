import Synchronization

/// Messages of several threads for one, in order. The sender has to wake the receiver. Any thread.
package final class Mailbox<Element: Sendable>: Sendable {
  private let waiting = Locked<[Element]>([])
  /// Spares the receiver the lock, because it usually finds nothing.
  private let isEmpty = Atomic<Bool>(true)

  package init() {}

  package func post(_ element: Element) {
    waiting.withLock { waiting in
      waiting.append(element)
      isEmpty.store(false, ordering: .releasing)
    }
  }

  /// Removes and returns what was posted since the last call.
  package func takeAll() -> [Element] {
    if isEmpty.load(ordering: .acquiring) { return [] }
    return waiting.withLock { waiting in
      defer { waiting.removeAll() }
      isEmpty.store(true, ordering: .releasing)
      return waiting
    }
  }
}
