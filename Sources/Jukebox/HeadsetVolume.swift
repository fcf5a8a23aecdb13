import AudioSession

/// The volume that a headset makes itself, 0 to 127 (AVRCP), and what of the port's volume is left to the samples (B6).
///
/// The headset is asked for the port's volume whenever it has another. Volume and level are proportional, and rounded so
/// that every volume comes back from its level, and that a level is above a ceiling exactly where its volume is: steps
/// from either end do not drift. What the headset reports in time after it was asked, and close to that, is its answer;
/// what it reports when it has just come is what it, or BlueZ, has kept. All else was done by a person.
struct HeadsetVolume: Hashable, Sendable {
  /// How long an answer may take, and how long after a headset has come it may still report what it was left at.
  static let patience = Duration.seconds(1)
  static let arrival = Duration.seconds(2)
  static let levels = 0...127
  /// A headset of 16 steps may have less than this more, or less, than it was asked for.
  static let coarsest = 8
  /// One that does not obey is asked once more, and then left alone until a person changes something.
  static let tries = 2

  /// As it was reported last.
  private(set) var level: Int
  private var wanted: Int?
  private var asked: Int?
  private var isAnswered = true
  /// Until when it may answer; nil: nothing is waited for.
  private(set) var answerDue: Instant?
  private var tries = 0
  /// Until then it has just come, and nobody turns it.
  private let newUntil: Instant
  /// It is louder than the port's volume, and not because it was just asked for less and has not answered: the samples
  /// are attenuated by the difference.
  private var isTooLoud = true

  init(level: Int, newUntil: Instant) {
    self.level = level
    self.newUntil = newUntil
  }

  /// The lowest volume that is not below `level`.
  static func volume(of level: Int) -> Int { (level * 100 + levels.upperBound - 1) / levels.upperBound }

  /// The highest level that is not above `volume`.
  static func level(of volume: Int) -> Int { volume * levels.upperBound / 100 }

  /// Takes a report. Returns the volume that a person has turned to; nil: it answers what it was asked for.
  mutating func report(_ level: Int, at now: Instant) -> Int? {
    self.level = level
    if answerDue != nil, let asked, abs(level - asked) < Self.coarsest {
      isAnswered = true
      // Above the ceiling nothing waits for the time of the answer to pass.
      if level > asked { isTooLoud = true }
      return nil
    }
    isTooLoud = true
    if now < newUntil { return nil }
    tries = 0
    return Self.volume(of: level)
  }

  /// The time for an answer has passed.
  mutating func timeOut() {
    answerDue = nil
    isTooLoud = true
  }

  /// Brings it to the port's volume. Returns the level that it has to be asked for now, with a new time for its answer.
  mutating func settle(_ volume: Int, at now: Instant) -> Int? {
    if wanted != volume { tries = 0 }
    wanted = volume
    let target = Self.level(of: volume)
    if Self.volume(of: level) <= volume { isTooLoud = false }
    let isRoundedDown = asked == target && isAnswered && level < target && level > target - Self.coarsest
    guard Self.volume(of: level) != volume, !isRoundedDown, tries < Self.tries else { return nil }
    // One at a time, and the same one not again at once, however often it is turned meanwhile.
    if answerDue != nil && (!isAnswered || asked == target) { return nil }
    (asked, isAnswered, answerDue) = (target, false, max(newUntil, now + Self.patience))
    tries += 1
    return target
  }

  /// The part of the port's volume that is applied to the samples, on its scale.
  func samples(of volume: Int) -> Int {
    if volume == 0 { return 0 }
    return isTooLoud ? max(1, 100 - max(0, Self.volume(of: level) - volume)) : 100
  }
}
