import AudioSession

/// Detects that the system has slept: the boot clock goes on during sleep, the monotonic one does not.
package struct SleepDetector {
  /// A smaller difference is ignored, because suspending alone takes longer.
  static let threshold = Duration.milliseconds(100)

  /// Time slept since power on, as far as is known; nil before the first call.
  private var slept: Duration?

  package init() {}

  /// Returns whether the system has slept since the last call; false the first time. Read `boot` before `monotonic`: a
  /// delay between the two can then hide a sleep until the next call, but never simulate one.
  package mutating func detectSleep(boot: Instant, monotonic: Instant) -> Bool {
    let slept = boot - monotonic
    guard let before = self.slept else {
      self.slept = slept
      return false
    }
    guard slept - before > Self.threshold else { return false }
    self.slept = slept
    return true
  }
}
