import AudioSession

/// How many frames a device's position moves at once, as far as it is known. Drivers that count periods, transfers or the
/// reports of a firmware move it in steps, and in between the device is further than it says, by up to one of them.
///
/// No move is smaller than a step, so the smallest one that was seen is the most that a step can be: that of a DMA
/// engine's address is known after two looks. A driver may also move its position by more than it is known for.
public struct PositionStep: Hashable, Sendable {
  /// How often that has to be seen where smaller moves have been, each time within `window` of the time before: a thread
  /// that is held up between a position and its time, once this year and once the next, says nothing of the device.
  private static let proofs = 2
  private static let window = Duration.seconds(1)

  /// The most that a step can be before the position has been seen to move.
  private var most: Int
  private var smallest = Int.max
  /// The greatest common divisor of all moves that were seen.
  private var divisor = 0
  private var last: Int?
  /// How far the position was seen to be behind the device, by more than a step, how often, and when for the last time.
  private var lag = 0
  private var sightings = 0
  private var sighted = Instant.powerOn

  /// - Parameter frames: the most that a step can be before the position has been seen to move.
  public init(atMost frames: Int) { most = frames }

  /// The most that a step can be, frames.
  public var frames: Int {
    guard isLarger else { return min(most, smallest) }
    return divisor >= lag ? divisor : max(lag, smallest)
  }

  /// Whether the position was seen to move by more than the driver is known for.
  public var isLarger: Bool { sightings >= (lag <= smallest ? 1 : Self.proofs) }

  /// Whether that was seen: every move was by one or several steps that are no larger than the driver is known for, or
  /// larger ones were found.
  public var isProven: Bool { isLarger || most == 0 || (1...most).contains(divisor) }

  /// Takes a position of a device that runs, in frames since its start.
  public mutating func note(_ position: Int) {
    if let last, position > last {
      smallest = min(smallest, position - last)
      divisor = greatestCommonDivisor(divisor, position - last)
    }
    last = position
  }

  /// The position was so many frames behind the device. Returns whether a step is larger than was known.
  public mutating func note(lag: Int, at now: Instant) -> Bool {
    guard lag > (isLarger ? frames : most) else { return false }
    if !isLarger && now - sighted > Self.window { (self.lag, sightings) = (0, 0) }
    sighted = now
    self.lag = max(self.lag, lag)
    sightings += 1
    return isLarger
  }

  /// The device was stopped: the next position is compared with none before it.
  public mutating func restart() { last = nil }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b > 0 { (a, b) = (b, a % b) }
  return a
}
