import Jukebox
import Storage
import Threads

/// Writes the state on a thread of its own: a slow card must not delay the next unplug.
final class StorageThread: @unchecked Sendable {
  /// Raised for the control thread: a report waits.
  let reportSignal = Signal()
  private let signal = Signal()
  /// Read by the control thread before the first save; used by the thread only after it.
  private let store: StateStore
  /// Only the newest state is worth writing.
  private let pending = Locked<SavedState?>(nil)
  private let reports = Mailbox<StorageReport>()
  private var thread: WorkerThread?

  init(_ store: StateStore) { self.store = store }

  func start() {
    thread = WorkerThread(name: "storage", signal: signal) { [self] in run(until: $0) }
  }

  /// Control thread.
  func save(_ state: SavedState) {
    pending.withLock { $0 = state }
    signal.raise()
  }

  /// Control thread.
  func takeReports() -> [StorageReport] {
    reportSignal.clear()
    return reports.takeAll()
  }

  /// Writes the state that is still to be written, and ends the thread. Returns false if the storage hangs.
  @discardableResult
  func stop(within patience: Duration = .seconds(10)) -> Bool {
    defer { thread = nil }
    return thread?.stop(within: patience) ?? true
  }

  /// The body of the thread.
  func run(until stopping: WorkerThread.Flag) {
    WorkerThread.serve(signal, until: stopping) {
      let newest = pending.withLock { pending in
        defer { pending = nil }
        return pending
      }
      guard let state = newest else { return }
      reports.post(store.write(state))
      reportSignal.raise()
    }
  }
}
