import AudioSession
import Board

/// What is known of the device since it was started last.
struct DeviceProgress: Hashable, Sendable {
  /// A time stamp older than this tells nothing.
  private static let oldestStamp = Duration.milliseconds(50)

  /// Whether it was started and not stopped since.
  private(set) var isOn = false
  /// The timeline's index of the first frame written: nothing before it is in the device.
  private(set) var start = 0
  /// The timeline's index of the frame heard when the device was last asked.
  private(set) var heard = 0
  private(set) var at = Instant.powerOn
  /// When another frame than before was heard last.
  private(set) var movedAt = Instant.powerOn
  /// Frames of the delay that are not in the buffer.
  private(set) var latency = 0
  /// ALSA's `null` and `file` have played everything at once; the clock has to pace them.
  var isUnpaced = false

  /// From the frame `index` on.
  mutating func begin(at index: Int, isUnpaced: Bool = false, _ now: Instant) {
    isOn = true
    start = index
    self.isUnpaced = isUnpaced
    movedAt = now
    note(index, now)
  }

  mutating func end() { isOn = false }

  mutating func note(_ index: Int, _ now: Instant) {
    if index != heard { movedAt = now }
    heard = index
    at = now
  }

  /// The delay of a device whose buffer is full tells what lies behind the buffer.
  mutating func learn(queued: Int, bufferFrames: Int) { latency = max(0, queued - bufferFrames) }

  /// The frame heard at `now` of a device that has kept time since it was last asked.
  func estimate(at now: Instant, rate: Int) -> Int { heard + max(0, now.frame(rate: rate) - at.frame(rate: rate)) }

  /// What a status that was true a moment ago says of now.
  static func carry(_ status: PCMStatus, to now: Instant, rate: Int) -> PCMStatus {
    guard status.state == .running, status.at < now else { return status }
    let age = now - status.at <= oldestStamp ? now.frame(rate: rate) - status.at.frame(rate: rate) : 0
    return PCMStatus(state: .running, queued: max(0, status.queued - age), at: now)
  }
}
