import AudioSession
import Board

/// A playback device that plays into a tap at the pace of a clock, virtual or real. Like a real device it has a buffer, a
/// moving position, rewind, underruns and loss, and the traits of a driver.
public final class VirtualPCM: PCM {
  public let format: PCMFormat
  public let cardClass: CardClass
  public var pollDescriptors: [PollDescriptor] { [] }
  /// Frames to keep away from the playing position; 0 in virtual time, where no thread is ever late.
  public var margin: Int { clock is VirtualClock ? 0 : format.rate / 100 }

  private let clock: any BoardClock
  private let tap: PortTap
  private let card: SimulatedCard
  private let latency: Int
  /// Frames in the buffer and behind it, in a ring.
  private var samples: [Int16]
  private var state = PCMStatus.State.prepared
  /// Frames written and played since the device was prepared.
  private var written = 0
  private var played = 0
  /// The clock's frame at which frame 0 left the buffer.
  private var origin = 0
  private var position: SteppedPosition
  /// Since which of the clock's frames its radio link is silent: it runs, sends nothing, and its delay lies.
  private var silentFrom: Int?

  public init(format: PCMFormat, clock: any BoardClock, tap: PortTap, card: SimulatedCard = .usual) {
    self.format = format
    self.clock = clock
    self.tap = tap
    self.card = card
    latency = card.latency.frames(rate: format.rate)
    cardClass = CardClass(
      takesBack: card.takesBack, step: card.positionStep.frames(rate: format.rate), rate: format.rate)
    position = SteppedPosition(step: cardClass.step)
    samples = [Int16](repeating: 0, count: (format.bufferFrames + latency) * 2)
  }

  private var capacity: Int { format.bufferFrames + latency }

  /// Frames that have left the buffer, if there were that many.
  private func elapsed(_ now: Instant) -> Int {
    let frame = now.frame(rate: format.rate)
    return min(frame, silentFrom ?? frame) - origin
  }

  /// How many of the frames that left the buffer the position has not moved by yet.
  private func unreported(_ fetched: Int) -> Int { cardClass.step > 0 ? fetched % cardClass.step : 0 }

  /// Frames in the buffer.
  private func stock(_ now: Instant) -> Int { written - (state == .running ? min(written, elapsed(now)) : played) }

  public func status() -> PCMStatus {
    let now = clock.now
    advance(to: now)
    guard state == .running else { return PCMStatus(state: state, queued: written - played, at: now) }
    let fetched = min(elapsed(now), written)
    // While the link is silent, the delay goes down as if it were not.
    let unsent = max(0, written - fetched - (silentFrom.map { now.frame(rate: format.rate) - $0 } ?? 0))
    let queued = unsent + unreported(fetched) + latency
    return position.status(at: written - queued, queued: queued, now, rate: format.rate)
  }

  public func write(_ input: UnsafePointer<Int16>, frames: Int) -> Int {
    let now = clock.now
    advance(to: now)
    guard state == .prepared || state == .running else { return 0 }
    let taken = min(frames, format.bufferFrames - stock(now))
    let offset = written % capacity
    let first = max(0, min(taken, capacity - offset))
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      (base + offset * 2).update(from: input, count: first * 2)
      base.update(from: input + first * 2, count: max(0, taken - first) * 2)
    }
    written += taken
    return taken
  }

  public func rewind(_ frames: Int, isUrgent: Bool) -> Int {
    let now = clock.now
    advance(to: now)
    guard takesBack else { return 0 }
    var most = stock(now)
    if state == .running && cardClass.step > 0 {
      // What the device may have fetched already, and what an adapter to a real one leaves it besides (P15).
      most += unreported(elapsed(now)) - cardClass.step - format.kept(isUrgent: isUrgent)
    }
    let taken = max(0, min(frames, most))
    written -= taken
    return taken
  }

  public func start() {
    guard state == .prepared else { return }
    state = .running
    position.begin(at: clock.now)
    origin = clock.now.frame(rate: format.rate) - played
    if silentFrom != nil { silentFrom = origin + played }
  }

  public func stop() {
    advance(to: clock.now)
    prepare()
  }

  public func recover() { prepare() }

  public func close() { stop() }

  private func prepare() {
    written = 0
    played = 0
    if state != .disconnected { state = .prepared }
  }

  /// Plays up to `now`.
  private func advance(to now: Instant) {
    guard state == .running else { return }
    let fetched = elapsed(now)
    // The headset plays the frames that it has, whatever becomes of the link.
    let due = min(fetched, now.frame(rate: format.rate) - origin - latency)
    let end = min(due, card == .faulty ? written - latency : written)
    while played < end {
      let offset = played % capacity
      let frames = min(end - played, capacity - offset)
      samples.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        tap.hear(base + offset * 2, frames: frames, at: origin + latency + played, rate: format.rate)
      }
      played += frames
    }
    if fetched > written { state = .underrun }
  }

  // MARK: - Faults

  /// Loses the queued frames, as after a late interrupt. Returns false where the device is not playing.
  func forceUnderrun() -> Bool {
    advance(to: clock.now)
    guard state == .running else { return false }
    state = .underrun
    return true
  }

  /// Stops the device, as when the system goes to sleep.
  func suspend() {
    advance(to: clock.now)
    if state == .running { state = .suspended }
  }

  /// Its radio link falls silent, or sends on what it has.
  func setLink(isSilent: Bool) {
    let now = clock.now
    advance(to: now)
    let frame = now.frame(rate: format.rate)
    if isSilent {
      silentFrom = silentFrom ?? frame
    } else if let since = silentFrom {
      // As long as the headset has frames, the link catches up; else it fills the headset again.
      if frame - since > latency { origin += frame - since }
      silentFrom = nil
    }
  }

  /// Unplugs the device: it takes nothing from now on.
  func disconnect() {
    advance(to: clock.now)
    state = .disconnected
  }
}
