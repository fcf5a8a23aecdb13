import AudioSession

/// The shape of an open playback device. Samples are always interleaved stereo S16 in native byte order on our side;
/// an adapter converts to what the device takes.
public struct PCMFormat: Hashable, Sendable {
  /// Frames a second that the device really runs at; may differ from the rate asked for.
  public var rate: Int
  /// Frames the device can hold.
  public var bufferFrames: Int

  public init(rate: Int, bufferFrames: Int) {
    self.rate = rate
    self.bufferFrames = bufferFrames
  }

  /// The rewind safeguard: frames that stay at a `rewind` behind what a running device may have fetched, which it plays
  /// until new ones are written. If that takes longer, it runs dry; so there are 2 ms of them, and 0.5 where running dry is
  /// silence, too.
  public func kept(isUrgent: Bool) -> Int { isUrgent ? rate / 2_000 : rate / 500 }
}

/// The state of a playback device at one moment.
public struct PCMStatus: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// Takes frames, plays none.
    case prepared
    case running
    /// Ran dry; `recover()` makes it prepared again.
    case underrun
    /// The system slept; `recover()` makes it prepared again.
    case suspended
    /// Gone for good; close it.
    case disconnected
  }
  public var state: State
  /// The most frames written that nobody can have heard yet: queue and hardware latency together. After a device has
  /// stopped by itself it may be 0, because some no longer report it then.
  public var queued: Int
  /// How many more the device itself reports (`snd_pcm_delay`), whose position moves in steps.
  public var lag: Int
  /// How many of the queued frames may already have been heard.
  public var uncertainty: Int
  /// When `queued` was true, on the board's clock.
  public var at: Instant

  public init(state: State, queued: Int, lag: Int = 0, uncertainty: Int = 0, at: Instant) {
    self.state = state
    self.queued = queued
    self.lag = lag
    self.uncertainty = uncertainty
    self.at = at
  }
}

/// One open playback device. The audio thread makes the calls, none of which may block or wait, except for `recover` and
/// `close`: a driver may hold these for seconds, and the thread that opened the device makes them. The audio thread
/// makes no call from the moment it asks for one of them until `recover` has returned.
public protocol PCM: AnyObject {
  var format: PCMFormat { get }
  /// Descriptors to poll while running, empty for a device that has to be checked by time. Readiness means: at least
  /// half of the buffer is free.
  var pollDescriptors: [PollDescriptor] { get }
  /// Whether what `poll(2)` returned (`revents`, one for each of `pollDescriptors` in their order) means readiness or a
  /// change that `status()` reports. Has to be called after every wake-up by one of them: the descriptor of a plug-in
  /// is often a timer or an event counter, which is read here and would wake the thread again at once if it were not.
  func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool
  func status() throws(PCMError) -> PCMStatus
  /// Queues up to `frames` interleaved stereo frames and returns how many were taken; 0 when the buffer is full. Never
  /// starts the device.
  func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(PCMError) -> Int
  /// Takes back up to `frames` queued frames that were not heard yet, newest first, and returns how many. A device that
  /// runs keeps a step of its position and the safeguard (`PCMFormat.kept`).
  /// - Parameter isUrgent: whether silence counts more than that the device does not run dry, as when a plug is pulled.
  func rewind(_ frames: Int, isUrgent: Bool) -> Int
  /// Known when the device is open. That nothing can be rewound may show only at the first `rewind`, which then returned
  /// 0, and is so from then on.
  var cardClass: CardClass { get }
  /// Frames that a change without urgency leaves queued. If all were rewound, a thread that is held up before it
  /// writes again would leave the device dry. For a device that cannot be rewound: what it does not play until more is
  /// written.
  var margin: Int { get }
  /// Lets a prepared device play.
  func start() throws(PCMError)
  /// Stops at once and forgets what is queued. The device has to be recovered before it takes frames.
  func stop() throws(PCMError)
  /// After `stop`, an underrun or a suspend: makes the device prepared and empty again.
  func recover() throws(PCMError)
  /// Closes the device; no call may follow.
  func close()
}

extension PCM {
  public var margin: Int { Self.margin(at: format.rate) }

  /// Ten milliseconds: nobody hears a volume change so late, and no thread that runs at all is held up for longer.
  public static func margin(at rate: Int) -> Int { rate / 100 }

  public var cardClass: CardClass { .exact }

  public var takesBack: Bool { cardClass.takesBack }

  /// For descriptors whose readiness needs no interpretation.
  public func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool { revents.contains { $0 != 0 } }
}

/// Opens playback devices by name. Each device has a thread of its own that opens, recovers and closes it, unless it
/// answers at once; devices of different names are opened at the same time.
public protocol PCMOpener: AnyObject {
  /// Whether no such call can take long, because there is no driver behind it: the audio thread then makes them itself.
  var answersAtOnce: Bool { get }
  func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM
}

extension PCMOpener {
  public var answersAtOnce: Bool { false }
}

/// One descriptor for `poll(2)`; `events` as there.
public struct PollDescriptor: Hashable, Sendable {
  public var fileDescriptor: CInt
  public var events: CShort

  public init(fileDescriptor: CInt, events: CShort) {
    self.fileDescriptor = fileDescriptor
    self.events = events
  }
}

/// A failed call on a playback device: what was tried, on which device, and the kernel's error.
public struct PCMError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case open, configure, status, write, read, start, stop, recover
  }
  public var operation: Operation
  public var device: String
  /// Positive `errno`.
  public var code: CInt
  /// The message of the library or the kernel, and what was asked for.
  public var message: String

  public init(operation: Operation, device: String, code: CInt, message: String) {
    self.operation = operation
    self.device = device
    self.code = code
    self.message = message
  }

  public var description: String { "\(device): \(operation.rawValue): \(message)" }
}
