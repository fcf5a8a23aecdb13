import AudioSession

/// The counts of an axis, as detents.
struct AxisCounts: Hashable, Sendable {
  /// Since the last detent.
  private var left = 0

  /// Returns how many detents these counts complete, down if negative.
  mutating func take(_ counts: Int, steps: Int) -> Int {
    // More detents than count are as good as any number of them.
    let most = 2 * AxisPace.mostDetents * steps
    let bounded = max(-most, min(counts, most))
    // The rest of a detent is dropped when the knob turns back.
    let all = left.signum() == bounded.signum() ? left + bounded : bounded
    left = all % steps
    return all / steps
  }
}

/// How many detents of an axis count: a device may report anything, and nobody turns a knob faster than this many per
/// second (G8.2).
struct AxisPace: Hashable, Sendable {
  static let mostDetents = 64

  /// When the second began in which detents are counted; nil: the axis rests.
  private var secondSince: Instant?
  private var detents = 0
  private var moves = 0
  /// Since when no second was one of a knob that is turned.
  private var stormSince: Instant?
  private(set) var isStuck = false

  /// The axis has moved by this many detents, or by less than one. Returns how many of them count.
  mutating func take(_ detents: Int, after rest: Duration?, at now: Instant) -> Int {
    if rest.map({ $0 >= Quadrature.rest }) ?? true { self = AxisPace() }
    moves = min(moves + 1, 9_999)
    if secondSince.map({ now - $0 >= .seconds(1) }) ?? true { beginSecond(at: now) }
    let room = max(0, Self.mostDetents - self.detents)
    // A device may report more than a number can hold.
    self.detents = min(self.detents + detents, 2 * Self.mostDetents)
    return isStuck ? 0 : min(detents, room)
  }

  private mutating func beginSecond(at now: Instant) {
    let isTurned = detents > 0 && detents <= Self.mostDetents
    stormSince = isTurned ? now : stormSince ?? now
    (secondSince, detents) = (now, 0)
  }

  /// Returns the number of moves once they have been coming for too long (K4).
  mutating func noteStorm(after limit: Duration, at now: Instant) -> Int? {
    let isLegal = detents > 0 && detents <= Self.mostDetents
    guard !isStuck, !isLegal, let stormSince, now - stormSince >= limit else { return nil }
    isStuck = true
    return moves
  }

  mutating func rested(after rest: Duration) { if rest >= Quadrature.rest { self = AxisPace() } }
}
