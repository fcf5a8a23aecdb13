import AudioSession
import Jukebox

/// Turns a lamp pattern into levels over time.
struct LampBlinker {
  private(set) var isLit = false
  /// When the lamp changes by itself; nil: never.
  private(set) var next: Instant?
  private var pattern = LampPattern.off
  private var step = 0

  mutating func show(_ pattern: LampPattern, at now: Instant) {
    self.pattern = pattern
    step = 0
    isLit = pattern != .off
    next = pattern.steps.first.map { now + $0 }
  }

  /// Returns true if the level has changed by `now`.
  mutating func tick(at now: Instant) -> Bool {
    guard let due = next, due <= now else { return false }
    isLit.toggle()
    step = (step + 1) % pattern.steps.count
    next = now + pattern.steps[step]
    return true
  }
}

extension LampPattern {
  /// For how long it is lit, dark, lit …, over and over; empty where it does not change.
  var steps: [Duration] {
    switch self {
    case .off, .on: []
    case .blink: [.milliseconds(500), .milliseconds(500)]
    case .flash: [.milliseconds(100), .milliseconds(1_900)]
    case .flicker: [.milliseconds(100), .milliseconds(100)]
    case .wink: [.milliseconds(900), .milliseconds(100)]
    case .doubleFlash: [.milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(700)]
    case .tripleFlash:
      [
        .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100),
        .milliseconds(1_000),
      ]
    }
  }
}
