import AudioSession

/// The board's lines: what their contacts do, and what the operator means by the buttons.
struct Lines: Hashable, Sendable {
  /// A line with its debouncer and, for a button, what its presses mean.
  struct State: Hashable, Sendable {
    fileprivate(set) var debouncer: Debouncer
    fileprivate(set) var gestures: ButtonGestures?
  }

  /// What a second press of Play would be.
  enum SecondPress: Hashable, Sendable {
    case awaited
    /// The rest of a gesture in whose middle the private port was lost.
    case overtaken
  }

  private var setups: [Line] = []
  private var states: [State] = []
  private var stuckAfter = Duration.zero
  private var knowsSecondPress = false
  /// Play was pressed a moment ago; nil: a press of it is the first one.
  private(set) var secondPress: SecondPress?
  /// Until when a second press is one.
  private(set) var secondPressDue: Instant?

  /// Before power on.
  init() {}

  /// The levels at power on are the truth at once: no debounce, no route change (R1).
  init(_ setups: [Line], asserted: Set<LineID>, _ settings: Settings, at now: Instant) {
    self.setups = setups
    stuckAfter = settings.stuckAfter
    knowsSecondPress = settings.playTwice != .nothing
    states = setups.enumerated().map { index, setup in
      let isAsserted = asserted.contains(LineID(index))
      var gestures: ButtonGestures?
      if case .button(let button) = setup.role {
        let usual = settings.stuckAfter
        let stuckAfter = setup.manners == nil ? usual : setup.manners?.stuckAfter(usual)
        gestures = ButtonGestures(button: button, isDown: isAsserted, stuckAfter: stuckAfter, at: now)
      }
      return State(debouncer: Debouncer(level: isAsserted, time: setup.debounce), gestures: gestures)
    }
  }

  var indices: Range<Int> { states.indices }

  subscript(index: Int) -> State { states[index] }

  func isAsserted(_ name: String) -> Bool { debouncer(of: name)?.level == true }

  /// Asserted so far, and somebody may be pulling the plug.
  func isMoving(_ output: OutputPort?) -> Bool {
    guard case .line(let name) = output?.sense else { return false }
    return debouncer(of: name)?.isInDoubt == true
  }

  /// Not asserted yet, and it moves.
  func isComing(_ name: String) -> Bool { debouncer(of: name).map { !$0.level && !$0.isSettled } ?? false }

  func debounce(of name: String) -> Duration? { debouncer(of: name)?.time }

  private func debouncer(of name: String) -> Debouncer? {
    setups.firstIndex { $0.name == name }.map { states[$0].debouncer }
  }

  /// The contact of role `free-play` is closed.
  var isFreePlayClosed: Bool { setups.indices.contains { setups[$0].role == .freePlay && states[$0].debouncer.level } }

  /// A button is stuck, or a line does not come to rest (K4).
  var isAnyStuck: Bool { states.contains { $0.gestures?.isStuck == true || $0.debouncer.isEndless } }

  // MARK: - Contacts

  mutating func edge(_ line: LineID, asserted: Bool, at instant: Instant) -> [ContactFact] {
    guard states.indices.contains(line.index) else { return [] }
    let setup = setups[line.index]
    var facts: [ContactFact] = []
    // Whoever reads the edges was late: the button had been down, or up, for long enough when this one came.
    if case .button = setup.role, let due = states[line.index].debouncer.due, due < instant {
      facts = settle(line, at: instant)
    }
    let isFirst = states[line.index].debouncer.isSettled
    states[line.index].debouncer.noteEdge(asserted, at: instant)
    guard !states[line.index].debouncer.isSettled else { return facts }
    if isFirst && !asserted && setup.role == .sense { facts.append(.leaving(line: setup.name)) }
    // A key does not bounce like a contact: a press and its end may come in one instant (B5).
    if setup.debounce == .zero { return facts + settle(line, at: instant) }
    facts.append(.moved(at: instant))
    // Nobody moves a plug or a button for this long without a rest (K4).
    if let edges = states[line.index].debouncer.endlessEdges(since: stuckAfter, at: instant) {
      facts.append(.stuck(line: setup.name, edges: edges))
    }
    return facts
  }

  /// The line has rested for long enough. Contacts with manners that do so in one instant come in the order of the
  /// board file (O6).
  mutating func settle(_ line: LineID, at now: Instant) -> [ContactFact] {
    guard setups.indices.contains(line.index), setups[line.index].manners != nil else {
      return settleAlone(line, at: now)
    }
    let others = (0..<line.index).filter { index in
      setups[index].manners != nil && states[index].debouncer.due.map { $0 <= now } == true
    }
    return others.flatMap { settleAlone(LineID($0), at: now) } + settleAlone(line, at: now)
  }

  private mutating func settleAlone(_ line: LineID, at now: Instant) -> [ContactFact] {
    guard states.indices.contains(line.index), let outcome = states[line.index].debouncer.settle() else { return [] }
    let (setup, isAsserted) = (setups[line.index], states[line.index].debouncer.level)
    switch outcome {
    case .bounced(let edges):
      states[line.index].gestures?.bounced(at: now)
      return setup.role == .sense ? [.bounced(line: setup.name, edges: edges)] : []
    case .changed(let edge):
      return changed(line, isAsserted, LineCause(line: setup.name, edge: edge), at: now)
    }
  }

  private mutating func changed(
    _ line: LineID, _ isAsserted: Bool, _ cause: LineCause, at now: Instant
  ) -> [ContactFact] {
    switch setups[line.index].role {
    case .sense: return [.plug(isIn: isAsserted, cause)]
    case .button(let button):
      if isAsserted { return pressed(line, button, at: now) }
      states[line.index].gestures?.released()
      return setups[line.index].manners == nil ? [] : [.opened(line)]
    case .interrupter(let name): return [.client(name, isClosed: isAsserted, cause)]
    case .mute: return [.mute(isAsserted, cause)]
    case .silence(let backAfter): return [.silence(isAsserted, backAfter: backAfter)]
    case .selector(let playlist, let released):
      return (isAsserted ? playlist : released).map { [.selected(playlist: $0)] } ?? []
    // `CoinAcceptors` has each edge of a coin line, and `isFreePlayClosed` asks for the level of the other.
    case .coin, .freePlay, .lamp, .signal, .ampMute, .coinInhibit: return []
    }
  }

  /// The system slept: a line that was not steady has to settle again, and what moved meanwhile has made no edge, which
  /// is made now (R11).
  mutating func wake(_ line: LineID, asserted: Bool, at now: Instant) -> [ContactFact] {
    states[line.index].debouncer.woke(at: now)
    return asserted == states[line.index].debouncer.raw ? [] : edge(line, asserted: asserted, at: now)
  }

  // MARK: - Buttons

  private mutating func pressed(_ line: LineID, _ button: Button, at now: Instant) -> [ContactFact] {
    guard let gesture = states[line.index].gestures?.pressed(isSecond: secondPress != nil, at: now) else { return [] }
    if gesture == .twice && secondPress == .overtaken { states[line.index].gestures?.overtake() }
    if button == .play && gesture == .press && knowsSecondPress {
      // The first press may have been overtaken before it had settled.
      secondPress = states[line.index].gestures?.isOvertaken == true ? .overtaken : .awaited
      secondPressDue = now + ButtonGestures.doublePressTime
    } else if setups[line.index].manners == nil {
      forgetSecondPress()
    }
    return [fact(gesture, of: button, on: line)]
  }

  private func fact(_ gesture: Gesture, of button: Button, on line: LineID) -> ContactFact {
    let isOvertaken = states[line.index].gestures?.isOvertaken == true
    return .gesture(gesture, of: button, on: line, isIgnored: isOvertaken && button.traits.canStartSound)
  }

  mutating func forgetSecondPress() { (secondPress, secondPressDue) = (nil, nil) }

  mutating func heldTimerFired(_ line: LineID, at now: Instant) -> [ContactFact] {
    guard states.indices.contains(line.index), case .button(let button) = setups[line.index].role,
      let gesture = states[line.index].gestures?.heldTimerFired(at: now)
    else { return [] }
    return [fact(gesture, of: button, on: line)]
  }

  mutating func stuckTimerFired(_ line: LineID) -> [ContactFact] {
    guard states.indices.contains(line.index), states[line.index].gestures?.stuckTimerFired() == .stuck else {
      return []
    }
    let stuck = ContactFact.stuck(line: setups[line.index].name, edges: nil)
    return setups[line.index].manners == nil ? [stuck] : [stuck, .overlong(line)]
  }

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

  /// Time asleep counts for no gesture: a button that is down begins again, and a second press is no longer one (R11).
  mutating func wakeButtons(asserted: Set<LineID>, at now: Instant) {
    forgetSecondPress()
    for index in states.indices {
      states[index].gestures?.woke(isDown: asserted.contains(LineID(index)), at: now)
    }
  }
}
