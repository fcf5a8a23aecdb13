import AudioSession
import Board

/// What is known of the device since it was last started.
struct DeviceProgress: Hashable, Sendable {
  /// A status with an older time stamp is not extrapolated.
  private static let oldestStamp = Duration.milliseconds(50)

  /// Whether it was started and not stopped since.
  private(set) var isOn = false
  /// The timeline's index of the first frame written: nothing before it is in the device.
  private(set) var start = 0
  /// The timeline's index of the frame heard when the device's status was last read.
  private(set) var heard = 0
  private(set) var at = Instant.powerOn
  /// When the device last took frames beyond those that it had.
  private(set) var acceptedAt = Instant.powerOn
  /// The timeline's index of the first frame that the device never had.
  private(set) var unwritten = 0
  /// When another frame than before was heard last.
  private(set) var movedAt = Instant.powerOn
  /// Frames of the device's delay that lie after its buffer.
  private(set) var latency = 0
  /// The most of them since it was started.
  private(set) var mostLatency = 0
  /// Whether it held all that it was to hold when it was last left alone, with more to come.
  var isFilled = false
  /// The timeline's index that the device itself reported last: its position may move in steps.
  private(set) var reported = 0
  /// ALSA's `null` and `file` report everything as played at once, so the clock has to pace them.
  var isUnpaced = false

  /// The device starts with the frame `index` of the timeline.
  mutating func begin(at index: Int, isUnpaced: Bool = false, _ now: Instant) {
    isOn = true
    start = index
    self.isUnpaced = isUnpaced
    isFilled = false
    movedAt = now
    note(index, now)
    (reported, acceptedAt, unwritten, mostLatency) = (index, now, index, 0)
  }

  /// The device took frames up to the timeline's index `cursor`. Frames that replace rewound ones show nothing.
  mutating func noteAccepted(upTo cursor: Int, _ now: Instant) {
    guard cursor > unwritten else { return }
    unwritten = cursor
    acceptedAt = now
  }

  mutating func end() { isOn = false }

  mutating func note(_ index: Int, _ now: Instant) {
    if index != heard { movedAt = now }
    heard = index
    at = now
  }

  /// The device reports to have come to the timeline's index `index`.
  mutating func note(reported index: Int) { reported = index }

  /// Derives the latency after the buffer from the delay of a device while `written` frames are in its buffer.
  mutating func measureLatency(queued: Int, written: Int) {
    latency = max(0, queued - written)
    mostLatency = max(mostLatency, latency)
  }

  /// The frame heard at `now`, if the device has kept time since its status was last read.
  func estimate(at now: Instant, rate: Int) -> Int { heard + max(0, now.frame(rate: rate) - at.frame(rate: rate)) }

  /// Extrapolates a status that was read a moment ago to `now`.
  static func extrapolate(_ status: PCMStatus, to now: Instant, rate: Int) -> PCMStatus {
    guard status.state == .running, status.at < now else { return status }
    let age = now - status.at <= oldestStamp ? now.frame(rate: rate) - status.at.frame(rate: rate) : 0
    var current = status
    current.queued = max(0, status.queued - age)
    current.at = now
    return current
  }
}
