import AudioSession

/// What the knobs have found. `Policy+Knobs` says what it means.
enum KnobFact: Hashable, Sendable {
  /// Turned by this many steps, up if positive.
  case turned(KnobID, steps: Int)
  /// Turned on after the route changed: nobody has heard yet what the turn does there.
  case ignored(KnobID)
  /// A turn has ended, or a second of it.
  case over(KnobID, KnobTurn)
  case stuck(KnobID, edges: Int)
}

/// What became of a turn, for the log.
struct KnobTurn: Hashable, Sendable {
  var steps = 0
  /// What it was turned from and to; nil where there is nothing to turn.
  var from: String?
  var to: String?
  /// Why it did nothing; nil: it did.
  var ignored: IgnoredPress?
}

/// The knobs of the board (G rows).
struct Knobs: Hashable, Sendable {
  /// A turn that goes on has a line in the log this often.
  private static let longest = Duration.seconds(1)

  /// A turn that is under way.
  private struct UnderWay: Hashable {
    var since: Instant
    var last: Instant
    var counted = KnobTurn()
    var detents = 0
    var ignoredSteps = 0
    var ignoredDetents = 0
    /// Why those did nothing.
    var reason: IgnoredPress?
  }

  private struct State: Hashable {
    var setup: Knob
    var quadrature: Quadrature
    var counts = AxisCounts()
    var pace = AxisPace()
    /// When it moved last, by a whole detent or not.
    var lastMove: Instant?
    var lastDetent: Instant?
    var lastWasUp = true
    var turn: UnderWay?
    /// The rest of the turn counts for nothing.
    var overtaken: IgnoredPress?
    /// When to look whether a storm is over; nil: there is none.
    var calmDue: Instant?
  }

  private var states: [State] = []
  private var stuckAfter = Duration.zero
  /// Why whatever is turned counts for nothing; nil: it counts.
  private var closed: IgnoredPress?

  /// Before power on.
  init() {}

  init(_ setups: [Knob], _ settings: Settings) {
    stuckAfter = settings.stuckAfter
    states = setups.map {
      State(setup: $0, quadrature: Quadrature(steps: $0.steps, stuckAfter: settings.stuckAfter))
    }
  }

  var indices: Range<Int> { states.indices }

  /// Edges or counts of one come without end (G8).
  var isAnyStuck: Bool { states.contains { $0.calmDue != nil } }

  /// When a turn, or a second of it, has ended unless the knob is turned on; or when a storm may be over.
  func due(_ index: Int) -> Instant? {
    [turnDue(index), states[index].calmDue].compactMap(\.self).min()
  }

  private func turnDue(_ index: Int) -> Instant? {
    states[index].turn.map { min($0.last + Quadrature.rest, $0.since + Self.longest) }
  }

  // MARK: - Moves

  mutating func take(_ move: KnobMove, of knob: KnobID) -> [KnobFact] {
    guard states.indices.contains(knob.index) else { return [] }
    switch move {
    case .position(let a, let b, let at):
      states[knob.index].quadrature.stand(a: a, b: b, at: at)
      return []
    case .edges(let edges, let isComplete): return edges.flatMap { take($0, isComplete: isComplete, of: knob) }
    case .counts(let counts, let at): return take(counts, of: knob, at: at)
    }
  }

  /// - Parameter isComplete: no edge was lost beside it (G2).
  private mutating func take(_ edge: KnobEdge, isComplete: Bool, of knob: KnobID) -> [KnobFact] {
    noteMove(of: knob, at: edge.at)
    switch states[knob.index].quadrature.take(edge, isComplete: isComplete) {
    case .nothing: return []
    case .stuck(let edges): return stuck(knob, edges: edges, at: edge.at)
    case .detent(let isUp): return detent(isUp, of: knob, after: sinceDetent(of: knob, at: edge.at), at: edge.at)
    }
  }

  private mutating func take(_ counts: Int, of knob: KnobID, at instant: Instant) -> [KnobFact] {
    let rest = states[knob.index].lastMove.map { instant - $0 }
    noteMove(of: knob, at: instant)
    let all = states[knob.index].counts.take(counts, steps: states[knob.index].setup.steps)
    let detents = states[knob.index].pace.take(abs(all), after: rest, at: instant)
    let interval = sinceDetent(of: knob, at: instant).map { $0 / max(1, detents) }
    let facts = (0..<detents).flatMap { _ in detent(all > 0, of: knob, after: interval, at: instant) }
    let storm = states[knob.index].pace.noteStorm(after: stuckAfter, at: instant)
    return facts + (storm.map { stuck(knob, edges: $0, at: instant) } ?? [])
  }

  private mutating func stuck(_ knob: KnobID, edges: Int, at instant: Instant) -> [KnobFact] {
    states[knob.index].calmDue = instant + Quadrature.rest
    return [.stuck(knob, edges: edges)]
  }

  private func sinceDetent(of knob: KnobID, at instant: Instant) -> Duration? {
    states[knob.index].lastDetent.map { instant - $0 }
  }

  /// After a rest the next move begins another turn.
  private mutating func noteMove(of knob: KnobID, at instant: Instant) {
    if let last = states[knob.index].lastMove, instant - last >= Quadrature.rest {
      states[knob.index].overtaken = nil
    }
    if let closed { states[knob.index].overtaken = closed }
    states[knob.index].lastMove = instant
  }

  private mutating func detent(
    _ isForward: Bool, of knob: KnobID, after interval: Duration?, at instant: Instant
  ) -> [KnobFact] {
    var state = states[knob.index]
    let isUp = isForward != state.setup.isReversed
    let facts = state.turn.map { instant - $0.last >= Quadrature.rest } == true ? finish(knob) : []
    let weight = state.setup.isFaster && isUp == state.lastWasUp ? Self.weight(after: interval) : 1
    let steps = isUp ? weight : -weight
    var turn = states[knob.index].turn ?? UnderWay(since: instant, last: instant)
    turn.last = instant
    if state.overtaken == nil {
      turn.counted.steps += steps
      turn.detents += 1
    } else {
      turn.reason = state.overtaken
      turn.ignoredSteps += steps
      turn.ignoredDetents += 1
    }
    (state.turn, state.lastDetent, state.lastWasUp) = (turn, instant, isUp)
    states[knob.index] = state
    return facts + [state.overtaken == nil ? .turned(knob, steps: steps) : .ignored(knob)]
  }

  /// How often a detent counts that follows another of its direction this soon (G3.1).
  private static func weight(after interval: Duration?) -> Int {
    guard let interval, interval < .milliseconds(40) else { return 1 }
    return interval < .milliseconds(20) ? 4 : 2
  }

  // MARK: - Turns

  /// What the knob was turned from and to, by the steps that were returned last.
  mutating func note(_ knob: KnobID, from: String?, to: String?) {
    guard states[knob.index].turn != nil else { return }
    if states[knob.index].turn?.counted.from == nil { states[knob.index].turn?.counted.from = from }
    states[knob.index].turn?.counted.to = to
  }

  mutating func timerFired(_ knob: KnobID, at now: Instant) -> [KnobFact] {
    guard states.indices.contains(knob.index) else { return [] }
    noteCalm(of: knob, at: now)
    guard let turn = states[knob.index].turn, turnDue(knob.index).map({ $0 <= now }) ?? false else { return [] }
    let facts = finish(knob)
    if now < turn.last + Quadrature.rest {
      // It goes on from there.
      var next = UnderWay(since: now, last: turn.last)
      next.counted.from = turn.counted.to
      states[knob.index].turn = next
    }
    return facts
  }

  /// A storm sets no timer at each of its edges: it is looked at now and then.
  private mutating func noteCalm(of knob: KnobID, at now: Instant) {
    guard let due = states[knob.index].calmDue, due <= now, let last = states[knob.index].lastMove else { return }
    states[knob.index].quadrature.rested(at: now)
    states[knob.index].pace.rested(after: now - last)
    let isStuck = states[knob.index].quadrature.isStuck || states[knob.index].pace.isStuck
    states[knob.index].calmDue = isStuck ? max(now + .milliseconds(1), last + Quadrature.rest) : nil
  }

  private mutating func finish(_ knob: KnobID) -> [KnobFact] {
    guard let turn = states[knob.index].turn else { return [] }
    states[knob.index].turn = nil
    var facts: [KnobFact] = []
    if turn.detents > 0 { facts.append(.over(knob, turn.counted)) }
    if turn.ignoredDetents > 0 {
      facts.append(.over(knob, KnobTurn(steps: turn.ignoredSteps, ignored: turn.reason)))
    }
    return facts
  }

  mutating func close(_ reason: IgnoredPress?) { closed = reason }

  /// Whatever turns now was not meant for the port that is left, and nobody has heard yet how loud it is there (G6).
  mutating func overtake(_ reason: IgnoredPress, at now: Instant) {
    for index in states.indices {
      guard let last = states[index].lastMove, now - last < Quadrature.rest else { continue }
      states[index].overtaken = states[index].overtaken ?? reason
    }
  }

  /// The system slept, or ends: turns end with it, and the contacts have to be read again (G2).
  mutating func endTurns() -> [KnobFact] {
    var facts: [KnobFact] = []
    for index in states.indices {
      facts += finish(KnobID(index))
      states[index].quadrature.forget()
      (states[index].counts, states[index].overtaken) = (AxisCounts(), nil)
      (states[index].pace, states[index].calmDue) = (AxisPace(), nil)
      (states[index].lastMove, states[index].lastDetent) = (nil, nil)
    }
    return facts
  }
}
