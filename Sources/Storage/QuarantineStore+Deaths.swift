import Threads

/// What is on its way to the quarantine.
final class DeathReports: Sendable {
  enum Report: Sendable {
    /// A decoder died of the file.
    case death(path: String, reason: String)
    /// A file of which the firmware had died was closed.
    case closed(FileMark)
  }

  let waiting = Mailbox<Report>()
  let signal = Signal()
  /// Started by the first report, as most kiosks never see one.
  let thread = Locked<WorkerThread?>(nil)
  /// Held until the deaths that were taken are noted.
  let noting = Locked(())
}

extension QuarantineStore {
  /// A decoder died of the file at this path, or was stopped over it. Returns at once, as the thread that decodes must
  /// not wait for the storage: another thread writes it down, or the next `admit` does if it comes first.
  public func report(_ path: String, reason: String) {
    post(.death(path: path, reason: reason))
  }

  func post(_ report: DeathReports.Report) {
    reports.waiting.post(report)
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
    reports.thread.withLock { $0.take()?.stop(within: patience) ?? true }
  }

  func noteDeaths() {
    reports.noting.withLock { _ in
      for report in reports.waiting.takeAll() {
        switch report {
        case .death(let path, let reason): died(path, reason: reason)
        case .closed(let mark): closed(mark)
        }
      }
    }
  }
}
