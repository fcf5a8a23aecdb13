import AudioSession
import Jukebox

/// Turns a lamp pattern into levels over time.
struct LampBlinker {
  private(set) var isLit = false
  /// When the lamp changes by itself; nil: never.
  private(set) var next: Instant?
  private var pattern = LampPattern.off

  mutating func show(_ pattern: LampPattern, at now: Instant) {
    self.pattern = pattern
    isLit = pattern != .off
    plan(after: now)
  }

  /// Returns true if the level has changed by `now`.
  mutating func tick(at now: Instant) -> Bool {
    guard let due = next, due <= now else { return false }
    isLit.toggle()
    plan(after: now)
    return true
  }

  private mutating func plan(after now: Instant) {
    switch pattern {
    case .off, .on: next = nil
    case .blink: next = now + .milliseconds(500)
    case .flash: next = now + (isLit ? .milliseconds(100) : .milliseconds(1_900))
    }
  }
}
