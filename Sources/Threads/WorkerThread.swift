import AudioSession
import Board
import CLinux
import Glibc
import Synchronization

/// A plain POSIX thread that polls a signal and works: no task, no actor.
package final class WorkerThread: @unchecked Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()
  /// Whether somebody has to join it, or to leave it to itself.
  private var isJoinable: Bool
  /// Why it does not run at the priority that was asked for.
  package let refusal: String?
  private let signal: Signal
  private let stopping = Flag()
  /// Raised when the body has returned.
  private let ended = Signal()

  /// A flag that one thread raises and another reads.
  package final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    package var isRaised: Bool { value.load(ordering: .acquiring) }
    package func raise() { value.store(true, ordering: .releasing) }
  }

  /// - Parameters:
  ///   - signal: what the thread waits for; raised to end it, too.
  ///   - priority: the `SCHED_FIFO` priority; nil for normal scheduling. If the system refuses it, the thread runs
  ///     without.
  ///   - body: runs until the flag is raised.
  package init(name: String, signal: Signal, priority: CInt? = nil, body: @escaping @Sendable (Flag) -> Void) {
    self.signal = signal
    let stopping = stopping
    let ended = ended
    let context = Unmanaged.passRetained(
      Body {
        body(stopping)
        ended.raise()
      })
    var result = Self.start(&thread, context, priority)
    if let priority, result != 0 {
      refusal = "priority \(priority): \(String(cString: strerror(result)))"
      result = Self.start(&thread, context, nil)
    } else {
      refusal = nil
    }
    isJoinable = result == 0
    if isJoinable { pthread_setname_np(thread, name) } else { context.release() }
  }

  /// Returns 0 or an `errno` value.
  private static func start(_ thread: inout pthread_t, _ context: Unmanaged<Body>, _ priority: CInt?) -> CInt {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let priority {
      var parameters = sched_param(sched_priority: priority)
      // Without this, policy and priority are ignored.
      pthread_attr_setinheritsched(&attributes, CInt(PTHREAD_EXPLICIT_SCHED))
      pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
      let result = pthread_attr_setschedparam(&attributes, &parameters)
      if result != 0 { return result }
    }
    // A thread inherits the mask, and signals that end the process are the main thread's alone, even before it reads
    // them.
    var (ours, before) = (sigset_t(), sigset_t())
    sigemptyset(&ours)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGWINCH] { sigaddset(&ours, signal) }
    pthread_sigmask(SIG_BLOCK, &ours, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
  }

  /// The body of a thread that works whenever `signal` is raised, and once more when it is asked to end: what was asked
  /// for just before the end is done, too.
  package static func serve(_ signal: Signal, until stopping: Flag, _ work: () -> Void) {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    while true {
      signal.clear()
      // Read before the work.
      let isLast = stopping.isRaised
      work()
      if isLast { return }
      ppoll(&polled, 1, nil, nil)
    }
  }

  deinit { if isJoinable { pthread_detach(thread) } }

  /// Asks the thread to end and waits until it has. Returns false if it has not ended in this time: a dying disk can
  /// hold a thread for minutes, and the process then ends without it. It may be called again.
  @discardableResult
  package func stop(within patience: Duration = .seconds(10)) -> Bool {
    guard isJoinable else { return true }
    stopping.raise()
    signal.raise()
    let clock = MonotonicClock(startsNow: true)
    let end = clock.now + patience
    var polled = pollfd(fd: ended.fileDescriptor, events: CShort(POLLIN), revents: 0)
    // Signal handlers cut a wait short.
    repeat { Poll.wait(&polled, 1, until: end, clock) } while polled.revents == 0 && clock.now < end
    guard polled.revents != 0 else { return false }
    pthread_join(thread, nil)
    isJoinable = false
    return true
  }
}
