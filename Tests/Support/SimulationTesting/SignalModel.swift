import AudioSession

/// What is known of the signals of a kiosk (E rows): BUSY (`playing`), LATE (the same, 500 ms late and held for 2 s) and
/// BELL (300 ms at `track.started`); the others follow from the status.
struct SignalModel {
  private static let onDelay = Duration.milliseconds(500)
  private static let offDelay = Duration.seconds(2)
  private static let pulse = Duration.milliseconds(300)

  private(set) var isBusy = false
  /// Since when it is, or is not.
  private(set) var busySince = Instant.powerOn
  private(set) var isLate = false
  private var rungUntil: Instant?
  /// Music was wanted, and held by nothing but a contact that may bounce, at the moment before, too.
  var wasGoing = false

  /// When music was paused last: by a recording that fails at once, it goes on in the same instant.
  var pausedAt: Instant?
  /// Since when it is not.
  var goneSince: Instant?
  /// When BUSY has begun, as long as no music was heard since.
  var unheardSince: Instant?

  mutating func powerOff() { self = SignalModel() }

  mutating func ring(at now: Instant) { rungUntil = now + Self.pulse }

  func isRinging(at now: Instant) -> Bool { rungUntil.map { now < $0 } ?? false }

  /// In a simulated sleep the clock goes on, and delays with it, while nothing is heard: what LATE shows then is right.
  mutating func adopt(isLate: Bool) { self.isLate = isLate }

  /// Takes what BUSY shows now, and LATE, which decides where BUSY changes in the very instant in which LATE was due.
  mutating func note(isBusy: Bool, isLateShown: Bool, at now: Instant) {
    let due = busySince + (self.isBusy ? Self.onDelay : Self.offDelay)
    if isBusy != self.isBusy && now == due { isLate = isLateShown }
    if isBusy != self.isBusy { (self.isBusy, busySince) = (isBusy, now) }
    if isBusy && now >= busySince + Self.onDelay { isLate = true }
    if !isBusy && now >= busySince + Self.offDelay { isLate = false }
  }
}
