import AudioSession

/// Tells that the system has slept: the boot clock goes on then, the monotonic one does not.
package struct SleepDetector {
  /// A shorter sleep is none: suspending takes longer than that.
  static let threshold = Duration.milliseconds(100)

  /// Time slept since power on, as far as is known; nil: before the first look.
  private var slept: Duration?

  package init() {}

  /// Whether the system has slept since the last call; false the first time. `boot` is to be read before `monotonic`: a
  /// delay between the two then hides a sleep until the next call and never feigns one.
  package mutating func hasSlept(boot: Instant, monotonic: Instant) -> Bool {
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
