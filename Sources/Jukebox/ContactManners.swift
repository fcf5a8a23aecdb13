import AudioSession

/// Contacts with manners: when a press of one counts, what waits, and what it has started (O rows).
struct ContactManners: Hashable, Sendable {
  /// Something that a press has started and that is still under way.
  private struct Act: Hashable {
    /// Where it was to be heard when the contact closed, and where it is heard since.
    var port: Port?
    var isCue: Bool
  }

  private struct Delay: Hashable {
    var due: Instant
    /// The route when the contact closed.
    var port: Port?
  }

  private struct State: Hashable {
    let manners: Manners
    /// Since when it is open; nil: it is closed, or was open at power on.
    var openSince: Instant?
    var inhibitedUntil: Instant?
    var delay: Delay?
    var act: Act?
  }

  /// By line; nil: a line without manners.
  private var states: [State?] = []
  private var since = Instant.powerOn
  /// When a press counted last: of two in one instant, the second does not (O6).
  private var countedAt: Instant?
  var popular = PopularChoices()

  /// Before power on.
  init() {}

  init(_ lines: [Line], at now: Instant) {
    states = lines.map { line in line.manners.map { State(manners: $0) } }
    since = now
  }

  private var indices: Range<Int> { states.indices }

  subscript(line: LineID) -> Manners? { states.indices.contains(line.index) ? states[line.index]?.manners : nil }

  // MARK: - Presses

  /// Why a press does not count; nil: it does, or the line has no manners.
  /// - Parameter isBusy: what plays is not to be cut.
  mutating func press(_ line: LineID, isBusy: Bool, at now: Instant) -> IgnoredPress? {
    guard let manners = self[line], let state = states[line.index] else { return nil }
    if manners.ignoreAtBoot > .zero, now < since + manners.ignoreAtBoot { return .boot }
    if let open = state.openSince, now < open + manners.rearm { return .rearm }
    if let until = state.inhibitedUntil, now < until { return .inhibited }
    if state.delay != nil || countedAt == now { return .busy }
    if isBusy || manners.mode == .finish && isDelayed { return .busy }
    countedAt = now
    return nil
  }

  private var isDelayed: Bool { states.contains { $0?.delay != nil } }

  /// It is open. Returns whether what it has started ends with that.
  mutating func open(_ line: LineID, at now: Instant) -> Bool {
    guard let manners = self[line] else { return false }
    states[line.index]?.openSince = now
    return manners.mode == .while && letGo(line)
  }

  /// Ends what it keeps sounding, or was to. Returns whether it has started something.
  mutating func letGo(_ line: LineID) -> Bool {
    states[line.index]?.delay = nil
    return states[line.index]?.act != nil
  }

  // MARK: - Delays

  /// Begins later what a press starts, if that is still wanted there then.
  mutating func wait(_ line: LineID, at port: Port?, until due: Instant) {
    states[line.index]?.delay = Delay(due: due, port: port)
  }

  /// When what a line has to wait for is over.
  func due(_ index: Int) -> Instant? { states.indices.contains(index) ? states[index]?.delay?.due : nil }

  /// The delay is over. Returns whether it is to begin now, at this route.
  mutating func endDelay(_ line: LineID, at port: Port?) -> Bool {
    guard states.indices.contains(line.index), let delay = states[line.index]?.delay else { return false }
    states[line.index]?.delay = nil
    return delay.port == port
  }

  /// Somebody has decided otherwise, or the port is gone.
  mutating func forgetDelays() {
    for index in indices { states[index]?.delay = nil }
    popular.overtake()
  }

  // MARK: - What is under way

  mutating func begin(_ line: LineID, at port: Port?, isCue: Bool) {
    states[line.index]?.act = Act(port: port, isCue: isCue)
  }

  /// The lines that have started something.
  var acting: [LineID] { indices.filter { states[$0]?.act != nil }.map(LineID.init) }

  func isCue(_ line: LineID) -> Bool { states[line.index]?.act?.isCue == true }

  /// Whether it may begin to sound at this route: never elsewhere than where it was when the contact closed (O8).
  func maySound(_ line: LineID, at port: Port?) -> Bool { states[line.index]?.act?.port == port }

  /// It is heard there, or somebody has asked for it there.
  mutating func move(_ line: LineID, to port: Port?) { states[line.index]?.act?.port = port }

  /// Somebody asks for music at the route: no cue is meant by that.
  mutating func asked(at port: Port?) {
    forgetDelays()
    for line in acting where !isCue(line) { move(line, to: port) }
  }

  /// What it has started is over.
  mutating func end(_ line: LineID, at now: Instant) {
    states[line.index]?.act = nil
    let inhibit = self[line]?.inhibit ?? .zero
    states[line.index]?.inhibitedUntil = inhibit > .zero ? now + inhibit : nil
  }

  /// The system slept: time asleep counts for no time, and what was to begin later does not (R11).
  mutating func wake(slept: Duration) {
    forgetDelays()
    since = since + slept
    for index in indices {
      if let open = states[index]?.openSince { states[index]?.openSince = open + slept }
      if let until = states[index]?.inhibitedUntil { states[index]?.inhibitedUntil = until + slept }
    }
  }
}
