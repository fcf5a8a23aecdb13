import Jukebox
import Storage
import Threads

/// Ledgers on their way to the storage, and what became of them. The storage thread writes them; the control thread does
/// not wait for it.
final class LedgerWriter: Sendable {
  private struct Pending {
    var ledger: Ledger
    var number: Int
  }

  private let store: LedgerStore
  /// The newest one, which has all that those before it had; its report counts for them, too.
  private let pending = Locked<Pending?>(nil)
  let reports = Reports<LedgerReport>()

  init(_ store: LedgerStore) { self.store = store }

  /// Control thread. The storage thread has to be woken.
  func post(_ ledger: Ledger, number: Int) { pending.withLock { $0 = Pending(ledger: ledger, number: number) } }

  /// Storage thread.
  func writePending() {
    let newest = pending.withLock { $0.take() }
    guard let newest else { return }
    reports.post(store.write(newest.ledger, number: newest.number))
  }
}
