import AudioSession
import Jukebox

/// B6: the volume that the headset of a wireless port makes itself, as its listener has it. In time, the headset makes the
/// port's volume; whoever turns it sets that, and nobody else does.
struct HeadsetVolumeModel {
  /// For this long after a headset has come, nobody has turned what it reports.
  private static let arrival = Duration.seconds(2)
  /// How long what it reports may be the answer to what it was asked for, and how close that is.
  private static let answer = Duration.milliseconds(1_100)
  private static let close = 8
  /// From a change on, it makes the port's volume within this time: it is asked once a second.
  private static let patience = Duration.seconds(5)

  let ceiling: Int
  /// 0 to 127; nil: it makes none.
  private var level: Int?
  private var isThere = false
  /// It went while the kiosk slept, or was turned.
  private var hasGoneInSleep = false
  private var isTurnedInSleep = false
  private var newUntil = Instant.powerOn
  private var turnedAt: Instant?
  /// A turn may have been taken for its answer.
  private var isDoubtful = false
  /// The port's volume while the port is the route, and when it was lowered at the board last.
  private var volume: Int?
  private var loweredAt: Instant?
  /// Since when, and when last, the headset made another volume than the port's.
  private var unsettledSince: Instant?
  private var unsettledAt: Instant?
  /// What it was asked for last, and when.
  private var asked: (level: Int, at: Instant)?

  init(ceiling: Int) { self.ceiling = ceiling }

  // MARK: - What happens

  /// Somebody turns it; nil: it no longer takes a volume. Returns whether that counts as use of the kiosk; nil:
  /// perhaps.
  mutating func turn(to new: Int?, isAwake: Bool, at now: Instant) -> Bool? {
    defer { level = new }
    if !isAwake { isTurnedInSleep = true }
    guard isThere, isAwake, let new else { return false }
    if level == nil { come(at: now) }
    isDoubtful = now < newUntil || mayAnswer(new, at: now)
    if now < newUntil { return false }
    turnedAt = now
    return isDoubtful ? nil : true
  }

  /// It is there from now on: at its plug, or when it takes a volume.
  mutating func come(at now: Instant) {
    (isThere, newUntil, turnedAt, isDoubtful) = (true, now + Self.arrival, nil, false)
    forget()
  }

  mutating func go() {
    isThere = false
    forget()
  }

  mutating func goInSleep() { hasGoneInSleep = true }

  /// Returns whether it was turned in sleep, which is noticed now.
  mutating func wake(isThere: Bool, at now: Instant) -> Bool {
    defer { (hasGoneInSleep, isTurnedInSleep) = (false, false) }
    forget()
    if !isThere {
      go()
    } else if hasGoneInSleep || !self.isThere {
      come(at: now)
    }
    return isTurnedInSleep
  }

  /// Does not follow for now what it is asked for and answers.
  private mutating func forget() { (volume, unsettledSince, unsettledAt, asked) = (nil, nil, nil, nil) }

  private func mayAnswer(_ new: Int, at now: Instant) -> Bool {
    guard let volume else { return true }
    // Also where it was turned elsewhere since.
    if let asked, now < asked.at + Self.answer, abs(new - asked.level) < Self.close { return true }
    guard let unsettledAt, now < max(unsettledAt + Self.answer, newUntil + Self.answer) else { return false }
    return abs(new - Self.level(of: volume)) < Self.close
  }

  // MARK: - What is logged and heard

  /// `volume.changed` with the headset as its cause.
  func check(_ event: Event, wokeAt: Instant?, at now: Instant) -> Mismatch? {
    // Its true answer comes while the next one is awaited.
    if isDoubtful, let turnedAt, now < turnedAt + Self.answer { return nil }
    guard let level, turnedAt == now || wokeAt == now else {
      return Mismatch("B6", "the volume is logged as turned at the headset, and nobody turned it")
    }
    let expected = min(ceiling, Self.volume(of: level))
    return event["volume"] == String(expected)
      ? nil
      : Mismatch("B6", "turned to \(level) at the headset: \(event["volume"] ?? "no volume"), expected \(expected)")
  }

  /// - Parameters:
  ///   - level: what the headset makes now.
  ///   - volume: that of the port; nil while another one is the route.
  mutating func settle(level new: Int?, volume: Int?, at now: Instant) -> Mismatch? {
    let before = level
    level = new
    guard isThere, let new else { return nil }
    if new != before {
      isDoubtful = false
      asked = (new, now)
      if Self.volume(of: new) > ceiling {
        return Mismatch("B6", "it is asked for \(new), and the ceiling is \(ceiling)")
      }
    }
    guard let volume else {
      forget()
      return nil
    }
    if self.volume.map({ volume < $0 && turnedAt != now }) ?? true { loweredAt = now }
    self.volume = volume
    if turnedAt == now, !isDoubtful, volume != min(ceiling, Self.volume(of: new)) {
      return Mismatch("B6", "turned to \(new) at the headset, and the port's volume is \(volume)")
    }
    return checkFollowed(new, volume, at: now)
  }

  private mutating func checkFollowed(_ level: Int, _ volume: Int, at now: Instant) -> Mismatch? {
    let isExact = Self.volume(of: level) == volume
    // It was asked for that, also where somebody turns it elsewhere before it answers.
    if !isExact { (unsettledAt, asked) = (now, (Self.level(of: volume), now)) }
    let isFollowed = isExact || isDoubtful && abs(level - Self.level(of: volume)) < Self.close
    unsettledSince = isFollowed ? nil : unsettledSince ?? now
    guard let since = unsettledSince, now > max(since, newUntil) + Self.patience else { return nil }
    return Mismatch("B6", "the headset makes \(level) since \(since.logStamp), and the port's volume is \(volume)")
  }

  /// What the samples may have of the port's volume: what the headset does not make.
  func samples(of volume: Int, at now: Instant) -> Int {
    guard isThere, let level, volume > 0 else { return volume }
    // It is asked for less, and has a second for that.
    if let loweredAt, now < loweredAt + Self.answer { return 100 }
    return max(1, min(100, 100 + volume - Self.volume(of: level)))
  }

  /// The volume that a level is: rounded up, because the level is no more than its share.
  private static func volume(of level: Int) -> Int { (level * 100 + 126) / 127 }
  private static func level(of volume: Int) -> Int { volume * 127 / 100 }
}
