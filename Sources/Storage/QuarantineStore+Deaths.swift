import Threads

/// Deaths of decoders on their way to the quarantine.
final class DeathReports: Sendable {
  struct Death: Sendable {
    var path: String
    var reason: String
  }

  let waiting = Mailbox<Death>()
  let signal = Signal()
  /// Started by the first death, as most kiosks never see one.
  let thread = Locked<WorkerThread?>(nil)
  /// Held until the deaths that were taken are noted.
  let noting = Locked(())
}

extension QuarantineStore {
  /// A decoder died of the file at this path, or was stopped over it. Returns at once, as the thread that decodes must
  /// not wait for the storage: a thread of its own notes it, or the next `admit`, which comes after it in any case.
  public func report(_ path: String, reason: String) {
    reports.waiting.post(DeathReports.Death(path: path, reason: reason))
    reports.signal.raise()
    reports.thread.withLock { thread in
      guard thread == nil else { return }
      thread = WorkerThread(name: "quarantine", signal: reports.signal) { [self] stopping in
        WorkerThread.serve(reports.signal, until: stopping) { noteDeaths() }
      }
    }
  }

  /// Ends the thread once all that was reported is kept. Returns false if the storage hangs.
  @discardableResult
  public func stop(within patience: Duration = .seconds(10)) -> Bool {
    reports.thread.withLock { thread in
      defer { thread = nil }
      return thread?.stop(within: patience) ?? true
    }
  }

  func noteDeaths() {
    reports.noting.withLock { _ in
      for death in reports.waiting.takeAll() { died(death.path, reason: death.reason) }
    }
  }
}
