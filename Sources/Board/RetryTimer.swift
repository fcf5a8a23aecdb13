import CLinux
import Glibc

/// Makes a descriptor readable every second while it is armed.
final class RetryTimer {
  let fileDescriptor: CInt
  private var isArmed = false

  init() { fileDescriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)) }

  deinit { Glibc.close(fileDescriptor) }

  func arm() { set(1) }

  func disarm() { set(0) }

  /// Returns whether the timer has expired since the last call.
  func takeExpiration() -> Bool {
    var expirations: UInt64 = 0
    return read(fileDescriptor, &expirations, 8) > 0
  }

  private func set(_ seconds: Int) {
    guard isArmed != (seconds > 0) else { return }
    isArmed = seconds > 0
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    var setting = itimerspec(it_interval: time, it_value: time)
    timerfd_settime(fileDescriptor, 0, &setting, nil)
  }
}
