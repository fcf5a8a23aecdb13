/// What a person meant by a button.
enum Gesture: Hashable, Sendable {
  case press
  /// The volume button is still down.
  case repeated
  /// Play went down a second time within the double-press time.
  case twice
  /// Play was held for a second.
  case held
  /// Down for longer than any person presses.
  case stuck
}

/// Turns one debounced button into gestures.
///
/// ```
/// up ──pressed──► down ──held timer──► down (held, or repeated for volume)
///  ▲               │ └──stuck timer──► ignored ◄── down at power on
///  └───released────┴───────────────────┘
/// ```
struct ButtonGestures: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case up
    case down(repeats: Int)
    /// Nothing counts until it is released.
    case ignored
  }

  static let holdTime = Duration.milliseconds(1_000)
  static let doublePressTime = Duration.milliseconds(400)
  static let repeatDelay = Duration.milliseconds(400)

  let button: Button
  private(set) var phase: Phase

  /// A button that is down at power on is a short circuit until it proves otherwise.
  init(button: Button, isDown: Bool) {
    self.button = button
    self.phase = isDown ? .ignored : .up
  }

  /// How long after a press the `held` timer fires first; nil: this button has no long press.
  var firstHold: Duration? {
    switch button {
    case .play: Self.holdTime
    case .volumeUp, .volumeDown: Self.repeatDelay
    case .stop, .next, .previous, .record, .cue: nil
    }
  }

  /// When the next repeat of a volume button comes: faster and faster, from 200 ms to 50 ms.
  var nextRepeat: Duration? {
    guard case .down(let repeats) = phase, button == .volumeUp || button == .volumeDown else { return nil }
    return .milliseconds(max(200 - 25 * repeats, 50))
  }

  mutating func pressed(isSecond: Bool) -> Gesture? {
    guard phase == .up else { return nil }
    phase = .down(repeats: 0)
    return button == .play && isSecond ? .twice : .press
  }

  mutating func released() { phase = .up }

  mutating func heldTimerFired() -> Gesture? {
    guard case .down(let repeats) = phase else { return nil }
    phase = .down(repeats: min(repeats + 1, 6))
    return button == .play ? .held : .repeated
  }

  mutating func stuckTimerFired() -> Gesture? {
    guard phase != .up else { return nil }
    phase = .ignored
    return .stuck
  }
}
