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

  init(_ states: [State] = [], secondPress: SecondPress? = nil) {
    self.states = states
    self.secondPress = secondPress
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

  mutating func pressed(_ line: LineID) -> Gesture? {
    guard let gesture = states[line.index].gestures?.pressed(isSecond: secondPress != nil) else { return nil }
    if gesture == .twice && secondPress == .overtaken { states[line.index].gestures?.overtake() }
    return gesture
  }

  mutating func released(_ line: LineID) { states[line.index].gestures?.released() }

  /// What seemed to be a press or a release was bounce. Returns whether the button is down as before a sleep.
  mutating func bounced(_ line: LineID) -> Bool {
    let isDownAgain = states[line.index].gestures?.isInterrupted == true
    states[line.index].gestures?.bounced()
    return isDownAgain
  }

  /// The first press may have been overtaken before it had settled.
  mutating func awaitSecondPress(on line: LineID) {
    secondPress = states[line.index].gestures?.isOvertaken == true ? .overtaken : .awaited
  }

  mutating func forgetSecondPress() { secondPress = nil }

  mutating func heldTimerFired(_ line: LineID) -> Gesture? { states[line.index].gestures?.heldTimerFired() }

  mutating func stuckTimerFired(_ line: LineID) -> Gesture? { states[line.index].gestures?.stuckTimerFired() }

  mutating func stopHolding(_ line: LineID) { states[line.index].gestures?.stopHolding() }

  /// Returns the volume buttons that were held.
  mutating func stopVolumeRepeats() -> [LineID] {
    let held = states.indices.filter {
      guard let gestures = states[$0].gestures else { return false }
      return gestures.awaitsHold && gestures.button != .play
    }
    for index in held { states[index].gestures?.stopHolding() }
    return held.map(LineID.init)
  }

  /// A private port is lost: whatever a finger was doing then was not meant for the port that is left (P1, Q2).
  mutating func overtakePresses() {
    for index in states.indices {
      guard let gestures = states[index].gestures else { continue }
      if gestures.phase != .up || !states[index].debouncer.isSettled { states[index].gestures?.overtake() }
    }
    if secondPress != nil { secondPress = .overtaken }
  }

  /// Time asleep counts for no gesture. Returns false where nothing is awaited until the line has settled.
  mutating func wakeButton(_ line: LineID, isDown: Bool) -> Bool {
    states[line.index].gestures?.woke(isDown: isDown)
    return states[line.index].gestures?.isInterrupted != true
  }
}
