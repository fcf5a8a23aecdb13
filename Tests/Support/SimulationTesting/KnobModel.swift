import AudioSession
import Jukebox

/// What a knob that turns the volume has to have done (G rows), by the moves of its contacts alone: how far it has come is
/// counted in quarters of a detent.
struct KnobModel {
  /// Without an edge for so long, a turn is over.
  private static let rest = Duration.milliseconds(300)

  let name: String
  /// Of the volume, for each detent.
  let points: Int
  /// That it may have turned the volume to, at the last detent that acted.
  var volumes: Set<Int> = []
  private var a = false
  private var b = false
  /// Since the last detent; nil: not known until it rests where it rested at power on.
  private var quarters: Int?
  private var home = 0
  private var last: Instant?
  private var isOvertaken = false
  /// Steps of which the log has no line yet: those that counted, and those that a change of the route has overtaken.
  private var counted = 0
  private var ignored = 0
  private var detentAt: Instant?

  init(name: String, points: Int) {
    self.name = name
    self.points = points
  }

  private var place: Int { a ? (b ? 2 : 1) : (b ? 3 : 0) }

  /// Returns the step that has to act now: 1, −1, or 0 where none does; and whether the knob has come to a detent at all.
  mutating func move(
    _ contact: KnobContact, to level: Bool, isSeen: Bool, at now: Instant
  ) -> (step: Int, isTurned: Bool) {
    let before = place
    if contact == .a { a = level } else { b = level }
    guard isSeen else { return (0, false) }
    if let last, now - last >= Self.rest { isOvertaken = false }
    last = now
    let change = (place - before + 4) % 4 == 1 ? 1 : -1
    quarters = quarters.map { $0 + change } ?? (place == home ? 0 : nil)
    guard let come = quarters, abs(come) >= 4 else { return (0, false) }
    quarters = 0
    detentAt = now
    if isOvertaken { ignored += come.signum() } else { counted += come.signum() }
    return (isOvertaken ? 0 : come.signum(), true)
  }

  /// Power comes, or the system wakes: what is there is a position (G2).
  mutating func read(isPowerOn: Bool) {
    // A wake has the line of the turn that the sleep has ended.
    if isPowerOn { (home, counted, ignored) = (place, 0, 0) }
    quarters = place == home ? 0 : nil
    (last, isOvertaken, detentAt) = (nil, false, nil)
  }

  /// The route changes, or the visit ends: a turn that is under way ends there (G6).
  mutating func overtake(at now: Instant) {
    if let last, now - last < Self.rest { isOvertaken = true }
  }

  /// A line of the log.
  mutating func check(_ event: Event) -> Mismatch? {
    guard event["knob"] == name, let steps = event["steps"].flatMap({ Int($0) }) else {
      return Mismatch("G5", "a turn without its knob or steps")
    }
    let isIgnored = event["ignored"] != nil
    let due = isIgnored ? ignored : counted
    if isIgnored { ignored -= steps } else { counted -= steps }
    if due == 0 && steps != 0 || due.signum() * steps.signum() < 0 || abs(steps) > abs(due) {
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
