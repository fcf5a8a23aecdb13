import AudioSession

/// Counts the detents of a knob by the edges of its two contacts, `a` and `b` (G1, G1.1).
///
/// The contacts have one of four states, and a legal edge leads to the state before or after:
///
/// ```
/// up ──►  neither ── a ── both ── b ── neither …  ◄── down
/// ```
///
/// A detent counts once the knob has come all the way from one place of rest to the next. Bounce goes to and fro
/// between two states, and so does whoever turns by half; neither gets there. What is not legal has lost an edge: then
/// it is not known how far the knob has come until it is at a place of rest again.
struct Quadrature: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case nothing
    case detent(isUp: Bool)
    /// The contacts have moved for this long, without a rest and without a detent.
    case stuck(edges: Int)
  }

  /// Without an edge for this long, a knob rests.
  static let rest = Duration.milliseconds(300)
  /// Within which a contact that moves back is taken to bounce, where every edge is a detent.
  private static let bounce = Duration.milliseconds(10)
  /// After this many rests at a place that is not one of rest as far as was known, it is one. Somebody may hold a knob
  /// in between.
  private static let mostVotes = 3
  /// A few edges are not chatter.
  private static let fewEdges = 16

  private struct Contact: Hashable {
    var level: Bool?
    var last: Instant?
  }

  /// Edges from one detent to the next: 1, 2 or 4.
  private let steps: Int
  private let stuckAfter: Duration
  private var a = Contact()
  private var b = Contact()
  /// A place where the knob rests between turns; nil: none is known yet.
  private var home: Int?
  private var votes = 0
  private var votedPlace: Int?
  /// Edges since the last place of rest, up from it; nil: not known.
  private var progress: Int?
  private var lastContact: KnobContact?
  private(set) var last: Instant?
  private var lastWasUp: Bool?
  /// Edges that are older had come when the position was read.
  private var knownUntil: Instant?
  private var edges = 0
  private var movesSince: Instant?
  /// It counts nothing until it rests.
  private(set) var isStuck = false

  init(steps: Int, stuckAfter: Duration) {
    self.steps = steps
    self.stuckAfter = stuckAfter
  }

  /// Where the contacts stand, in the order of turning up; nil: not known.
  private var place: Int? {
    guard let a = a.level, let b = b.level else { return nil }
    return a ? (b ? 2 : 1) : (b ? 3 : 0)
  }

  /// A position is one of rest if it is a whole number of detents from a known position of rest.
  private func isHome(_ place: Int) -> Bool { home.map { (place - $0) % steps == 0 } ?? false }

  // MARK: - Positions

  /// The contacts were read: a position, and no turn (G2).
  mutating func stand(a isA: Bool, b isB: Bool, at instant: Instant) {
    forget()
    (a, b) = (Contact(level: isA), Contact(level: isB))
    home = home ?? place
    resynchronise()
    knownUntil = instant
  }

  /// It has rested for long enough: a storm is over.
  mutating func rested(at now: Instant) {
    if let last, now - last >= Self.rest { endChatter() }
  }

  /// Forgets all that was known of the contacts.
  mutating func forget() {
    (a, b) = (Contact(), Contact())
    (progress, last, lastContact, lastWasUp, knownUntil) = (nil, nil, nil, nil, nil)
    endChatter()
  }

  /// - Parameter isComplete: false: others were lost beside it, and it is only known where it leads to (G2).
  mutating func take(_ edge: KnobEdge, isComplete: Bool) -> Outcome {
    let outcome = take(edge)
    if isComplete { return outcome }
    resynchronise()
    // No detent is certain. A storm is: of one that fast, edges are lost.
    if case .stuck = outcome { return outcome }
    return .nothing
  }

  /// How far the knob has come is known only where it rests.
  private mutating func resynchronise() { progress = place.map(isHome) == true ? 0 : nil }

  // MARK: - Edges

  mutating func take(_ edge: KnobEdge) -> Outcome {
    if let known = knownUntil, edge.at <= known { return .nothing }
    noteRest(until: edge.at)
    let isInOrder = last.map { edge.at > $0 || edge.at == $0 && edge.contact == lastContact } ?? true
    let (before, interval) = (place, set(edge))
    (last, lastContact) = (max(last ?? edge.at, edge.at), edge.contact)
    if let edges = noteChatter(at: edge.at) { return .stuck(edges: edges) }
    guard isInOrder, let before, let place, (place - before) % 2 != 0 else {
      resynchronise()
      return .nothing
    }
    let isUp = (place - before + 4) % 4 == 1
    guard let former = progress, !isStuck else {
      resynchronise()
      return .nothing
    }
    return step(isUp, from: former, isBounce: interval.map { $0 < Self.bounce } ?? false)
  }

  /// Sets the level of a contact. Returns the time since its last edge.
  private mutating func set(_ edge: KnobEdge) -> Duration? {
    let contact = edge.contact == .a ? \Self.a : \Self.b
    let former = self[keyPath: contact].last
    // The later of two edges of a contact gives its level, whichever was read last.
    if let former, edge.at < former { return nil }
    self[keyPath: contact] = Contact(level: edge.asserted, last: edge.at)
    return former.map { edge.at - $0 }
  }

  private mutating func step(_ isUp: Bool, from former: Int, isBounce: Bool) -> Outcome {
    let progress = former + (isUp ? 1 : -1)
    self.progress = progress
    // Where every edge is a detent, only time tells a contact that bounces from a knob that is turned back.
    let isDoubtful = steps == 1 && isBounce && lastWasUp != nil && lastWasUp != isUp
    guard abs(progress) >= steps, !isDoubtful else { return .nothing }
    self.progress = 0
    lastWasUp = isUp
    endChatter()
    return .detent(isUp: isUp)
  }

  // MARK: - Rest and chatter

  /// An edge comes: how long were there none?
  private mutating func noteRest(until instant: Instant) {
    guard let last, let place, instant - last >= Self.rest else { return }
    endChatter()
    if home == nil || isHome(place) {
      home = home ?? place
      (votes, votedPlace) = (0, nil)
      return resynchronise()
    }
    (votes, votedPlace) = (votedPlace == place ? votes + 1 : 1, place)
    guard votes >= Self.mostVotes else { return }
    home = place
    (votes, votedPlace) = (0, nil)
    resynchronise()
  }

  private mutating func endChatter() { (edges, movesSince, isStuck) = (0, nil, false) }

  /// Returns the number of edges once they have been coming for too long (K4).
  private mutating func noteChatter(at instant: Instant) -> Int? {
    // The count only says how bad it is; stopping it keeps a storm from overflowing.
    edges = min(edges + 1, 9_999)
    movesSince = movesSince ?? instant
    guard !isStuck, edges > Self.fewEdges, let movesSince, instant - movesSince >= stuckAfter else { return nil }
    isStuck = true
    progress = nil
    return edges
  }
}
