import AudioSession
import Board

/// Where a device is that runs, from a position that moves in steps: between two frames of the timeline, `least` and
/// `most`. Neither a reading nor what has passed since an earlier one can be ahead of the device, and no reading is a
/// whole step behind it. Every reading at another place within a step narrows this down.
///
/// What a driver counts on between the steps can be ahead of a device that is late, and soon after it is not. It is exact
/// at the moment, and says nothing of later ones.
struct DevicePosition: Hashable, Sendable {
  /// Clocks of devices and boards differ by less than one in this many.
  private static let precision = 1_000

  private var step = PositionStep(atMost: 0)
  /// Whether its position was seen to move since the start: a device may take its time to start.
  private var isMoving = false
  /// The last reading.
  private(set) var reading = 0
  private var least = 0
  private var most = 0
  private var at = Instant.powerOn

  /// - Parameter step: the most by which the device's position lies behind, frames.
  init(step: Int = 0) { self.step = PositionStep(atMost: step) }

  /// The device starts with the frame `index`.
  mutating func begin(at index: Int, _ now: Instant) {
    step.restart()
    isMoving = false
    (reading, least, most) = (index, index, index)
    at = now
  }

  /// Takes a reading: the device reports that it has come to the frame `index`.
  /// - Parameter isCounted: whether its driver counts on between the steps.
  mutating func note(_ index: Int, isCounted: Bool, at now: Instant, rate: Int) {
    step.note(index)
    let wasMoving = isMoving
    isMoving = isMoving || index > reading
    reading = index
    defer { at = now }
    if isCounted {
      (least, most) = (index, index + min(step.frames, CountedDelay.precision.frames(rate: rate)))
      return
    }
    guard wasMoving else {
      (least, most) = (index, index + step.frames)
      return
    }
    let passed = max(0, now.frame(rate: rate) - at.frame(rate: rate))
    let doubt = 1 + passed / Self.precision
    least = max(index, least + passed - doubt)
    most = min(index + step.frames, most + passed + doubt)
    // It stood still in between.
    if least > most { (least, most) = (index, index + step.frames) }
  }

  /// How many frames the device is ahead of the last reading, at least.
  var lead: Int { least - reading }
  /// How many more it may be ahead.
  var doubt: Int { most - least }
}
