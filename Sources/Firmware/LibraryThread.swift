import AudioSession
import Board
import Glibc
import Jukebox
import Threads

/// Lists the music again whenever it has changed, on a thread of its own: a stick that hangs costs this thread alone.
///
/// After a change it waits until nothing has changed for `quiet`, but `longest` at most, so that many files come at once
/// (X1). A folder that is missing is looked for at growing intervals (X2). Soon after the start it lists once, as what is
/// known then may be what was listed before the power was cut (X6).
final class LibraryThread: @unchecked Sendable {
  struct Pace: Sendable {
    /// Late enough to leave the storage to the first track.
    var first: Duration = .seconds(3)
    var quiet: Duration = .seconds(2)
    var longest: Duration = .seconds(30)
    /// How long a file must not have changed to be taken, after which it is listed again.
    var settling: Duration = .seconds(5)
  }

  private let signal = Signal()
  private let lister: any MusicLister
  private let pace: Pace
  private let clock = MonotonicClock(startsNow: true)
  private let reloads = Mailbox<Void>()
  let reports = Reports<LibraryReport>()
  private var thread: WorkerThread?

  // The thread's own.
  private var known: LibraryReport
  private var firstChange: Instant?
  private var due: Instant?
  private var looks = 0

  /// - Parameter known: what was listed before it starts.
  init(_ lister: any MusicLister, known: LibraryReport, pace: Pace = Pace()) {
    self.lister = lister
    self.known = known
    self.pace = pace
  }

  func start() {
    thread = WorkerThread(name: "library", signal: signal) { [self] in run(until: $0) }
  }

  /// Has the music listed at once. Control thread.
  func reload() {
    reloads.post(())
    signal.raise()
  }

  /// Ends the thread, without waiting long for the storage.
  @discardableResult
  func stop(within patience: Duration = .milliseconds(500)) -> Bool {
    thread.take()?.stop(within: patience) ?? true
  }

  /// The body of the thread.
  func run(until stopping: WorkerThread.Flag) {
    planNextLook()
    let first = clock.now + pace.first
    due = due.map { min($0, first) } ?? first
    while !stopping.isRaised {
      if wait() { noteChange() }
      signal.clear()
      let isAsked = !reloads.takeAll().isEmpty
      guard !stopping.isRaised, isAsked || due.map({ $0 <= clock.now }) ?? false else { continue }
      list(takesAll: isAsked)
    }
  }

  /// Returns whether the music may have changed.
  private func wait() -> Bool {
    let found = Poll.wait(for: [signal.pollDescriptor] + lister.pollDescriptors, until: due, clock)
    let isMount = found.dropFirst().contains { $0 & CShort(POLLPRI) != 0 }
    return lister.takeChanges() || isMount
  }

  private func noteChange() {
    let now = clock.now
    let first = firstChange ?? now
    firstChange = first
    due = min(now + pace.quiet, first + pace.longest)
  }

  private func list(takesAll: Bool) {
    firstChange = nil
    due = nil
    let listing = lister.list(after: known.library, takesAll: takesAll)
    if listing.report != known {
      known = listing.report
      looks = 0
      reports.post(known)
    }
    if listing.isUnsettled { due = clock.now + pace.settling } else { planNextLook() }
  }

  private func planNextLook() {
    guard !known.missing.isEmpty else { return }
    due = clock.now + BackOff.wait(after: looks)
    looks += 1
  }
}
