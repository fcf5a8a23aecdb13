import AudioSession

/// Counts the pulses of one coin line (J3). A coin is a train of pulses, and a train whose pulses are not certain to the
/// last one is none.
///
/// ```
///        ┌─────┐      ┌─┐┌──┐     ┌┐              bounce within a pulse is none of its ends,
/// ───────┘     └──────┘ └┘  └─────┘└──────────    and what is too short is no pulse
///          1             2       noise  └ coin_gap behind pulse 2: a coin of 2
/// ```
///
/// Time is that of the edges, so that it makes no difference how late they are read.
struct CoinPulses: Hashable, Sendable {
  enum Fact: Hashable, Sendable {
    case coin(pulses: Int)
    case refused(CoinRefusal)
    /// The line does not come to rest; this many edges. Nothing of it is a coin.
    case stuck(edges: Int)
  }

  /// How long after power on no train is a coin.
  static let bootTime = Duration.seconds(2)
  /// No coin or note has more.
  static let mostPulses = 250
  /// Not even bounce can be the reason for this many edges without a rest.
  private static let mostEdges = 4_000
  /// A few edges are not chatter.
  private static let fewEdges = 16
  /// When an instant has come, the lines are read once more before what they have said until then is believed.
  private static let reading = Duration.milliseconds(1)

  /// The line was asserted, except for gaps that are bounce.
  private struct Closing: Hashable {
    var start: Instant
    /// Nil: it still is.
    var end: Instant?
    /// Since when it is, without a gap.
    var solidSince: Instant
    /// The longest time without a gap. Contacts bounce at the ends of a pulse; sparks that are close together are none.
    var solid = Duration.zero

    init(start: Instant) { (self.start, solidSince) = (start, start) }
  }

  private struct Train: Hashable {
    var pulses = 0
    /// The end of its last pulse.
    var end: Instant
    var refusal: CoinRefusal?
    var isReported = false

    var facts: [Fact] {
      if isReported { return [] }
      return refusal.map { [.refused($0)] } ?? [.coin(pulses: pulses)]
    }
  }

  /// Edges without a rest in between.
  private struct Unrest: Hashable {
    var since: Instant
    var edges = 0
  }

  private let setup: CoinLine
  private var level: Bool
  private var last: Instant
  /// The level was read then: what is older was there already.
  private var knownUntil: Instant
  /// The level was read behind a sleep, in which a line moves without an edge.
  private var hasSlept = false
  private var bootEnd: Instant
  private var closing: Closing?
  private var train: Train?
  /// Since neither level has held for `pulse_min`, and since no edge came for `coin_gap`.
  private var chatter: Unrest
  private var unrest: Unrest
  /// When a line that is stuck is looked at again.
  private var calmDue: Instant?
  private(set) var isStuck = false
  /// This instant had come when the timer fired, and the lines are read again since.
  private var checked: Checked?

  private struct Checked: Hashable {
    var due: Instant
    var at: Instant
  }

  /// - Parameter level: that at power on. A line that is closed then has begun a train which does not count as a coin.
  init(_ setup: CoinLine, level: Bool, at now: Instant) {
    self.setup = setup
    self.level = level
    (last, knownUntil) = (now, now)
    bootEnd = now + Self.bootTime
    (chatter, unrest) = (Unrest(since: now), Unrest(since: now))
    if level { closing = Closing(start: now) }
  }

  /// The line is closed for too long, or does not come to rest: the next coin would not be counted.
  var isJammed: Bool { isStuck || train?.refusal == .jam }

  // MARK: - Edges

  mutating func take(_ edge: CoinEdge) -> [Fact] {
    if edge.at < knownUntil { return takeOld(edge) }
    if edge.asserted == level && !edge.followsLoss { return [] }
    let facts = edge.followsLoss ? [] : pass(to: edge.at)
    noteUnrest(edge)
    (level, last) = (edge.asserted, max(last, edge.at))
    if isStuck {
      if !level { calmDue = calmDue ?? edge.at + setup.gap }
      return facts
    }
    if edge.followsLoss { doubt(.lostEdges, at: edge.at) } else { move(to: edge.asserted, at: edge.at) }
    return facts + (isEndless ? storm(at: edge.at) : [])
  }

  /// It came while nobody looked, before the level was read or beside that.
  private mutating func takeOld(_ edge: CoinEdge) -> [Fact] {
    if !hasSlept { level = edge.asserted }
    if !isStuck { doubt(.slept, at: knownUntil) }
    return []
  }

  private mutating func move(to isAsserted: Bool, at instant: Instant) {
    if isAsserted {
      var open = closing ?? Closing(start: instant)
      (open.end, open.solidSince) = (nil, instant)
      closing = open
    } else if var closed = closing {
      closed.solid = max(closed.solid, instant - closed.solidSince)
      closed.end = instant
      closing = closed
    }
  }

  /// What the line did until now is not known.
  private mutating func doubt(_ reason: CoinRefusal, at instant: Instant) {
    let first = closing?.start ?? instant
    var refused = train ?? Train(end: instant, refusal: first < bootEnd ? .boot : nil)
    refused.refusal = refused.refusal ?? reason
    refused.end = instant
    train = refused
    closing = level ? Closing(start: instant) : nil
  }

  // MARK: - Time

  /// When something is certain unless an edge comes before; nil: never, so that nothing wakes up at rest.
  var due: Instant? {
    guard let due = certain else { return nil }
    return checked?.due == due ? checked.map { $0.at + Self.reading } : due
  }

  private var certain: Instant? {
    if isStuck { return calmDue }
    let over = train.map { $0.end + setup.gap }
    guard let closing else { return over }
    guard let end = closing.end else {
      return train?.refusal == .jam ? nil : closing.start + setup.stuckAfter
    }
    if isPulse(closing, until: end) { return end + setup.gap }
    return over.map { max($0, end + setup.pulseMin) }
  }

  /// An edge of that time may still wait to be read. Only at the next call are all until this one known.
  mutating func timerFired(at now: Instant) -> [Fact] {
    guard let due = certain, due <= now else { return [] }
    if isStuck {
      calm(at: now)
      return []
    }
    guard let read = checked, read.due == due else {
      checked = Checked(due: due, at: now)
      return []
    }
    checked = nil
    return pass(to: read.at, isIncluded: true)
  }

  /// All edges before `instant` are known; and those of that instant if it `isIncluded`.
  private mutating func pass(to instant: Instant, isIncluded: Bool = false) -> [Fact] {
    if isStuck {
      if !level && instant - last >= setup.gap { calm(at: instant) }
      return []
    }
    close(until: instant)
    var facts: [Fact] = []
    if let open = closing {
      let time = instant - open.start
      if open.end == nil, time > setup.stuckAfter || isIncluded && time == setup.stuckAfter {
        // A contact that has bounced for half of that time is not closed.
        facts += isChatter(for: setup.stuckAfter / 2) ? storm(at: instant) : jam(since: open)
      }
    } else if let over = train, instant - over.end >= setup.gap {
      train = nil
      facts += over.facts
    }
    return facts
  }

  /// A closing that is longer than a bounce has ended: it was a pulse, or noise.
  private mutating func close(until instant: Instant) {
    guard let closed = closing, let end = closed.end, instant - end >= setup.pulseMin else { return }
    closing = nil
    guard isPulse(closed, until: end) else { return }
    var counted = train ?? Train(end: end, refusal: closed.start < bootEnd ? .boot : nil)
    counted.pulses += 1
    counted.end = end
    train = counted
  }

  private func isPulse(_ closing: Closing, until end: Instant) -> Bool {
    let time = end - closing.start
    return time > setup.stuckAfter || time >= setup.pulseMin && closing.solid * 2 >= setup.pulseMin
  }

  private mutating func jam(since closing: Closing) -> [Fact] {
    var jammed = train ?? Train(end: closing.start)
    defer { train = jammed }
    let isNews = jammed.refusal != .jam
    (jammed.refusal, jammed.isReported) = (.jam, true)
    return isNews ? [.refused(.jam)] : []
  }

  // MARK: - Storms

  private mutating func noteUnrest(_ edge: CoinEdge) {
    let rest = edge.followsLoss ? .zero : edge.at - last
    if rest >= setup.pulseMin { chatter = Unrest(since: edge.at) }
    if rest >= setup.gap { unrest = Unrest(since: edge.at) }
    chatter.edges += 1
    unrest.edges += 1
  }

  /// A line has been moving for so long that neither a coin nor a jam makes it (K4).
  private var isEndless: Bool {
    isChatter(for: setup.stuckAfter) || unrest.edges > Self.mostEdges
      || train.map { $0.pulses > Self.mostPulses } ?? false
  }

  private func isChatter(for time: Duration) -> Bool { chatter.edges > Self.fewEdges && last - chatter.since >= time }

  private mutating func storm(at instant: Instant) -> [Fact] {
    let isReported = train?.refusal == .jam
    (train, closing, isStuck) = (nil, nil, true)
    calmDue = level ? nil : instant + setup.gap
    return isReported ? [] : [.stuck(edges: unrest.edges)]
  }

  /// A storm sets no timer at each of its edges: it is looked at now and then.
  private mutating func calm(at now: Instant) {
    calmDue = level ? nil : max(last + setup.gap, now + Self.reading)
    guard !level, now - last >= setup.gap else { return }
    (isStuck, calmDue) = (false, nil)
    (chatter, unrest) = (Unrest(since: now), Unrest(since: now))
  }

  // MARK: - Sleep and shutdown

  /// The system slept, and the line is at this level now (R11). What moved meanwhile has made no edge.
  mutating func wake(level isAsserted: Bool, slept: Duration, at now: Instant) {
    let isResting = !isAsserted && (isStuck || train == nil && certain == nil)
    (level, last, knownUntil, hasSlept) = (isAsserted, now, now, true)
    bootEnd = bootEnd + slept
    (checked, isStuck, calmDue) = (nil, false, nil)
    (chatter, unrest) = (Unrest(since: now), Unrest(since: now))
    if isResting { closing = nil } else { doubt(.slept, at: now) }
  }

  /// Nobody waits for the rest of a train.
  mutating func end() -> [Fact] {
    guard !isStuck, train != nil || certain != nil else { return [] }
    var open = train ?? Train(end: last)
    open.refusal = open.refusal ?? .shutdown
    (train, closing) = (nil, nil)
    return open.facts
  }
}
