import AudioSession
import Board

/// A playback device that plays into a tap at the pace of a clock, virtual or real. Like a real device it has a buffer, a
/// moving position, rewind, underruns and loss.
public final class VirtualPCM: PCM {
  public let format: PCMFormat
  public var pollDescriptors: [PollDescriptor] { [] }
  /// Frames to keep away from the playing position; 0 in virtual time, where no thread is ever late.
  public var margin: Int { clock is VirtualClock ? 0 : format.rate / 100 }

  private let clock: any BoardClock
  private let tap: PortTap
  private var samples: [Int16]
  private var state = PCMStatus.State.prepared
  /// Frames written and played since the device was prepared.
  private var written = 0
  private var played = 0
  /// The clock's frame at which frame 0 was played.
  private var origin = 0

  public init(format: PCMFormat, clock: any BoardClock, tap: PortTap) {
    self.format = format
    self.clock = clock
    self.tap = tap
    samples = [Int16](repeating: 0, count: format.bufferFrames * 2)
  }

  public func status() -> PCMStatus {
    let now = clock.now
    advance(to: now)
    return PCMStatus(state: state, queued: written - played, at: now)
  }

  public func write(_ input: UnsafePointer<Int16>, frames: Int) -> Int {
    advance(to: clock.now)
    guard state == .prepared || state == .running else { return 0 }
    let taken = min(frames, format.bufferFrames - (written - played))
    let offset = written % format.bufferFrames
    let first = max(0, min(taken, format.bufferFrames - offset))
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      (base + offset * 2).update(from: input, count: first * 2)
      base.update(from: input + first * 2, count: max(0, taken - first) * 2)
    }
    written += taken
    return taken
  }

  public func rewind(_ frames: Int) -> Int {
    advance(to: clock.now)
    let taken = max(0, min(frames, written - played))
    written -= taken
    return taken
  }

  public func start() {
    guard state == .prepared else { return }
    state = .running
    origin = clock.now.frame(rate: format.rate) - played
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
    let due = now.frame(rate: format.rate) - origin
    while played < min(due, written) {
      let offset = played % format.bufferFrames
      let frames = min(min(due, written) - played, format.bufferFrames - offset)
      samples.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        tap.hear(base + offset * 2, frames: frames, at: origin + played, rate: format.rate)
      }
      played += frames
    }
    if due > written { state = .underrun }
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

  /// Unplugs the device: it takes nothing from now on.
  func disconnect() {
    advance(to: clock.now)
    state = .disconnected
  }
}
