import CLinux
import Glibc

/// Becomes readable at a moment of the machine's calendar, and whenever that clock is set or the system wakes from
/// sleep. Control thread.
final class WallTimer {
  let fileDescriptor: CInt

  init() { fileDescriptor = timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)) }

  deinit { close(fileDescriptor) }

  /// - Parameter second: since 1970; a second that is over makes it readable at once.
  func arm(at second: Int) {
    // Zero would disarm it.
    var time = itimerspec(it_interval: timespec(), it_value: timespec(tv_sec: max(1, second), tv_nsec: 0))
    timerfd_settime(fileDescriptor, CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET), &time, nil)
  }

  enum Ring: Hashable {
    case nothing
    case due
    /// The clock was set, or the system woke, since it was armed.
    case clockSet
  }

  /// Returns what has happened since it was armed.
  func ring() -> Ring {
    var expirations: UInt64 = 0
    if read(fileDescriptor, &expirations, 8) > 0 { return .due }
    return errno == ECANCELED ? .clockSet : .nothing
  }
}
