import Synchronization

/// What some threads leave for another, in order. Waking it is the sender's affair. Any thread.
package final class Mailbox<Element: Sendable>: Sendable {
  private let waiting = Locked<[Element]>([])
  /// Whoever looks in at every turn mostly finds nothing, and need not lock for it.
  private let isEmpty = Atomic<Bool>(true)

  package init() {}

  package func post(_ element: Element) {
    waiting.withLock { waiting in
      waiting.append(element)
      isEmpty.store(false, ordering: .releasing)
    }
  }

  /// What was left since the last call.
  package func takeAll() -> [Element] {
    if isEmpty.load(ordering: .acquiring) { return [] }
    return waiting.withLock { waiting in
      defer { waiting.removeAll() }
      isEmpty.store(true, ordering: .releasing)
      return waiting
    }
  }
}
