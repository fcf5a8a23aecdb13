import AudioSession
import Threads

/// What is on its way to the quarantine.
final class DeathReports: Sendable {
  enum Report: Sendable {
    /// A decoder died of the file.
    case death(path: String, reason: String)
    /// A file was decoded to its end.
    case end(path: String)
    /// A file of which the firmware had died was closed.
    case closed(FileMark)
  }

  let waiting = Mailbox<Report>()
  let signal = Signal()
  /// Started by the first report, because most kiosks never see one.
  let thread = Locked<WorkerThread?>(nil)
  /// The files that were decoded to their ends, which are not noted yet. Held until the deaths that were taken are.
  let noting = Locked<[FileName]>([])
  /// Whether something is noted that is not saved yet.
  let isUnsaved = Locked(false)
}

extension QuarantineStore {
  /// A decoder died of the file at this path, or was stopped over it. Returns at once, because the thread that decodes
  /// must not wait for the storage: another thread notes and saves it. The next `admit` notes it if it comes first.
  public func report(_ path: String, reason: String) {
    post(.death(path: path, reason: reason))
  }

  /// The file at this path was decoded to its end. Returns at once.
  public func reportEnd(of path: String) { if remembersDeaths { post(.end(path: path)) } }

  func post(_ report: DeathReports.Report) {
    reports.waiting.post(report)
    wakeThread()
  }

  /// Has another thread note what was reported, and save what is not saved.
  func wakeThread() {
    reports.signal.raise()
    reports.thread.withLock { thread in
      guard thread == nil else { return }
      thread = WorkerThread(name: "quarantine", signal: reports.signal) { [self] stopping in
        WorkerThread.serve(reports.signal, until: stopping) {
          noteDeaths()
          noteEnds()
          saveChanges()
        }
      }
    }
  }

  /// Ends the thread once all that was reported is kept. Returns false if the storage hangs.
  @discardableResult
  public func stop(within patience: Duration = .seconds(10)) -> Bool {
    // What could not be saved is tried once more.
    if reports.isUnsaved.withLock({ $0 }) { wakeThread() }
    return reports.thread.withLock { thread in
      // One that hangs stays the only one: two would take each other's signal.
      guard thread?.stop(within: patience) ?? true else { return false }
      thread = nil
      return true
    }
  }

  /// Notes what was reported, in memory: a storage of the state that hangs must not keep music of another from playing.
  /// Ends are left to `noteEnds`.
  func noteDeaths() {
    reports.noting.withLock { ended in
      for report in reports.waiting.takeAll() {
        switch report {
        case .death(let path, let reason):
          noteDeath(path, reason, afterEnd: ended.contains(FileName(path)))
          ended.removeAll { $0 == FileName(path) }
        case .end(let path): ended.append(FileName(path))
        case .closed(let mark): noteClosed(mark)
        }
      }
    }
  }

  /// Notes the ends, for which no opening waits: the storage of such a file may hang by now.
  private func noteEnds() {
    while let next = reports.noting.withLock({ $0.first }) {
      let mark = identify(next.text)
      reports.noting.withLock { ended in
        // It is not there any more if a death that came later was noted meanwhile, and the end before it.
        guard let index = ended.firstIndex(of: next) else { return }
        ended.remove(at: index)
        if let mark { changeToSave { $0.ended(mark) } }
      }
    }
  }

  private func noteDeath(_ path: String, _ reason: String, afterEnd: Bool) {
    guard let mark = identify(path) else { return }
    changeToSave { quarantine in
      if afterEnd { _ = quarantine.ended(mark) }
      quarantine.died(mark, reason: reason)
      return true
    }
  }
}
