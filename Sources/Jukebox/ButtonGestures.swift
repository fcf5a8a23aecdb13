/// What the operator meant by a button.
enum Gesture: String, Hashable, Sendable {
  case press
  /// The volume button is still down.
  case repeated
  /// Play went down a second time within the double-press time.
  case twice
  /// Play was held for a second.
  case held
  /// Down for longer than anybody presses.
  case stuck

  /// Whether it is logged as `button.pressed`, under its raw value.
  var isLogged: Bool {
    switch self {
    case .press, .twice, .held: true
    case .repeated, .stuck: false
    }
  }
}

extension Button {
  /// Whether pressing it can bring sound where there was none, or be an answer to the prompt.
  var canStartSound: Bool {
    switch self {
    case .play, .next, .previous, .cue, .track, .playlist: true
    case .stop, .volumeUp, .volumeDown, .record, .pair: false
    }
  }
}

/// Turns one debounced button into gestures.
///
/// ```
/// up ──pressed──► down ──held timer──► down (held, or repeated for volume)
///  ▲               │ └──stuck timer──► ignored ◄── down at power on
///  └───released────┴───────────────────┘
/// ```
///
/// A plug that is pulled while a press is under way overtakes it: what the finger goes on to do was not meant for the
/// port that the sound has moved to (P1, Q2).
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
  /// The `held` timer, or the `stuck` timer, of this press runs.
  private(set) var awaitsHold = false
  private(set) var awaitsStuck: Bool
  /// The line went up in a sleep, which may turn out to be bounce.
  private(set) var isInterrupted = false
  /// The private port was lost since the press began, which may still be bouncing.
  private(set) var isOvertaken = false

  /// A button that is down at power on is a short circuit until it proves otherwise.
  init(button: Button, isDown: Bool) {
    self.button = button
    self.phase = isDown ? .ignored : .up
    awaitsStuck = isDown
  }

  /// How long after a press, or after a wake, the `held` timer fires; nil: nothing more is meant by holding the button.
  var firstHold: Duration? { awaitsHold ? holdTime : nil }

  private var holdTime: Duration? {
    switch button {
    case .play: Self.holdTime
    case .volumeUp, .volumeDown: Self.repeatDelay
    case .stop, .next, .previous, .record, .cue, .pair, .track, .playlist: nil
    }
  }

  /// When the next repeat of a volume button comes: faster and faster, from 200 ms to 50 ms.
  var nextRepeat: Duration? {
    guard awaitsHold, case .down(let repeats) = phase, button == .volumeUp || button == .volumeDown else { return nil }
    return .milliseconds(max(200 - 25 * repeats, 50))
  }

  mutating func pressed(isSecond: Bool) -> Gesture? {
    guard phase == .up else { return nil }
    phase = .down(repeats: 0)
    let gesture = button == .play && isSecond ? Gesture.twice : .press
    // Holding the second press means nothing more.
    awaitsHold = gesture != .twice && holdTime != nil
    awaitsStuck = true
    return gesture
  }

  mutating func released() {
    phase = .up
    awaitsHold = false
    awaitsStuck = false
    isInterrupted = false
    isOvertaken = false
  }

  mutating func heldTimerFired() -> Gesture? {
    guard awaitsHold, case .down(let repeats) = phase else { return nil }
    phase = .down(repeats: min(repeats + 1, 6))
    awaitsHold = button != .play
    return button == .play ? .held : .repeated
  }

  mutating func stuckTimerFired() -> Gesture? {
    guard phase != .up else { return nil }
    phase = .ignored
    awaitsHold = false
    awaitsStuck = false
    return .stuck
  }

  /// Holding the button does nothing more: the volume is at its end, or now that of another port.
  mutating func stopHolding() { awaitsHold = false }

  /// A press that is under way loses its meaning for the transport.
  mutating func overtake() { isOvertaken = true }

  /// What seemed to be a press or a release was contact bounce.
  mutating func bounced() {
    if phase == .up { isOvertaken = false }
    isInterrupted = false
  }

  /// Time asleep counts for no gesture: a button that is still down begins anew (R11). For one that is up now, nothing
  /// is awaited until its line has settled.
  mutating func woke(isDown: Bool) {
    if case .down = phase, button != .play { phase = .down(repeats: 0) }
    isInterrupted = !isDown && phase != .up
  }
}
