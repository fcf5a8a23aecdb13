import AudioSession
import Board

/// A device that takes nothing back: every change is heard behind all that is queued, so little is kept queued. The
/// clock wakes the thread when only a margin is left, as its descriptors signal no such level. The margin grows with
/// what this machine's wake-ups turn out to need.
extension OutputMachine {
  var takesBack: Bool { device?.takesBack ?? true }

  /// How many frames the device is to hold.
  func depth(of device: Device) -> Int {
    let size = device.format.bufferFrames
    return device.takesBack ? size : min(size, (timing.shallowWait + margin).frames(rate: rate))
  }

  /// The frames in the device's buffer.
  func stock(_ status: PCMStatus) -> Int { status.queued - progress.latency }

  var deviceNumber: Int? { output.map { setup.devices[$0] } }
  private var margin: Duration { deviceNumber.map { margins[$0] } ?? timing.leastMargin }

  /// What the device holds back until more is written is of no use as a margin.
  mutating func startMargin(of opened: Device) {
    guard !opened.takesBack, let deviceNumber else { return }
    let needed = timing.leastMargin + .covering(frames: opened.margin, rate: opened.format.rate)
    margins[deviceNumber] = max(margins[deviceNumber], needed)
  }

  /// How much silence is written behind the last frame of all, to be played until that frame is known to have been heard. A
  /// device in which little is kept queued gets only as much as its position and the thread may be late, as whatever comes
  /// next waits behind it.
  var silence: Int {
    takesBack ? setup.buffer.frames(rate: rate) / 4 : progress.position.step.frames + margin.frames(rate: rate)
  }

  mutating func fillShallow(_ device: Device, _ status: PCMStatus) -> Call {
    // What the device may have played although its position does not say so is made up for.
    var room = max(0, depth(of: device) - stock(status) + doubt)
    // Nothing wakes the thread between the last frame of all and the moment at which it is heard, so the silence behind it
    // is written with it, whatever the device held before.
    if cursor + room >= stop { room = min(max(end, cursor) - cursor, device.format.bufferFrames) }
    return fill(Filling(purpose: .keep, room: room, free: room))
  }

  mutating func planShallowWait(_ device: Device, _ status: PCMStatus) -> Instant {
    let due = nextMoment(status)
    let stock = stock(status)
    progress.isFilled = cursor < stop && stock > depth(of: device) - shortestWait
    if cursor >= end { return due }
    // The position is a lower bound; half of the margin is reserved for the error.
    let margin = margin.frames(rate: rate)
    let left = max(margin, margin / 2 + progress.position.doubt)
    // A decoder that has frames again wakes us itself.
    let frames = stock > left ? stock - left : stock / 2
    return min(due, moment(after: max(shortestWait, frames), status))
  }

  /// A wake-up that came so late that half of the margin was gone may be later next time.
  mutating func noteLateness(_ status: PCMStatus) {
    let stock = stock(status)
    guard progress.isFilled, stock < margin.frames(rate: rate) / 2 else { return }
    growMargin(toCover: margin - .covering(frames: max(0, stock), rate: rate))
  }

  /// The device ran dry, or something else stopped it. If it had frames left by its position, one such stop may be a fault
  /// of its driver; a second within 1 s means that the reported position lags by more than its granularity.
  mutating func noteUnderrun() {
    guard !takesBack, let deviceNumber else { return }
    let missing = progress.estimate(at: now, rate: rate) + progress.latency - cursor
    let isKnown = missing >= 0 || isFreshlyStopped(deviceNumber)
    stoppedAt[deviceNumber] = missing < 0 ? now : nil
    if isKnown && progress.isFilled { growMargin(toCover: margin + .covering(frames: abs(missing), rate: rate)) }
  }

  /// Whether this device stopped with frames left less than a second ago.
  func isFreshlyStopped(_ device: Int) -> Bool { stoppedAt[device].map { now < $0 + .seconds(1) } ?? false }

  /// The device's position moves by more than its driver is known for. What it may have played is neither taken back nor
  /// counted on from then on.
  mutating func noteLargerStep() {
    guard let deviceNumber else { return }
    let step = progress.position.step
    steps[deviceNumber] = step
    let queued = takesBack ? .zero : timing.shallowWait + margin
    report(.playback(.queueGrown(queued + .covering(frames: step.frames, rate: rate))))
  }

  /// Grows the margin by half, or to more than such a lateness, up to what the device's buffer allows.
  private mutating func growMargin(toCover lateness: Duration) {
    guard !takesBack, let deviceNumber else { return }
    let grown = min(max(margin, lateness) * 3 / 2, setup.buffer - timing.shallowWait)
    guard grown > margin else { return }
    margins[deviceNumber] = grown
    report(.playback(.queueGrown(grown + timing.shallowWait)))
  }
}
