import AudioSession
import Jukebox

/// What a knob that turns the volume has to have done (G rows), by the moves of its contacts alone: how far it has come is
/// counted in quarters of a detent.
struct KnobModel {
  /// A turn is over after this long without an edge.
  private static let rest = Duration.milliseconds(300)
  /// A place has a detent if the knob rests there this often in a row.
  private static let mostRests = 3

  let name: String
  /// Points of the volume for each detent.
  let points: Int
  /// The volumes that it may have set at the last detent that acted.
  private var volumes: Set<Int> = []
  /// The same before it, because a line may be due in the very instant of a detent.
  private var former: Set<Int> = []
  private var a = false
  private var b = false
  /// Since the last detent; nil: not known until it is where it rested at power on, or has rested elsewhere often enough.
  private var quarters: Int?
  private var home = 0
  /// Where it has rested outside a detent, and how often.
  private var elsewhere = (place: 0, times: 0)
  private var last: Instant?
  private var isOvertaken = false
  /// It is closed, and turns count for nothing (H1.3).
  var isClosed = false
  /// Steps of which the log has no line yet: those that counted, and those that a change of the route has overtaken.
  private var counted = 0
  private var ignored = 0
  private var detentAt: Instant?
  /// What that detent counted.
  private var latest = 0

  init(name: String, points: Int) {
    self.name = name
    self.points = points
  }

  private var place: Int { a ? (b ? 2 : 1) : (b ? 3 : 0) }

  /// Returns the step that has to act now: 1, −1, or 0 where none does; and whether the knob has come to a detent at all.
  mutating func move(
    _ contact: KnobContact, to level: Bool, isSeen: Bool, at now: Instant
  ) -> (step: Int, isTurned: Bool) {
    if isSeen, let last, now - last >= Self.rest { noteRest() }
    let before = place
    if contact == .a { a = level } else { b = level }
    guard isSeen else { return (0, false) }
    if last.map({ now - $0 >= Self.rest }) ?? true { isOvertaken = false }
    if isClosed { isOvertaken = true }
    last = now
    let change = (place - before + 4) % 4 == 1 ? 1 : -1
    quarters = quarters.map { $0 + change } ?? (place == home ? 0 : nil)
    guard let come = quarters, abs(come) >= 4 else { return (0, false) }
    quarters = 0
    (detentAt, latest) = (now, come.signum())
    if isOvertaken { ignored += come.signum() } else { counted += come.signum() }
    return (isOvertaken ? 0 : come.signum(), true)
  }

  /// Power came in the middle of a turn: then it shows later where the detents are.
  private mutating func noteRest() {
    if place == home { return elsewhere = (home, 0) }
    elsewhere = (place, elsewhere.place == place ? elsewhere.times + 1 : 1)
    if elsewhere.times >= Self.mostRests { (home, quarters, elsewhere) = (place, 0, (place, 0)) }
  }

  /// Power comes, or the system wakes: what is there is a position (G2).
  mutating func read(isPowerOn: Bool) {
    // A wake has the line of the turn that the sleep has ended.
    if isPowerOn { (home, counted, ignored) = (place, 0, 0) }
    quarters = place == home ? 0 : nil
    if isPowerOn { elsewhere = (home, 0) }
    (last, isOvertaken, detentAt) = (nil, false, nil)
  }

  /// The route changes, or the visit ends: a turn that is under way ends there (G6).
  mutating func overtake(at now: Instant) {
    if let last, now - last < Self.rest { isOvertaken = true }
  }

  /// A detent has acted.
  mutating func turned(to volumes: Set<Int>) { (former, self.volumes) = (self.volumes, volumes) }

  func mayHaveTurned(to volume: Int, at now: Instant) -> Bool {
    volumes.contains(volume) || detentAt == now && former.contains(volume)
  }

  /// A line of the log.
  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    guard event["knob"] == name, let steps = event["steps"].flatMap({ Int($0) }) else {
      return Mismatch("G5", "a turn without its knob or steps")
    }
    let isIgnored = event["ignored"] != nil
    let due = isIgnored ? ignored : counted
    if isIgnored { ignored -= steps } else { counted -= steps }
    // In the instant of a detent the line of what came before it may be due.
    let before = detentAt == now ? due - latest : due
    if ![due, before].contains(where: { (min(0, $0)...max(0, $0)).contains(steps) }) {
      return Mismatch("G1", "\(name) was turned by \(due)\(isIgnored ? " for nothing" : ""), and the log says \(steps)")
    }
    return nil
  }

  /// Every turn has its line once it has rested (G5).
  func settle(at now: Instant) -> Mismatch? {
    guard let detentAt, now > detentAt + .milliseconds(310), counted != 0 || ignored != 0 else { return nil }
    return Mismatch("G5", "\(name) was turned by \(counted) and has no line in the log")
  }
}
