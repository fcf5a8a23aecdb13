import AudioSession
import Board
import Glibc
import Jukebox
import Threads

/// Lists the music again whenever it has changed, on a thread of its own: a stick that hangs costs this thread alone.
///
/// After a change it waits until nothing has changed for `quiet`, but `longest` at most, so that many files come at once
/// (X1). A folder that is missing is looked for at growing intervals (X2), without listing the others. Soon after the start
/// it lists once, because what is known then may be what was listed before the power was cut (X6).
final class LibraryThread: @unchecked Sendable {
  struct Pace: Sendable {
    /// Late enough to leave the storage to the first track.
    var first: Duration = .seconds(3)
    var quiet: Duration = .seconds(2)
    var longest: Duration = .seconds(30)
    /// How long a file must not have changed to be taken, after which it is listed again.
    var settling: Duration = .seconds(5)
    /// How long after how many looks for a missing folder the next one follows.
    var look: @Sendable (Int) -> Duration = { BackOff.wait(after: $0) }
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
  /// When all of it is listed next.
  private var due: Instant?
  /// When the missing folders are looked for next.
  private var lookDue: Instant?
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
    due = clock.now + pace.first
    while !stopping.isRaised {
      if wait() { noteChange() }
      signal.clear()
      let isAsked = !reloads.takeAll().isEmpty
      if stopping.isRaised { return }
      if isAsked || isOver(due) {
        list(takesAll: isAsked)
      } else if isOver(lookDue) {
        if lister.isBack(known.missing) { list(takesAll: false) } else { planNextLook() }
      }
    }
  }

  private func isOver(_ due: Instant?) -> Bool { due.map { $0 <= clock.now } ?? false }

  /// Returns whether the music may have changed.
  private func wait() -> Bool {
    let next = [due, lookDue].compactMap(\.self).min()
    let found = Poll.wait(for: [signal.pollDescriptor] + lister.pollDescriptors, until: next, clock)
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
    (firstChange, due, lookDue) = (nil, nil, nil)
    let listing = lister.list(after: known.library, takesAll: takesAll)
    if listing.report != known {
      known = listing.report
      looks = 0
      reports.post(known)
    }
    if listing.isUnsettled { due = clock.now + pace.settling }
    planNextLook()
  }

  private func planNextLook() {
    guard !known.missing.isEmpty else { return }
    lookDue = clock.now + pace.look(looks)
    looks += 1
  }
}
