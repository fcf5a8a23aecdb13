import AudioSession
import Jukebox
import Storage
import Threads

/// Writes the ledger, the state and the counters on a thread of its own: a slow card must not delay the next unplug.
final class StorageThread: @unchecked Sendable {
  private let signal = Signal()
  /// Read by the control thread before the first save; used by the thread only after it.
  private let store: StateStore
  private let countsStore: CountsStore?
  private let ledgers: LedgerWriter?
  /// The newest state that is not written yet; older ones are not worth writing.
  private let pending = Locked<Pending?>(nil)
  /// Periods of counting that are in the history.
  private let kept = Locked<Set<Int>>([])
  let reports = Reports<(number: Int, report: StorageReport)>()
  let rankings = Rankings()
  private var thread: WorkerThread?
  // The control thread's own.
  private var asked = 0
  /// Since when the storage owes an answer.
  private var owingSince: Instant?
  private static let patience = Duration.seconds(30)

  private struct Pending {
    var number: Int
    var state: SavedState
    var counts: ListeningCounts?
  }

  init(_ store: StateStore, _ countsStore: CountsStore? = nil, _ ledgers: LedgerWriter? = nil) {
    self.store = store
    self.countsStore = countsStore
    self.ledgers = ledgers
  }

  func start() {
    thread = WorkerThread(name: "storage", signal: signal) { [self] in run(until: $0) }
  }

  /// Control thread. A report follows, which stands for all states that were given before it, too.
  func save(_ state: SavedState, _ counts: ListeningCounts? = nil, at now: Instant) {
    asked += 1
    pending.withLock { [asked] in $0 = Pending(number: asked, state: state, counts: counts) }
    signal.raise()
    owingSince = owingSince ?? now
  }

  /// Control thread. Removes and returns what has become of the saves; a storage that does not answer has failed.
  func takeReports(at now: Instant) -> [StorageReport] {
    let taken = reports.takeAll()
    if let last = taken.last { owingSince = last.number == asked ? nil : now }
    guard let overdue, overdue <= now else { return taken.map(\.report) }
    owingSince = now
    return [.failed(reason: "the storage does not answer")]
  }

  /// Control thread. When to call `takeReports` although nothing was reported; nil: the storage owes no answer.
  var overdue: Instant? { owingSince.map { $0 + Self.patience } }

  /// Control thread. What became of it is reported by `ledgers`.
  func keep(_ ledger: Ledger, number: Int) {
    ledgers?.post(ledger, number: number)
    signal.raise()
  }

  /// Control thread. Something other than a save was asked for.
  func wake() { signal.raise() }

  /// Control thread. The periods of counting that no longer need to be given to `save`.
  var keptPeriods: Set<Int> { kept.withLock { $0 } }

  /// Writes the ledger and the state that are still to be written, and ends the thread. Returns false if the storage hangs.
  @discardableResult
  func stop(within patience: Duration = .seconds(10)) -> Bool {
    thread.take()?.stop(within: patience) ?? true
  }

  /// The body of the thread.
  func run(until stopping: WorkerThread.Flag) {
    WorkerThread.serve(signal, until: stopping) {
      // First, because somebody waits for it.
      ledgers?.writePending()
      if rankings.answer(by: countsStore) { reports.signal.raise() }
      let newest = pending.withLock { $0.take() }
      guard let newest else { return }
      // What the state names is in the ledger before it.
      ledgers?.writePending()
      var report = store.write(newest.state)
      ledgers?.writePending()
      if let countsStore, let counts = newest.counts {
        report = report.and(countsStore.write(counts))
        kept.withLock { $0 = countsStore.forgettable }
      }
      reports.post((newest.number, report))
    }
  }
}
