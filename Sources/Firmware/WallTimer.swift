import CLinux
import Glibc

/// Becomes readable at a moment of the machine's calendar, and whenever that clock is set or the system wakes from
/// sleep. Control thread.
final class WallTimer {
  let fileDescriptor: CInt

  /// Sets the timer of a descriptor to a second, and returns a positive `errno`; 0: it did.
  typealias Setter = (CInt, _ second: Int) -> CInt

  private let set: Setter
  /// The kernel said so as the timer was armed, and says it once.
  private var isClockSet = false

  init(set: @escaping Setter = WallTimer.setKernelTimer) {
    self.set = set
    fileDescriptor = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
  }

  deinit { close(fileDescriptor) }

  /// - Parameter second: since 1970; a second that is over makes it readable at once.
  func arm(at second: Int) {
    // Zero would disarm it.
    guard set(fileDescriptor, max(1, second)) == ECANCELED else { return }
    isClockSet = true
    _ = set(fileDescriptor, 1)
  }

  static func setKernelTimer(_ descriptor: CInt, to second: Int) -> CInt {
    var time = itimerspec(it_interval: timespec(), it_value: timespec(tv_sec: second, tv_nsec: 0))
    let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
    return timerfd_settime(descriptor, flags, &time, nil) == 0 ? 0 : errno
  }

  enum Ring: Hashable {
    case nothing
    case due
    /// The clock was set, or the system woke, since it was armed.
    case clockSet
  }

  /// Returns what has happened since it was armed.
  func ring() -> Ring {
    defer { isClockSet = false }
    var expirations: UInt64 = 0
    let isDue = read(fileDescriptor, &expirations, 8) > 0
    if isClockSet || !isDue && errno == ECANCELED { return .clockSet }
    return isDue ? .due : .nothing
  }
}
