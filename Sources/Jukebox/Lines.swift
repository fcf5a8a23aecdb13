import AudioSession

/// The board's lines: what their contacts do, and what the operator means by the buttons. `Jukebox+Lines` acts on it.
struct Lines: Hashable, Sendable {
  /// A line with its debouncer and, for a button, what its presses mean.
  struct State: Hashable, Sendable {
    var debouncer: Debouncer
    var gestures: ButtonGestures?
  }

  /// What a second press of Play would be.
  enum SecondPress: Hashable, Sendable {
    case awaited
    /// The rest of a gesture in whose middle the private port was lost.
    case overtaken
  }

  private var states: [State]
  /// Play was pressed a moment ago; nil: a press of it is the first one.
  private(set) var secondPress: SecondPress?
  /// Until when a second press is one.
  private(set) var secondPressDue: Instant?

  init(_ states: [State] = [], secondPress: SecondPress? = nil, until instant: Instant? = nil) {
    self.states = states
    self.secondPress = secondPress
    secondPressDue = instant
  }

  var indices: Range<Int> { states.indices }

  subscript(index: Int) -> State { states[index] }

  subscript(line: LineID) -> State { states[line.index] }

  func contains(_ line: LineID) -> Bool { states.indices.contains(line.index) }

  // MARK: - Contacts

  mutating func noteEdge(_ line: LineID, asserted: Bool, at instant: Instant) {
    states[line.index].debouncer.noteEdge(asserted, at: instant)
  }

  /// How many edges a line has had that chatters for so long; once.
  mutating func endlessEdges(of line: LineID, since limit: Duration, at instant: Instant) -> Int? {
    states[line.index].debouncer.endlessEdges(since: limit, at: instant)
  }

  mutating func settle(_ line: LineID) -> Debouncer.Outcome? { states[line.index].debouncer.settle() }

  /// The system slept: a line that was not steady has to hold anew.
  mutating func wake(_ line: LineID, at now: Instant) { states[line.index].debouncer.woke(at: now) }

  // MARK: - Buttons

  mutating func pressed(_ line: LineID, at now: Instant) -> Gesture? {
    guard let gesture = states[line.index].gestures?.pressed(isSecond: secondPress != nil, at: now) else { return nil }
    if gesture == .twice && secondPress == .overtaken { states[line.index].gestures?.overtake() }
    return gesture
  }

  mutating func released(_ line: LineID) { states[line.index].gestures?.released() }

  /// What seemed to be a press or a release was bounce.
  mutating func bounced(_ line: LineID, at now: Instant) { states[line.index].gestures?.bounced(at: now) }

  /// The first press may have been overtaken before it had settled.
  mutating func awaitSecondPress(on line: LineID, until instant: Instant) {
    secondPress = states[line.index].gestures?.isOvertaken == true ? .overtaken : .awaited
    secondPressDue = instant
  }

  mutating func forgetSecondPress() { (secondPress, secondPressDue) = (nil, nil) }

  mutating func heldTimerFired(_ line: LineID, at now: Instant) -> Gesture? {
    states[line.index].gestures?.heldTimerFired(at: now)
  }

  mutating func stuckTimerFired(_ line: LineID) -> Gesture? { states[line.index].gestures?.stuckTimerFired() }

  mutating func stopHolding(_ line: LineID) { states[line.index].gestures?.stopHolding() }

  /// The route has changed: whoever holds a volume button has not heard yet how loud the new port is (K2, R13).
  mutating func stopVolumeRepeats() {
    for index in states.indices where states[index].gestures?.button != .play {
      states[index].gestures?.stopHolding()
    }
  }

  /// A private port is lost: whatever a finger was doing then was not meant for the port that is left (P1, Q2).
  mutating func overtakePresses() {
    for index in states.indices {
      guard let gestures = states[index].gestures else { continue }
      if gestures.phase != .up || !states[index].debouncer.isSettled { states[index].gestures?.overtake() }
    }
    if secondPress != nil { secondPress = .overtaken }
  }

  /// Time asleep counts for no gesture: what is down begins anew, and a second press is none any more (R11).
  mutating func wakeButtons(asserted: Set<LineID>, at now: Instant) {
    forgetSecondPress()
    for index in states.indices {
      states[index].gestures?.woke(isDown: asserted.contains(LineID(index)), at: now)
    }
  }
}
