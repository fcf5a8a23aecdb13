import AudioSession
import CLinux
import Glibc
import Synchronization

/// A plain POSIX thread that polls a signal and works: no task, no actor.
final class WorkerThread: @unchecked Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()
  private let isStarted: Bool
  private let signal: Signal
  private let stopping = Flag()

  /// A flag that one thread raises and another reads.
  final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
  }

  /// - Parameters:
  ///   - signal: what the thread waits for; raised to end it, too.
  ///   - body: runs until the flag is raised.
  init(name: String, signal: Signal, body: @escaping @Sendable (Flag) -> Void) {
    self.signal = signal
    let stopping = stopping
    let context = Unmanaged.passRetained(Body { body(stopping) })
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    isStarted = result == 0
    if isStarted { pthread_setname_np(thread, name) } else { context.release() }
  }

  /// Asks the thread to end and waits until it has; false where it has not in this time. A disk that is dying can hold
  /// one for minutes: the process ends without it.
  @discardableResult
  func stop(within patience: Duration = .seconds(10)) -> Bool {
    guard isStarted else { return true }
    stopping.raise()
    signal.raise()
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)) + patience
    var until = timespec(tv_sec: Int(end.nanoseconds / 1_000_000_000), tv_nsec: Int(end.nanoseconds % 1_000_000_000))
    if pthread_clockjoin_np(thread, nil, CLOCK_MONOTONIC, &until) == 0 { return true }
    pthread_detach(thread)
    return false
  }
}
