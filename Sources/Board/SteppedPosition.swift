import AudioSession

/// Where a running device is between two steps of its position, computed from the clock: at the frame `least` or behind
/// it, and not behind `most`. No reading is ahead of the device, nor is the time that has passed since an earlier one, and
/// no reading is a whole step behind it. Every reading at another place within a step narrows the range.
///
/// The adapter of a device has one, and only it knows how its position moves. Frames count from the start.
public struct SteppedPosition: Hashable, Sendable {
  /// Clocks of devices and boards differ by less than one in this many.
  private static let precision = 1_000

  private let step: Int
  /// Whether the position was seen to move since the start: a device may take its time to start.
  private var isMoving = false
  private var reading = 0
  private var least = 0
  private var most = 0
  private var at = Instant.powerOn

  /// - Parameter step: the frames by which the position moves at once; 0: it is exact.
  public init(step: Int) { self.step = step }

  /// The device starts.
  public mutating func begin(at now: Instant) {
    self = SteppedPosition(step: step)
    at = now
  }

  /// The status of a device that has come to the frame `index` by its own position, with `queued` frames behind that.
  public mutating func status(at index: Int, queued: Int, _ now: Instant, rate: Int) -> PCMStatus {
    guard step > 0 else { return PCMStatus(state: .running, queued: queued, at: now) }
    note(index, at: now, rate: rate)
    let lag = min(least - index, queued)
    return PCMStatus(state: .running, queued: queued - lag, lag: lag, uncertainty: most - least, at: now)
  }

  private mutating func note(_ index: Int, at now: Instant, rate: Int) {
    let passed = max(0, now.frame(rate: rate) - at.frame(rate: rate))
    let doubt = 1 + passed / Self.precision
    least = max(index, isMoving ? least + passed - doubt : index)
    most = min(index + step, most + passed + doubt)
    // It stood still in between.
    if least > most { (least, most) = (index, index + step) }
    isMoving = isMoving || index > reading
    reading = index
    at = now
  }
}
