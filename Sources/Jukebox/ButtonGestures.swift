import AudioSession

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

  static let doublePressTime = Duration.milliseconds(400)

  let button: Button
  /// nil: it may be down for as long as it likes.
  private let stuckAfter: Duration?
  private(set) var phase: Phase
  /// Holding this press means something more, or it may turn out to be stuck.
  private(set) var awaitsHold = false
  private var awaitsStuck: Bool
  /// When it counts as held, or repeats, and when as stuck; nil while that is not awaited, or the press is interrupted.
  private(set) var heldDue: Instant?
  private(set) var stuckDue: Instant?
  /// The line went up in a sleep, which may turn out to be bounce.
  private(set) var isInterrupted = false
  /// The private port was lost since the press began, which may still be bouncing.
  private(set) var isOvertaken = false

  /// A button that is down at power on is a short circuit until it proves otherwise.
  init(button: Button, isDown: Bool, stuckAfter: Duration?, at now: Instant) {
    self.button = button
    self.stuckAfter = stuckAfter
    self.phase = isDown ? .ignored : .up
    awaitsStuck = isDown
    watch(from: now)
  }

  /// Starts the times that a press waits for.
  private mutating func watch(from now: Instant) {
    heldDue = awaitsHold ? button.traits.holdTime.map { now + $0 } : nil
    stuckDue = awaitsStuck ? stuckAfter.map { now + $0 } : nil
  }

  mutating func pressed(isSecond: Bool, at now: Instant) -> Gesture? {
    guard phase == .up else { return nil }
    phase = .down(repeats: 0)
    let gesture = button == .play && isSecond ? Gesture.twice : .press
    // Holding the second press means nothing more.
    awaitsHold = gesture != .twice && button.traits.holdTime != nil
    awaitsStuck = true
    watch(from: now)
    return gesture
  }

  mutating func released() {
    phase = .up
    endWatch()
    isInterrupted = false
    isOvertaken = false
  }

  mutating func heldTimerFired(at now: Instant) -> Gesture? {
    guard awaitsHold, case .down(let former) = phase else { return nil }
    let repeats = min(former + 1, 6)
    phase = .down(repeats: repeats)
    if button == .play {
      stopHolding()
      return .held
    }
    // Faster and faster, down to 50 ms.
    heldDue = now + .milliseconds(200 - 25 * repeats)
    return .repeated
  }

  mutating func stuckTimerFired() -> Gesture? {
    guard phase != .up else { return nil }
    phase = .ignored
    endWatch()
    return .stuck
  }

  /// Down for longer than anybody presses, and still.
  var isStuck: Bool { phase == .ignored && !awaitsStuck }

  /// Holding the button does nothing more: the volume is at its end, or now that of another port.
  mutating func stopHolding() { (awaitsHold, heldDue) = (false, nil) }

  private mutating func endWatch() { (awaitsHold, awaitsStuck, heldDue, stuckDue) = (false, false, nil, nil) }

  /// A press that is under way loses its meaning for the transport.
  mutating func overtake() { isOvertaken = true }

  /// What seemed to be a press or a release was contact bounce.
  mutating func bounced(at now: Instant) {
    if phase == .up { isOvertaken = false }
    if isInterrupted { watch(from: now) }
    isInterrupted = false
  }

  /// Time asleep counts for no gesture: a button that is still down begins again (R11). For one that is up now, nothing
  /// is awaited until its line has settled.
  mutating func woke(isDown: Bool, at now: Instant) {
    if case .down = phase, button != .play { phase = .down(repeats: 0) }
    isInterrupted = !isDown && phase != .up
    watch(from: now)
    if isInterrupted { (heldDue, stuckDue) = (nil, nil) }
  }
}
