/// What some threads leave for another, in order. Waking it is the sender's affair. Any thread.
final class Mailbox<Element: Sendable>: Sendable {
  private let waiting = Locked<[Element]>([])

  func post(_ element: Element) { waiting.withLock { $0.append(element) } }

  /// What was left since the last call.
  func takeAll() -> [Element] {
    waiting.withLock { waiting in
      defer { waiting.removeAll() }
      return waiting
    }
  }
}
