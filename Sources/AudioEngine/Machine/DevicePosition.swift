import AudioSession
import Board

/// Where a running device is, computed from a position that moves in steps: between the frames `least` and `most` of the
/// timeline. No reading is ahead of the device, nor is the time that has passed since an earlier one, and no reading is a
/// whole step behind it. Every reading at another place within a step narrows the range.
///
/// A driver that counts on between the steps by itself can be ahead of a device that is late, and is right again soon
/// after. Its count is exact for the moment, and says nothing of later ones.
struct DevicePosition: Hashable, Sendable {
  /// Clocks of devices and boards differ by less than one in this many.
  private static let precision = 1_000

  private(set) var step: PositionStep
  /// Whether its position was seen to move since the start: a device may take its time to start.
  private var isMoving = false
  /// Whether the last reading is further behind the clock than a step: who stood still is not known.
  private var isBehind = false
  /// The last reading.
  private(set) var reading = 0
  private var least = 0
  private var most = 0
  private var at = Instant.powerOn
  /// The frame that it started with, and when.
  private var first = 0
  private var began = Instant.powerOn

  /// - Parameter step: the most by which the device's position lies behind, frames.
  init(step: Int = 0) { self.step = PositionStep(atMost: step) }

  /// The device is known from before.
  init(known step: PositionStep) { self.step = step }

  /// The device starts with the frame `index`.
  mutating func begin(at index: Int, _ now: Instant) {
    step.restart()
    isMoving = false
    isBehind = false
    (reading, least, most, first) = (index, index, index, index)
    (at, began) = (now, now)
  }

  /// It keeps so many frames behind its buffer, and is as much later with each of them.
  mutating func begin(behind frames: Int) { first -= frames }

  /// Takes a reading: the device reports that it has come to the frame `index`. Returns whether it turned out to move by
  /// more than was known.
  /// - Parameters:
  ///   - isCounted: whether its driver counts on between the steps.
  ///   - isEmpty: whether it has nothing queued any more, so that how far it has come is not known.
  @discardableResult mutating func note(
    _ index: Int, isCounted: Bool, isEmpty: Bool = false, at now: Instant, rate: Int
  ) -> Bool {
    let passed = max(0, now.frame(rate: rate) - at.frame(rate: rate))
    let lag = lag(at: index, after: passed, rate: rate)
    let isLarger = isMoving && !isCounted && !isEmpty && step.note(lag: lag, at: now)
    step.note(index)
    take(index, isCounted: isCounted, after: passed, rate: rate)
    at = now
    if !isCounted && !step.isProven { doubtStep(rate: rate) }
    return isLarger
  }

  /// How far the last reading was behind the device, at least. No device plays faster than the clock: what this reading is
  /// ahead of the last one plus the time between them was played before. Less than a millisecond does not count.
  private func lag(at index: Int, after passed: Int, rate: Int) -> Int {
    index - reading - passed - passed / Self.precision - rate / 1_000
  }

  private mutating func take(_ index: Int, isCounted: Bool, after passed: Int, rate: Int) {
    let isStanding = isBehind && index == reading
    let wasMoving = isMoving
    isMoving = isMoving || index > reading
    isBehind = false
    reading = index
    if isCounted {
      (least, most) = (index, index + min(step.frames, CountedDelay.precision.frames(rate: rate)))
      return
    }
    let doubt = 1 + passed / Self.precision
    least = max(index, wasMoving ? least + passed - doubt : index)
    let farthest = most + passed + doubt
    let limit = index + step.frames
    most = min(limit, farthest)
    if least > most || isStanding {
      // It stood still in between, or its position did.
      isBehind = isStanding || least > most + rate / 1_000
      (least, most) = (index, isBehind ? farthest : limit)
    }
  }

  /// Until the step is proven, the device may have played without a break since it was started, whatever its position says.
  /// After a second of sound its driver is trusted: the two clocks may then differ by as much as a change may be late.
  private mutating func doubtStep(rate: Int) {
    let passed = max(0, at.frame(rate: rate) - began.frame(rate: rate))
    guard passed <= rate else { return }
    most = max(most, first + passed + passed / Self.precision + 1)
  }

  /// How many frames the device is ahead of the last reading, at least.
  var lead: Int { least - reading }
  /// How many more it may be ahead.
  var doubt: Int { most - least }
  /// Whether the device may be more than a step ahead of the last reading.
  var isDoubtful: Bool { isBehind || most > reading + step.frames }
}
