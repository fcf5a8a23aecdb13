import AudioSession
import Board

/// A device that cannot be rewound: every change is heard after all that is queued, so little is kept queued. The clock
/// wakes the thread when only a margin is left, because its descriptors signal no such level. The margin follows what
/// this machine's wake-ups turn out to need.
extension OutputMachine {
  /// What has to be left in a device when the thread is woken.
  struct Margin: Hashable, Sendable {
    var length: Duration
    /// When it was changed last.
    var changedAt = Instant.powerOn
    /// How long nothing may be late before it shrinks.
    var quiet: Duration
    var hasShrunk = false
  }

  var takesBack: Bool { device?.takesBack ?? true }

  /// How many frames the device is to hold.
  func depth(of device: Device) -> Int {
    let size = device.format.bufferFrames
    return device.takesBack ? size : min(size, (timing.shallowWait + margin).frames(rate: rate))
  }

  /// The frames in the device's buffer.
  func stock(_ status: PCMStatus) -> Int { status.queued - progress.latency }

  var deviceNumber: Int? { output.map { setup.devices[$0] } }
  private var margin: Duration { deviceNumber.map { margins[$0].length } ?? timing.leastMargin }

  /// Frames that the device holds back until more are written cannot serve as headroom.
  private func leastMargin(of device: Device) -> Duration {
    timing.leastMargin + .covering(frames: device.margin, rate: device.format.rate)
  }

  mutating func startMargin(of opened: Device) {
    guard !opened.takesBack, let deviceNumber else { return }
    margins[deviceNumber].length = max(margin, leastMargin(of: opened))
  }

  /// How much silence is written after the last frame of all, to be played until that frame is known to have been
  /// heard. A device in which little is kept queued gets only as much as its position and the thread may be late,
  /// because whatever comes next waits for its end.
  var silence: Int {
    guard let device, !device.takesBack else { return setup.buffer.frames(rate: rate) / 4 }
    return device.cardClass.step + margin.frames(rate: rate)
  }

  mutating func fillShallow(_ device: Device, _ status: PCMStatus) -> Call {
    var room = max(0, depth(of: device) - stock(status))
    // Nothing wakes the thread between the last frame of all and the moment at which it is heard, so the silence after
    // it is written with it, whatever the device held before.
    if cursor + room >= stop { room = min(max(end, cursor) - cursor, device.format.bufferFrames) }
    return fill(Filling(purpose: .keep, room: room, free: room))
  }

  mutating func planShallowWait(_ device: Device, _ status: PCMStatus) -> Instant {
    let due = nextMoment(status)
    let stock = stock(status)
    progress.isFilled = cursor < stop && stock > depth(of: device) - shortestWait
    if cursor >= end { return due }
    // Half of the margin is reserved for what may have been played already.
    let margin = margin.frames(rate: rate)
    let left = max(margin, margin / 2 + status.uncertainty)
    // A decoder that has frames again wakes us itself.
    let frames = stock > left ? stock - left : stock / 2
    return min(due, moment(after: max(shortestWait, frames), status))
  }

  /// A wake-up that came so late that half of the margin was gone may be later next time. After a while without one, less
  /// is left again.
  mutating func noteLateness(_ status: PCMStatus) {
    guard let device, !device.takesBack, let deviceNumber else { return }
    let stock = stock(status)
    if progress.isFilled && stock < margin.frames(rate: rate) / 2 {
      growMargin(toCover: margin - .covering(frames: max(0, stock), rate: rate))
    } else if now >= margins[deviceNumber].changedAt + margins[deviceNumber].quiet {
      margins[deviceNumber].length = max(margin * 9 / 10, leastMargin(of: device))
      margins[deviceNumber].changedAt = now
      margins[deviceNumber].hasShrunk = true
    }
  }

  /// The device ran dry.
  mutating func noteUnderrun() {
    guard !takesBack, progress.isFilled else { return }
    let missing = progress.estimate(at: now, rate: rate) + progress.latency - cursor
    growMargin(toCover: margin + .covering(frames: max(0, missing), rate: rate))
  }

  /// Grows the margin by half, or to more than such a lateness, up to what the device's buffer allows.
  private mutating func growMargin(toCover lateness: Duration) {
    guard let deviceNumber else { return }
    // Headroom that it needs again and again is kept for longer each time, or it would run dry forever.
    if margins[deviceNumber].hasShrunk {
      margins[deviceNumber].quiet = min(margins[deviceNumber].quiet * 2, timing.mostQuiet)
      margins[deviceNumber].hasShrunk = false
    }
    let grown = min(max(margin, lateness) * 3 / 2, setup.buffer - timing.shallowWait)
    margins[deviceNumber].changedAt = now
    guard grown > margin else { return }
    margins[deviceNumber].length = grown
    report(.playback(.queueGrown(grown + timing.shallowWait)))
  }
}
