import AudioSession
import Jukebox

/// Turns a lamp pattern into levels over time.
struct LampBlinker {
  static let halfPeriod = Duration.milliseconds(500)

  private(set) var isLit = false
  /// When the lamp changes by itself; nil: never.
  private(set) var next: Instant?

  mutating func show(_ pattern: LampPattern, at now: Instant) {
    isLit = pattern != .off
    next = pattern == .blink ? now + Self.halfPeriod : nil
  }

  /// Returns true if the level has changed by `now`.
  mutating func tick(at now: Instant) -> Bool {
    guard let due = next, due <= now else { return false }
    isLit.toggle()
    next = now + Self.halfPeriod
    return true
  }
}
